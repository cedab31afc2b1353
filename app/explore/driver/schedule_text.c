/* schedule_text.c - an execution as a text, and back. */
#include "schedule_file.h"

#include "base/fail.h"
#include <inttypes.h>
#include <stddef.h>
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

/* ---- the lines ---- */

enum kind { TEXT, WORDS, YES, CHOICE, NUMBER, POINT, RACE, STEPS };

/* What stands behind a key, and where a schedule keeps it. */
struct key {
    const char *name;
    enum kind kind;
    size_t at, size; /* in struct explore_schedule */
    const char *const *choice;
    uint32_t most; /* ... and the number is called `what` in messages */
    const char *what;
    bool required;
};

#define FIELD(name)                                                            \
    .at = offsetof(struct explore_schedule, name),                             \
    .size = sizeof((struct explore_schedule *)NULL)->name

static const struct key keys[] = {
    { "build-id", TEXT, FIELD(build_id) },
    { "target", TEXT, FIELD(target), .required = true },
    { "flag", WORDS, FIELD(flags) },
    { .name = "program", .kind = YES },
    { "argument", WORDS, FIELD(arguments) },
    { "spec", TEXT, FIELD(spec) },
    { "nondet", TEXT, FIELD(nondet) },
    { "async", TEXT, FIELD(async) },
    { "init", TEXT, FIELD(scenario.init) },
    { "test", TEXT, FIELD(scenario.test) },
    { "final", TEXT, FIELD(scenario.final) },
    { "calls", CHOICE, FIELD(calls), explore_schedule_calls, .required = true },
    { "races", CHOICE, FIELD(races), explore_schedule_races },
    { "reuse", CHOICE, FIELD(reuse), explore_schedule_reuse },
    { "random", NUMBER, FIELD(random), NULL, MOST_RANDOM, "a number" },
    { .name = "point", .kind = POINT },
    { "finding", TEXT, FIELD(finding) },
    { .name = "race", .kind = RACE },
    { "cycle", NUMBER, FIELD(cycle), NULL, JOB_STEPS, "the number of steps" },
    { .name = "steps", .kind = STEPS, .required = true },
};

enum { KEYS = sizeof keys / sizeof *keys, LAST_KEY = KEYS - 1 };

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

static void add_line(struct plumb_base_text *out,
                     const struct explore_schedule *s, const struct key *key)
{
    const void *const field = (const char *)s + key->at;
    const struct console_wordlist *const words = field;
    const char *const text = field;
    const uint32_t *const number = field;
    switch (key->kind) {
    case TEXT:
        if (*text)
            add_value(out, key->name, text);
        break;
    case WORDS:
        for (size_t i = 0; i < words->count; i++)
            add_value(out, key->name, words->word[i]);
        break;
    case YES:
        if (s->program)
            add_value(out, key->name, "yes");
        break;
    case CHOICE:
        add_value(out, key->name, key->choice[*number]);
        break;
    case NUMBER:
        if (*number)
            plumb_base_text_printf(out, "%s %" PRIu32 "\n", key->name, *number);
        break;
    case POINT:
        for (uint32_t i = 0; i < s->points; i++)
            plumb_base_text_printf(out, "point %" PRIu32 "\n", s->point[i]);
        break;
    case RACE:
        if (s->race[0] || s->race[1])
            plumb_base_text_printf(out, "race %" PRIu64 " %" PRIu64 "\n",
                                   s->race[0], s->race[1]);
        break;
    case STEPS:
        plumb_base_text_printf(out, "steps %" PRIu32 "\n", s->length);
        add_steps(out, s);
    }
}

void explore_schedule_print(const struct explore_schedule *s,
                            struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s\n", first_line);
    for (unsigned i = 0; i < KEYS; i++)
        add_line(out, s, &keys[i]);
}

/* ---- reading ---- */

struct reading {
    struct explore_schedule *s;
    const char *at, *end;    /* what is left of the text       */
    const char *line, *stop; /* the line is [line, stop)    */
    uint64_t number;         /* of the line, from 1            */
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
static bool read_number(const struct reading *r, const char **at, uint32_t most,
                        const char *what, uint32_t *number)
{
    const char *const begin = *at;
    uint64_t n = 0;
    for (; *at < r->stop && is_digit(**at) && n <= most; ++*at)
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

static bool read_text(const struct reading *r, const char *at, char *to,
                      size_t size)
{
    size_t used = 0;
    while (at < r->stop) {
        const char *const from = at;
        const char c = *at == '\\' ? unescape(&at, r->stop) : *at++;
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

static bool read_word(const struct reading *r, const char *at,
                      struct console_wordlist *words)
{
    char word[PATH_MAX];
    if (!read_text(r, at, word, sizeof word))
        return false;
    console_wordlist_add(words, word);
    if (!words->broken)
        return true;
    plumb_base_fail_memory(r->err);
    return false;
}

static bool is_word(const char *word, const char *at, const char *end)
{
    return strlen(word) == (size_t)(end - at) &&
           memcmp(word, at, (size_t)(end - at)) == 0;
}

static bool read_choice(const struct reading *r, const char *at,
                        const char *const *choice, uint32_t *which)
{
    for (*which = 0; choice[*which]; ++*which)
        if (is_word(choice[*which], at, r->stop))
            return true;
    char all[64] = "";
    size_t used = 0;
    for (unsigned i = 0; choice[i] && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i ? ", " : "", choice[i]);
    return FAIL(r, at, "expected one of %s", all);
}

static bool read_whole_number(const struct reading *r, const char *at,
                              uint32_t most, const char *what, uint32_t *number)
{
    if (!read_number(r, &at, most, what, number))
        return false;
    return at == r->stop || FAIL(r, at, "unexpected text after the number");
}

static bool read_race(const struct reading *r, const char *at, uint64_t race[2])
{
    uint32_t place[2];
    if (!read_number(r, &at, UINT32_MAX, "a place", &place[0]))
        return false;
    if (at == r->stop || *at != ' ')
        return FAIL(r, at, "a race needs two places");
    if (!read_whole_number(r, at + 1, UINT32_MAX, "a place", &place[1]))
        return false;
    race[0] = place[0];
    race[1] = place[1];
    return true;
}

static bool read_value(struct reading *r, const struct key *key, const char *at)
{
    struct explore_schedule *const s = r->s;
    void *const field = (char *)s + key->at;
    switch (key->kind) {
    case TEXT:
        return read_text(r, at, field, key->size);
    case WORDS:
        return read_word(r, at, field);
    case YES:
        s->program = is_word("yes", at, r->stop);
        return s->program || FAIL(r, at, "expected yes");
    case CHOICE:
        return read_choice(r, at, key->choice, field);
    case NUMBER:
        return read_whole_number(r, at, key->most, key->what, field) &&
               (s->random > 0 || FAIL(r, at, "random must be at least 1"));
    case POINT:
        return s->points < JOB_POINTS
                   ? read_whole_number(r, at, UINT32_MAX, "a place",
                                       &s->point[s->points++])
                   : FAIL(r, r->line, "too many points");
    case RACE:
        return read_race(r, at, s->race);
    default:
        return read_whole_number(r, at, JOB_STEPS, "the number of steps",
                                 &r->steps);
    }
}

static bool is_seen(const struct reading *r, unsigned key)
{
    return r->seen >> key & 1;
}

static bool read_key(struct reading *r)
{
    const char *const blank = memchr(r->line, ' ', (size_t)(r->stop - r->line));
    unsigned n = 0;
    while (n < KEYS && !is_word(keys[n].name, r->line, blank ? blank : r->stop))
        n++;
    if (n == KEYS)
        return FAIL(r, r->line, "unknown key at the start of the line");
    const struct key *const key = &keys[n];
    const bool may_be_empty = strcmp(key->name, "argument") == 0;
    if (!blank || (blank + 1 == r->stop && !may_be_empty))
        return FAIL(r, r->stop, "a value is missing after %s", key->name);
    if (is_seen(r, n) && key->kind != WORDS && key->kind != POINT)
        return FAIL(r, r->line, "%s is given twice", key->name);
    r->seen |= UINT32_C(1) << n;
    return read_value(r, key, blank + 1);
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

/* The character at `*at`, if it is that one; then `*at` moves behind it. */
static bool skip(const struct reading *r, const char **at, char c)
{
    const bool is = *at < r->stop && **at == c;
    *at += is;
    return is;
}

/* T0, T0*31 or T0?2, and perhaps ~ */
static bool read_decision(struct reading *r, const char **at)
{
    const char *const from = *at;
    uint32_t thread = 0, option = 0, count = 1;
    if (!skip(r, at, 'T'))
        return FAIL(r, from, "expected a decision such as T0, T0*31 or T0?2");
    if (!read_number(r, at, PLUMB_MAX_THREADS - 1, "the thread", &thread))
        return false;
    if (skip(r, at, '*')) {
        if (!read_number(r, at, JOB_STEPS, "the number of steps", &count))
            return false;
    } else if (skip(r, at, '?')) {
        if (!read_number(r, at, UINT8_MAX, "the option", &option))
            return false;
    }
    const bool round = skip(r, at, '~');
    if (*at < r->stop && **at != ' ')
        return FAIL(r, *at, "expected a decision such as T0, T0*31 or T0?2");
    const struct job_step step = { .thread = (uint8_t)thread,
                                   .option = (uint8_t)option };
    return add_steps_of(r, from, step, count, round);
}

static bool read_decisions(struct reading *r)
{
    const char *at = r->line;
    while (at < r->stop)
        if (!skip(r, &at, ' ') && !read_decision(r, &at))
            return false;
    return true;
}

/* ---- all of it ---- */

/* False if there is no next line. */
static bool next_line(struct reading *r)
{
    if (r->at == r->end)
        return false;
    const char *const newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->line = r->at;
    r->stop = newline ? newline : r->end;
    r->at = newline ? newline + 1 : r->end;
    r->number++;
    if (r->stop > r->line && r->stop[-1] == '\r')
        r->stop--; /* no value ends with one: it would be written as \x0d */
    return true;
}

/* Something is wrong with what stands behind the last line. */
static void go_to_end(struct reading *r)
{
    r->line = r->at;
    r->number++;
}

static bool read_first(struct reading *r)
{
    enum { UP_TO_VERSION = 15 };
    if (next_line(r) && is_word(first_line, r->line, r->stop))
        return true;
    if (r->number && r->stop - r->line > UP_TO_VERSION &&
        memcmp(r->line, first_line, UP_TO_VERSION) == 0)
        return FAIL(r, r->line + UP_TO_VERSION,
                    "unknown schedule version; this plumb reads version 1");
    r->number = 1;
    r->line = r->at;
    return FAIL(r, r->line,
                "not a schedule: the first line is not \"plumb-schedule 1\"");
}

static bool has_all(struct reading *r)
{
    for (unsigned i = 0; i < KEYS; i++)
        if (keys[i].required && !is_seen(r, i)) {
            go_to_end(r);
            return FAIL(r, r->line, "there is no `%s` line", keys[i].name);
        }
    return true;
}

static bool read_all(struct reading *r)
{
    struct explore_schedule *const s = r->s;
    if (!read_first(r))
        return false;
    while (!is_seen(r, LAST_KEY) && next_line(r))
        if (r->stop > r->line && !read_key(r))
            return false;
    if (!has_all(r))
        return false;
    if (!explore_schedule_make_room(s, r->steps)) {
        plumb_base_fail_memory(r->err);
        return false;
    }
    while (next_line(r))
        if (!read_decisions(r))
            return false;
    if (s->length == r->steps)
        return s->cycle <= r->steps ||
               FAIL(r, r->line, "the cycle is longer than the schedule");
    go_to_end(r);
    return FAIL(r, r->line,
                "the schedule ends after %" PRIu32 " of %" PRIu32 " steps",
                s->length, r->steps);
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
