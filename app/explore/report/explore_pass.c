/* explore_pass.c - no violation was found: how much that means. */
#include "app/explore/trace/explore_interleaving.h"
#include "base/spelling.h"
#include "base/utf8.h"
#include "explore_cycles.h"
#include "explore_memory.h"
#include "explore_places.h"
#include "explore_report.h"
#include "explore_round_up.h"
#include "explore_words.h"
#include "report/json.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PLACES = 8, INDENT = 2, HANGING = 4, LONG = 54 };

/* ---- how far it went ---- */

/* "up to 3 threads x 2 operations" */
static void add_size(const struct explore_scenario_shape *s, bool several,
                     struct plumb_base_text *out)
{
    const bool alike = s->least == s->most;
    plumb_base_text_printf(out, "%s%u thread%s", several ? "up to " : "",
                           s->threads, plumb_base_plural(s->threads));
    plumb_base_text_printf(out, " x %s%u operation%s",
                           several || alike ? "" : "at most ", s->most,
                           plumb_base_plural(s->most));
}

/* Behind a comma and the blank. */
static void add_bound(const struct exploration *e, const char *blank,
                      struct plumb_base_text *out)
{
    if (e->with->bounded)
        plumb_base_text_printf(out, ",%sat most %u preemption%s", blank,
                               e->with->preemptions,
                               plumb_base_plural(e->with->preemptions));
}

/* Nothing is left to run: of what?  "up to 3 threads x 2 operations, at most 2
 * preemptions" */
static void add_extent(const struct exploration *e,
                       const struct explore_totals *t,
                       struct plumb_base_text *out)
{
    if (e->program && e->with->bounded) {
        plumb_base_text_printf(
            out, "every schedule with at most %u preemption%s",
            e->with->preemptions, plumb_base_plural(e->with->preemptions));
        return;
    }
    if (!e->program) {
        add_size(&t->shape, t->scenarios > 1, out);
        add_bound(e, " ", out);
    }
    if (!e->with->bounded)
        plumb_base_text_printf(out, "%sall schedules", e->program ? "" : ", ");
}

/* "9 of 20 tests up to 3x2, at most 2 preemptions, seed 1" */
static void add_scenarios(const struct exploration *e,
                          const struct explore_totals *t,
                          struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "  %u ", t->scenarios);
    if (t->scenarios < t->wanted && !e->with->automatic)
        plumb_base_text_printf(out, "of %u ", t->wanted);
    plumb_base_text_add(out, "tests");
    if (t->scenarios)
        plumb_base_text_printf(out, " up to %ux%u", t->shape.threads,
                               t->shape.most);
    add_bound(e, " ", out);
    plumb_base_text_printf(out, ", seed %" PRIu64 "\n", e->with->seed);
}

/* By states most executions end where another has been, and what is behind is
 * run once: so that their histories are not counted, and not all that differ
 * are run. */
static bool counts_whole_executions(const struct exploration *e)
{
    return e->with->strategy == PLUMB_STATES;
}

static void add_histories(const struct exploration *e, uint64_t count,
                          struct plumb_base_text *out)
{
    const char *const end = count == 1 ? "y" : "ies";
    if (counts_whole_executions(e))
        plumb_base_text_printf(out, ", %" PRIu64 " histor%s run to the end",
                               count, end);
    else
        plumb_base_text_printf(out, ", %" PRIu64 " distinct histor%s", count,
                               end);
}

static void add_count(uint64_t count, struct plumb_base_text *out)
{
    if (count == UINT64_MAX)
        plumb_base_text_add(out, "more than 10^19");
    else
        plumb_base_text_printf(out, "%" PRIu64, count);
}

/* What the object was compared with: itself. */
static void add_serial(const struct exploration *e,
                       const struct explore_totals *t,
                       struct plumb_base_text *out)
{
    const struct explore_serial_totals *const s = &t->serial;
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_add(&line, "Compared with ");
    add_count(s->histories, &line);
    plumb_base_text_printf(&line, " serial histor%s of the object itself",
                           s->histories == 1 ? "y" : "ies");
    if (t->scenarios > 1 && s->most < UINT64_MAX)
        plumb_base_text_printf(&line, ", at most %" PRIu64 " in one test",
                               s->most);
    if (s->stuck) {
        plumb_base_text_add(&line, "; ");
        add_count(s->stuck, &line);
        plumb_base_text_printf(&line, " of them wait%s for ever",
                               s->stuck == 1 ? "s" : "");
    }
    plumb_base_text_add(&line, ".");
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_clear(&line);
    if (s->like[0]) {
        plumb_base_text_printf(&line, "Behaves as %s in %u test%s.", s->like,
                               t->scenarios, plumb_base_plural(t->scenarios));
        explore_wrapped_line(e, plumb_base_text_string(&line), out);
    }
    plumb_base_text_release(&line);
}

static void add_how_far(const struct exploration *e,
                        const struct explore_totals *t,
                        struct plumb_base_text *out)
{
    const char *const why = explore_totals_shortfall(t);
    if (t->wanted > 1)
        add_scenarios(e, t, out);
    const size_t begin = out->size;
    plumb_base_text_printf(out, "  %" PRIu64 " schedule%s", t->executions,
                           plumb_base_plural(t->executions));
    if (t->asleep)
        plumb_base_text_printf(out, " (%" PRIu64 " given up)", t->asleep);
    if (t->states)
        plumb_base_text_printf(out, ", %" PRIu64 " state%s", t->states,
                               plumb_base_plural(t->states));
    if (t->histories)
        add_histories(e, t->histories, out);
    if (!t->exhausted && t->wanted <= 1)
        add_bound(e, out->size - begin > LONG ? "\n    " : " ", out);
    plumb_base_text_add(out, "\n");
    if (why)
        plumb_base_text_printf(out, "  incomplete: %s\n", why);
    if (e->infers)
        add_serial(e, t, out);
}

/* ---- coverage ---- */

/* "title: a, b, c", over as many lines as it takes. */
struct list {
    const char *title;
    struct plumb_base_text *out;
    size_t column; /* 0: it has not begun */
    unsigned width;
};

static struct list list_of(const struct exploration *e, const char *title,
                           struct plumb_base_text *out)
{
    const struct plumb_report_style style = explore_style(e);
    return (struct list){ .title = title,
                          .out = out,
                          .width = plumb_report_style_width(&style) };
}

/* On this line, if it has that much room and some for a comma. */
static void list_put(struct list *l, const char *text, size_t length,
                     size_t room)
{
    const bool fits = l->column + 1 + room + 1 <= l->width;
    if (fits)
        plumb_base_text_add(l->out, " ");
    else
        plumb_base_text_printf(l->out, "\n%*s", HANGING, "");
    plumb_base_text_bytes(l->out, text, length);
    l->column = (fits ? l->column + 1 : HANGING) +
                plumb_base_utf8_columns(text, length);
}

/* Broken between its words only if it is longer than a line. */
static void list_add(struct list *l, const char *item)
{
    size_t room = plumb_base_utf8_columns(item, strlen(item));
    if (l->column)
        plumb_base_text_add(l->out, ",");
    else
        plumb_base_text_printf(l->out, "%*s%s:", INDENT, "", l->title);
    l->column += l->column ? 1 : INDENT + strlen(l->title) + 1;
    while (*item) {
        const size_t length = strcspn(item, " ");
        list_put(l, item, length, room);
        item += length + strspn(item + length, " ");
        room = plumb_base_utf8_columns(item, strcspn(item, " "));
    }
}

static void list_end(struct list *l)
{
    if (l->column)
        plumb_base_text_add(l->out, "\n");
}

static bool overlapped(const struct job_coverage *c, unsigned a, unsigned b)
{
    return c->overlaps[a][b] || c->overlaps[b][a];
}

/* Of two that overlapped, or of two that could have and did not. */
static bool is_listed(const struct explore_totals *t, unsigned a, unsigned b,
                      bool wanted)
{
    return t->apart[a][b] && overlapped(&t->coverage, a, b) == wanted;
}

static void add_pairs(const struct exploration *e,
                      const struct explore_totals *t, bool wanted,
                      const char *title, struct plumb_base_text *out)
{
    struct list list = list_of(e, title, out);
    struct plumb_base_text pair;
    plumb_base_text_init(&pair, NULL);
    for (unsigned a = 0; a < e->what.operations; a++)
        for (unsigned b = a; b < e->what.operations; b++) {
            if (!is_listed(t, a, b, wanted))
                continue;
            plumb_base_text_clear(&pair);
            plumb_report_label_line(e->what.operation[a].name, &pair);
            plumb_base_text_add(&pair, "/");
            plumb_report_label_line(e->what.operation[b].name, &pair);
            list_add(&list, plumb_base_text_string(&pair));
        }
    list_end(&list);
    plumb_base_text_release(&pair);
}

/* Events of one line are one place. */
static void add_places(const struct exploration *e,
                       const struct explore_totals *t,
                       struct plumb_base_text *out)
{
    const struct job_coverage *const c = &t->coverage;
    const uint32_t most = e->with->verbose ? JOB_PLACES : MOST_PLACES;
    struct list list = list_of(e, "never run concurrently", out);
    struct plumb_base_text place[2];
    uint32_t count = 0;
    plumb_base_text_init(&place[0], NULL);
    plumb_base_text_init(&place[1], NULL);
    for (uint32_t i = 0; i < c->places && count <= most; i++) {
        struct plumb_base_text *const now = &place[i % 2];
        if (c->place[i].concurrent)
            continue;
        plumb_base_text_clear(now);
        explore_show_place(e->target->object, c->place[i].offset, now);
        if (!strcmp(plumb_base_text_string(&place[0]),
                    plumb_base_text_string(&place[1])))
            continue;
        list_add(&list, count++ < most ? plumb_base_text_string(now) : "...");
    }
    list_end(&list);
    plumb_base_text_release(&place[0]);
    plumb_base_text_release(&place[1]);
}

/* The next word; false: there is none. */
static bool next_word(const char **at, char word[64])
{
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    snprintf(word, 64, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

/* In no test: it was compared with itself, so that is no doubt. */
static void add_never_returned(const struct exploration *e,
                               const struct explore_totals *t,
                               struct plumb_base_text *out)
{
    struct list list = list_of(e, "never returned", out);
    for (unsigned i = 0; i < e->what.operations; i++)
        if (t->invoked[i] && !t->coverage.returned[i])
            list_add(&list, e->what.operation[i].name);
    list_end(&list);
}

static void add_unseen(const struct exploration *e, struct plumb_base_text *out)
{
    struct list list =
        list_of(e, "calls whose writes to memory are not seen", out);
    const char *at = e->what.unseen;
    char word[64];
    while (next_word(&at, word))
        list_add(&list, word);
    list_end(&list);
}

static void add_coverage(const struct exploration *e,
                         const struct explore_totals *t,
                         struct plumb_base_text *out)
{
    const struct job_coverage *const c = &t->coverage;
    add_pairs(e, t, true, "overlapped", out);
    add_pairs(e, t, false, "never overlapped", out);
    plumb_base_text_printf(out, "  %" PRIu64 " compare-and-swap%s failed\n",
                           c->failed_swaps, plumb_base_plural(c->failed_swaps));
    add_places(e, t, out);
    if (!c->preempted && t->shape.threads > 1)
        plumb_base_text_add(out, "  no thread was ever preempted\n");
    if (e->infers)
        add_never_returned(e, t, out);
    if (t->stuck)
        plumb_base_text_printf(out,
                               "  %" PRIu64
                               " schedule%s waited for ever, as the "
                               "specification allows\n",
                               t->stuck, plumb_base_plural(t->stuck));
    if (t->leaks)
        plumb_base_text_printf(out, "  memory was not freed in %u test%s\n",
                               t->leaks, plumb_base_plural(t->leaks));
}

/* ---- the same as JSON ---- */

static void json_pairs(const struct exploration *e,
                       const struct explore_totals *t, bool wanted,
                       const char *key, struct plumb_base_text *out)
{
    bool any = false;
    plumb_base_text_printf(out, ",\"%s\":[", key);
    for (unsigned a = 0; a < e->what.operations; a++)
        for (unsigned b = a; b < e->what.operations; b++) {
            const char *const name[] = { e->what.operation[a].name,
                                         e->what.operation[b].name };
            if (!is_listed(t, a, b, wanted))
                continue;
            plumb_base_text_add(out, any ? ",[" : "[");
            plumb_report_json_string(name[0], strlen(name[0]), out);
            plumb_base_text_add(out, ",");
            plumb_report_json_string(name[1], strlen(name[1]), out);
            plumb_base_text_add(out, "]");
            any = true;
        }
    plumb_base_text_add(out, "]");
}

static void json_unseen(const struct exploration *e,
                        struct plumb_base_text *out)
{
    const char *at = e->what.unseen;
    char word[64];
    for (unsigned n = 0; next_word(&at, word); n++) {
        plumb_base_text_add(out, n ? "," : ",\"unseen\":[");
        plumb_report_json_string(word, strlen(word), out);
    }
    if (*e->what.unseen)
        plumb_base_text_add(out, "]");
}

static uint64_t places_run_alone(const struct explore_totals *t)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < t->coverage.places; i++)
        count += !t->coverage.place[i].concurrent;
    return count;
}

/* ,"serial":{...}: what the object was compared with. */
static void json_serial(const struct explore_serial_totals *s,
                        struct plumb_base_text *out)
{
    plumb_base_text_printf(
        out,
        ",\"serial\":{\"histories\":%" PRIu64 ",\"most\":%" PRIu64
        ",\"stuck\":%" PRIu64 ",\"blocking\":%u,\"positions\":%" PRIu32,
        s->histories, s->most, s->stuck, s->blocking, s->positions);
    if (s->like[0])
        plumb_report_json_text("like", s->like, out);
    plumb_base_text_add(out, "}");
}

static void json_pass(const struct exploration *e,
                      const struct explore_totals *t, const char *verdict,
                      const char *doubt, struct plumb_base_text *out)
{
    const char *const why = explore_totals_shortfall(t);
    explore_json_begin(e, verdict,
                       *doubt || t->end == JOB_STOPPED ? PLUMB_SAYS_UNDECIDED
                                                       : PLUMB_SAYS_PASS,
                       out);
    if (*doubt)
        plumb_report_json_text("reason", doubt, out);
    if (e->with->quasi.automatic)
        plumb_report_json_number("quasi", e->factor, out);
    plumb_base_text_printf(out, ",\"complete\":%s",
                           t->exhausted ? "true" : "false");
    if (why)
        plumb_report_json_text("ended", why, out);
    plumb_report_json_number("scenarios", t->scenarios, out);
    plumb_report_json_number("wanted", t->wanted, out);
    plumb_report_json_number("seed", e->with->seed, out);
    plumb_report_json_number("threads", t->shape.threads, out);
    plumb_report_json_number("ops", t->shape.most, out);
    if (e->with->bounded)
        plumb_report_json_number("preemptions", e->with->preemptions, out);
    explore_json_memory(e, t, out);
    plumb_report_json_number("executions", t->executions, out);
    plumb_report_json_number("asleep", t->asleep, out);
    plumb_report_json_number("states", t->states, out);
    plumb_report_json_number(
        counts_whole_executions(e) ? "histories_run_to_the_end" : "histories",
        t->histories, out);
    json_pairs(e, t, true, "overlapped", out);
    json_pairs(e, t, false, "never_overlapped", out);
    plumb_report_json_number("failed_swaps", t->coverage.failed_swaps, out);
    plumb_report_json_number("places", t->coverage.places, out);
    plumb_report_json_number("places_run_alone", places_run_alone(t), out);
    if (e->with->verbose || publish_wants(e->with->publication))
        explore_json_places(e, t, out);
    plumb_report_json_number("stuck", t->stuck, out);
    if (e->infers)
        json_serial(&t->serial, out);
    explore_json_cycles(e, &t->cycles, out);
    explore_json_round_up(e, t->round_up, out);
    plumb_report_json_number("leaks", t->leaks, out);
    if (e->program)
        plumb_report_json_number("failed", t->failed, out);
    if (t->assumed)
        plumb_report_json_number("assumed", t->assumed, out);
    if (e->what.chance)
        plumb_report_json_number("random", e->with->random, out);
    json_unseen(e, out);
    if (e->target->unread)
        plumb_base_text_add(out, ",\"assembly_looked_for\":false");
    plumb_base_text_add(out, "}\n");
}

/* ---- no violation ---- */

/* "a, b" behind the verdict. */
static void text_pass(const struct exploration *e,
                      const struct explore_totals *t, const char *verdict,
                      const char *doubt, struct plumb_base_text *out)
{
    const bool passed = !*doubt && t->exhausted;
    struct plumb_base_text what, more;
    plumb_base_text_init(&what, NULL);
    plumb_base_text_init(&more, NULL);
    plumb_base_text_add(&what, verdict);
    if (e->with->quasi.automatic && !*doubt)
        plumb_base_text_printf(&what, " with K = %u", e->factor);
    if (passed && !e->program)
        plumb_base_text_printf(&what, " in %u test%s", t->scenarios,
                               plumb_base_plural(t->scenarios));
    if (*doubt)
        plumb_base_text_add(&more, doubt);
    else if (passed)
        add_extent(e, t, &more);
    else
        plumb_base_text_printf(&more, "%" PRIu64 " schedule%s, incomplete",
                               t->executions, plumb_base_plural(t->executions));
    explore_result_line(e, passed ? "green" : "yellow",
                        plumb_base_text_string(&what),
                        plumb_base_text_string(&more), out);
    plumb_base_text_release(&what);
    plumb_base_text_release(&more);
    if (e->with->quiet)
        return;
    add_how_far(e, t, out);
    if (t->failed)
        plumb_base_text_printf(
            out,
            "  %" PRIu64 " schedule%s ended with an exit status other than 0\n",
            t->failed, plumb_base_plural(t->failed));
    if (t->assumed)
        plumb_base_text_printf(out,
                               "  %" PRIu64 " schedule%s ended at an "
                               "assumption that does not hold\n",
                               t->assumed, plumb_base_plural(t->assumed));
    if (!e->program)
        add_coverage(e, t, out);
    explore_add_cycles(e, &t->cycles, out);
    explore_add_round_up(e, t->round_up, out);
    explore_add_memory(e, t, out);
    if (e->what.chance)
        plumb_base_text_printf(out,
                               "  rand() and similar functions returned one of "
                               "%u number%s; --random for more\n",
                               e->with->random,
                               plumb_base_plural(e->with->random));
    add_unseen(e, out);
    if (e->target->unread)
        plumb_base_text_add(out, "  not searched for inline assembly: objects "
                                 "that plumb cc did not compile\n");
}

static enum console_status status_of(const struct exploration *e,
                                     const struct explore_totals *t,
                                     const char *doubt)
{
    if (*doubt || t->end == JOB_STOPPED)
        return STATUS_UNDECIDED;
    return e->with->require_complete && !t->exhausted ? STATUS_UNDECIDED
                                                      : STATUS_HOLDS;
}

enum console_status explore_report_pass(const struct exploration *e,
                                        const struct explore_totals *t)
{
    struct plumb_base_text out;
    char doubt[256];
    explore_totals_doubt(t, e, doubt);
    if (t->end == JOB_STOPPED && !t->undecided[0])
        doubt[0] = '\0'; /* what was covered says how much */
    const char *const verdict = *doubt         ? "undecided"
                                : t->exhausted ? "no violation"
                                               : "no violation found";
    plumb_base_text_init(&out, NULL);
    if (publish_wants(e->with->publication)) {
        struct explore_settings with;
        const struct exploration as = explore_for_programs(e, &with);
        json_pass(&as, t, verdict, doubt, &out);
        publish_result(with.publication, &out);
        plumb_base_text_clear(&out);
    }
    if (e->with->json)
        json_pass(e, t, verdict, doubt, &out);
    else
        text_pass(e, t, verdict, doubt, &out);
    explore_print(&out);
    plumb_base_text_release(&out);
    return status_of(e, t, doubt);
}
