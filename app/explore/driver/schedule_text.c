/* schedule_text.c - an execution as a text, and back. */
#include "schedule_file.h"

#include "base/fail.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const explore_schedule_calls[] = { "merged", "split", NULL };
const char *const explore_schedule_races[] = { "report", "interleave", "ignore",
                                               NULL };
const char *const explore_schedule_reuse[] = { "at-once", "never", "choice",
                                               NULL };

static const char first_line[] = "plumb-schedule 1";

enum { LINE_WIDTH = 72, MOST_RANDOM = 256 };

/* ---- writing ---- */

static void add_value(struct plumb_base_text *out, const char *key,
                      const char *value)
{
    plumb_base_text_printf(out, "%s ", key);
    for (; *value; value++) {
        const unsigned char c = (unsigned char)*value;
        if (c == '\\')
            plumb_base_text_add(out, "\\\\");
        else if (c < ' ' || c == 127)
            plumb_base_text_printf(out, "\\x%02x", c);
        else
            plumb_base_text_bytes(out, value, 1);
    }
    plumb_base_text_add(out, "\n");
}

static void add_values(struct plumb_base_text *out, const char *key,
                       const struct console_wordlist *words)
{
    for (size_t i = 0; i < words->count; i++)
        add_value(out, key, words->word[i]);
}

static void add_unless_empty(struct plumb_base_text *out, const char *key,
                             const char *value)
{
    if (*value)
        add_value(out, key, value);
}

/* Is the thread of step `at` left because it came round? */
static bool comes_round(const struct explore_schedule *s, uint32_t at)
{
    return at + 1 < s->length && s->switched[at + 1] == JOB_SWITCH_SPINS;
}

/* How many steps from `at` on are the same. */
static uint32_t run_length(const struct explore_schedule *s, uint32_t at)
{
    uint32_t n = 1;
    while (at + n < s->length && s->step[at].option == 0 &&
           s->step[at + n].option == 0 &&
           s->step[at + n].thread == s->step[at].thread)
        n++;
    return n;
}

static void add_steps(struct plumb_base_text *out,
                      const struct explore_schedule *s)
{
    size_t begin = out->size;
    for (uint32_t at = 0, n; at < s->length; at += n) {
        n = run_length(s, at);
        if (out->size > begin && out->size - begin > LINE_WIDTH) {
            plumb_base_text_add(out, "\n");
            begin = out->size;
        }
        plumb_base_text_printf(out, "%sT%u", out->size > begin ? " " : "",
                               s->step[at].thread);
        if (s->step[at].option)
            plumb_base_text_printf(out, "?%u", s->step[at].option);
        else if (n > 1)
            plumb_base_text_printf(out, "*%" PRIu32, n);
        if (comes_round(s, at + n - 1))
            plumb_base_text_add(out, "~");
    }
    if (s->length)
        plumb_base_text_add(out, "\n");
}

void explore_schedule_print(const struct explore_schedule *s,
                            struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s\n", first_line);
    add_unless_empty(out, "build-id", s->build_id);
    add_value(out, "target", s->target);
    add_values(out, "flag", &s->flags);
    if (s->program)
        plumb_base_text_add(out, "program yes\n");
    add_values(out, "argument", &s->arguments);
    add_unless_empty(out, "spec", s->spec);
    add_unless_empty(out, "init", s->scenario.init);
    add_unless_empty(out, "test", s->scenario.test);
    add_unless_empty(out, "final", s->scenario.final);
    add_value(out, "calls", explore_schedule_calls[s->calls]);
    add_value(out, "races", explore_schedule_races[s->races]);
    add_value(out, "reuse", explore_schedule_reuse[s->reuse]);
    plumb_base_text_printf(out, "random %" PRIu32 "\n", s->random);
    for (uint32_t i = 0; i < s->points; i++)
        plumb_base_text_printf(out, "point %" PRIu32 "\n", s->point[i]);
    add_unless_empty(out, "finding", s->finding);
    if (s->race[0] || s->race[1])
        plumb_base_text_printf(out, "race %" PRIu64 " %" PRIu64 "\n",
                               s->race[0], s->race[1]);
    if (s->cycle)
        plumb_base_text_printf(out, "cycle %" PRIu32 "\n", s->cycle);
    plumb_base_text_printf(out, "steps %" PRIu32 "\n", s->length);
    add_steps(out, s);
}

/* ---- reading ---- */

struct reading {
    struct explore_schedule *s;
    const char *at, *end; /* what is left of the text       */
    const char *line;     /* where the line began           */
    uint64_t number;      /* of the line, from 1            */
    struct plumb_error *err;
    uint32_t seen; /* a bit per key                  */
    uint32_t steps;
};

/* Always false. */
#define FAIL(r, where, ...)                                                    \
    (plumb_base_fail((r)->err, PLUMB_EINPUT, (r)->number,                      \
                     (uint64_t)((where) - (r)->line) + 1, __VA_ARGS__),        \
     false)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number below 2^32 at `*at`, which moves behind it. */
static bool read_number(const struct reading *r, const char **at,
                        const char *end, uint32_t most, const char *what,
                        uint32_t *number)
{
    const char *const begin = *at;
    uint64_t n = 0;
    for (; *at < end && is_digit(**at) && n <= most; ++*at)
        n = 10 * n + (uint64_t)(**at - '0');
    if (*at == begin)
        return FAIL(r, begin, "%s is missing", what);
    if (n > most)
        return FAIL(r, begin, "%s is greater than %" PRIu32, what, most);
    *number = (uint32_t)n;
    return true;
}

static int hex_digit(char c)
{
    const char *const digits = "0123456789abcdef";
    const char *const found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* The character of an escape at `*at`, which moves behind it; 0: none. */
static char unescape(const char **at, const char *end)
{
    const char *const p = *at;
    if (end - p >= 2 && p[1] == '\\') {
        *at += 2;
        return '\\';
    }
    if (end - p < 4 || p[1] != 'x' || hex_digit(p[2]) < 0 ||
        hex_digit(p[3]) < 0)
        return 0;
    *at += 4;
    return (char)(16 * hex_digit(p[2]) + hex_digit(p[3]));
}

static bool read_value(const struct reading *r, const char *at, const char *end,
                       char *to, size_t size)
{
    size_t used = 0;
    while (at < end) {
        const char *const from = at;
        const char c = *at == '\\' ? unescape(&at, end) : *at++;
        if (!c)
            return FAIL(r, from,
                        *from
                            ? "unknown escape; only \\\\ and \\xHH are allowed"
                            : "zero byte in a value");
        if (used + 1 >= size)
            return FAIL(r, from, "value longer than %zu bytes", size - 1);
        to[used++] = c;
    }
    to[used] = '\0';
    return true;
}

static bool read_word(const struct reading *r, const char *at, const char *end,
                      struct console_wordlist *words)
{
    char word[PATH_MAX];
    if (!read_value(r, at, end, word, sizeof word))
        return false;
    console_wordlist_add(words, word);
    if (!words->broken)
        return true;
    plumb_base_fail_memory(r->err);
    return false;
}

static bool read_choice(const struct reading *r, const char *at,
                        const char *end, const char *const *choice, int *which)
{
    for (*which = 0; choice[*which]; ++*which)
        if (strlen(choice[*which]) == (size_t)(end - at) &&
            memcmp(at, choice[*which], (size_t)(end - at)) == 0)
            return true;
    char all[64] = "";
    size_t used = 0;
    for (unsigned i = 0; choice[i] && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i ? ", " : "", choice[i]);
    return FAIL(r, at, "expected %s%s", choice[1] ? "one of " : "", all);
}

static bool read_whole_number(const struct reading *r, const char *at,
                              const char *end, uint32_t most, const char *what,
                              uint32_t *number)
{
    if (!read_number(r, &at, end, most, what, number))
        return false;
    return at == end || FAIL(r, at, "unexpected text after the number");
}

static bool read_race(const struct reading *r, const char *at, const char *end,
                      uint64_t race[2])
{
    uint32_t place[2];
    if (!read_number(r, &at, end, UINT32_MAX, "a place", &place[0]))
        return false;
    if (at == end || *at != ' ')
        return FAIL(r, at, "a race needs two places");
    race[0] = place[0];
    if (!read_whole_number(r, at + 1, end, UINT32_MAX, "a place", &place[1]))
        return false;
    race[1] = place[1];
    return true;
}

enum key {
    KEY_BUILD_ID,
    KEY_TARGET,
    KEY_FLAG,
    KEY_PROGRAM,
    KEY_ARGUMENT,
    KEY_SPEC,
    KEY_INIT,
    KEY_TEST,
    KEY_FINAL,
    KEY_CALLS,
    KEY_RACES,
    KEY_REUSE,
    KEY_RANDOM,
    KEY_POINT,
    KEY_FINDING,
    KEY_RACE,
    KEY_CYCLE,
    KEY_STEPS,
    KEYS
};

static const char *const key_name[KEYS] = {
    "build-id", "target", "flag",    "program", "argument", "spec",
    "init",     "test",   "final",   "calls",   "races",    "reuse",
    "random",   "point",  "finding", "race",    "cycle",    "steps",
};

static bool take_text(struct reading *r, enum key key, const char *at,
                      const char *end)
{
    struct explore_schedule *const s = r->s;
    switch (key) {
    case KEY_BUILD_ID:
        return read_value(r, at, end, s->build_id, sizeof s->build_id);
    case KEY_TARGET:
        return read_value(r, at, end, s->target, sizeof s->target);
    case KEY_SPEC:
        return read_value(r, at, end, s->spec, sizeof s->spec);
    case KEY_INIT:
        return read_value(r, at, end, s->scenario.init, JOB_TEXT);
    case KEY_TEST:
        return read_value(r, at, end, s->scenario.test, JOB_TEXT);
    case KEY_FINAL:
        return read_value(r, at, end, s->scenario.final, JOB_TEXT);
    default:
        return read_value(r, at, end, s->finding, sizeof s->finding);
    }
}

static bool take_value(struct reading *r, enum key key, const char *at,
                       const char *end)
{
    static const char *const yes[] = { "yes", NULL };
    struct explore_schedule *const s = r->s;
    int which = 0;
    bool good;
    switch (key) {
    case KEY_FLAG:
        return read_word(r, at, end, &s->flags);
    case KEY_ARGUMENT:
        return read_word(r, at, end, &s->arguments);
    case KEY_PROGRAM:
        s->program = true;
        return read_choice(r, at, end, yes, &which);
    case KEY_CALLS:
        good = read_choice(r, at, end, explore_schedule_calls, &which);
        s->calls = (enum job_calls)which;
        return good;
    case KEY_RACES:
        good = read_choice(r, at, end, explore_schedule_races, &which);
        s->races = (enum job_races)which;
        return good;
    case KEY_REUSE:
        good = read_choice(r, at, end, explore_schedule_reuse, &which);
        s->reuse = (enum memory_heap_reuse)which;
        return good;
    case KEY_RANDOM:
        return read_whole_number(r, at, end, MOST_RANDOM, "a number",
                                 &s->random) &&
               (s->random > 0 || FAIL(r, at, "random must be at least 1"));
    case KEY_POINT:
        return s->points < JOB_POINTS
                   ? read_whole_number(r, at, end, UINT32_MAX, "a place",
                                       &s->point[s->points++])
                   : FAIL(r, r->line, "too many points");
    case KEY_RACE:
        return read_race(r, at, end, s->race);
    case KEY_CYCLE:
        return read_whole_number(r, at, end, JOB_STEPS, "the number of steps",
                                 &s->cycle);
    case KEY_STEPS:
        return read_whole_number(r, at, end, JOB_STEPS, "the number of steps",
                                 &r->steps);
    default:
        return take_text(r, key, at, end);
    }
}

static bool read_key(struct reading *r, const char *end)
{
    const char *const blank = memchr(r->line, ' ', (size_t)(end - r->line));
    const char *const stop = blank ? blank : end;
    unsigned key = 0;
    while (key < KEYS &&
           (strlen(key_name[key]) != (size_t)(stop - r->line) ||
            memcmp(key_name[key], r->line, (size_t)(stop - r->line)) != 0))
        key++;
    if (key == KEYS)
        return FAIL(r, r->line, "unknown key at the start of the line");
    if (!blank || (blank + 1 == end && key != KEY_ARGUMENT))
        return FAIL(r, end, "a value is missing after %s", key_name[key]);
    if (r->seen >> key & 1 && key != KEY_FLAG && key != KEY_ARGUMENT &&
        key != KEY_POINT)
        return FAIL(r, r->line, "%s is given twice", key_name[key]);
    r->seen |= UINT32_C(1) << key;
    return take_value(r, (enum key)key, blank + 1, end);
}

/* ---- decisions ---- */

static bool add_steps_of(struct reading *r, const char *from,
                         struct job_step step, uint32_t count, bool round)
{
    if (count == 0)
        return FAIL(r, from, "a decision needs at least 1 step");
    if (count > r->steps - r->s->length)
        return FAIL(r, from,
                    "more steps than the %" PRIu32 " that `steps` gives",
                    r->steps);
    while (count--)
        r->s->step[r->s->length++] = step;
    if (round)
        r->s->switched[r->s->length] = JOB_SWITCH_SPINS;
    return true;
}

/* T0, T0*31 or T0?2, and perhaps ~ */
static bool read_decision(struct reading *r, const char **at, const char *end)
{
    const char *const from = *at;
    uint32_t thread = 0, option = 0, count = 1;
    if (*(*at)++ != 'T')
        return FAIL(r, from, "expected a decision such as T0, T0*31 or T0?2");
    if (!read_number(r, at, end, PLUMB_MAX_THREADS - 1, "the thread", &thread))
        return false;
    if (*at < end && **at == '*') {
        ++*at;
        if (!read_number(r, at, end, JOB_STEPS, "the number of steps", &count))
            return false;
    } else if (*at < end && **at == '?') {
        ++*at;
        if (!read_number(r, at, end, UINT8_MAX, "the option", &option))
            return false;
    }
    const bool round = *at < end && **at == '~';
    *at += round;
    if (*at < end && **at != ' ')
        return FAIL(r, *at, "expected a decision such as T0, T0*31 or T0?2");
    const struct job_step step = { .thread = (uint8_t)thread,
                                   .option = (uint8_t)option };
    return add_steps_of(r, from, step, count, round);
}

static bool read_decisions(struct reading *r, const char *end)
{
    const char *at = r->line;
    while (at < end) {
        if (*at == ' ')
            at++;
        else if (!read_decision(r, &at, end))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

/* The next line is [r->line, *end); false if there is none. */
static bool next_line(struct reading *r, const char **end)
{
    if (r->at == r->end)
        return false;
    r->line = r->at;
    r->number++;
    const char *const newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    *end = newline ? newline : r->end;
    if (*end > r->line && (*end)[-1] == '\r')
        --*end; /* no value ends with one: it would be written as \x0d */
    r->at = newline ? newline + 1 : r->end;
    return true;
}

static bool read_first(struct reading *r)
{
    const char *end = NULL;
    const size_t size = sizeof first_line - 1;
    if (next_line(r, &end) && (size_t)(end - r->line) == size &&
        memcmp(r->line, first_line, size) == 0)
        return true;
    if (r->number && (size_t)(end - r->line) > 15 &&
        memcmp(r->line, first_line, 15) == 0)
        return FAIL(r, r->line + 15,
                    "unknown schedule version; this plumb reads version 1");
    r->number = 1;
    r->line = r->at;
    return FAIL(r, r->line,
                "not a schedule: the first line is not \"plumb-schedule 1\"");
}

static bool has_all(struct reading *r)
{
    static const enum key wanted[] = { KEY_TARGET, KEY_CALLS, KEY_STEPS };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!(r->seen >> wanted[i] & 1)) {
            r->line = r->at;
            r->number++;
            return FAIL(r, r->line, "there is no `%s` line",
                        key_name[wanted[i]]);
        }
    return true;
}

static bool read_all(struct reading *r)
{
    const char *end;
    if (!read_first(r))
        return false;
    while (!(r->seen >> KEY_STEPS & 1) && next_line(r, &end))
        if (end > r->line && !read_key(r, end))
            return false;
    if (!has_all(r))
        return false;
    if (!explore_schedule_make_room(r->s, r->steps)) {
        plumb_base_fail_memory(r->err);
        return false;
    }
    while (next_line(r, &end))
        if (!read_decisions(r, end))
            return false;
    if (r->s->length == r->steps && r->s->cycle <= r->steps)
        return true;
    if (r->s->length == r->steps)
        return FAIL(r, r->line, "the cycle is longer than the schedule");
    r->line = r->at;
    r->number++;
    return FAIL(r, r->line,
                "the schedule ends after %" PRIu32 " of %" PRIu32 " steps",
                r->s->length, r->steps);
}

bool explore_schedule_make_room(struct explore_schedule *s, uint32_t steps)
{
    s->step = calloc((size_t)steps + 1, sizeof *s->step);
    s->switched = calloc((size_t)steps + 1, sizeof *s->switched);
    return s->step && s->switched;
}

enum plumb_status explore_schedule_parse(struct explore_schedule *s,
                                         const char *text, size_t size,
                                         struct plumb_error *err)
{
    struct reading r = { .s = s, .at = text, .end = text + size, .err = err };
    *s = (struct explore_schedule){ .random = 2 };
    return read_all(&r) ? PLUMB_OK : err->status;
}

void explore_schedule_release(struct explore_schedule *s)
{
    console_wordlist_release(&s->flags);
    console_wordlist_release(&s->arguments);
    free(s->step);
    free(s->switched);
    *s = (struct explore_schedule){ .length = 0 };
}
