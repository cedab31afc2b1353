/* verdict.c - one result line, and indented details. */
#include "verdict.h"

#include "base/spelling.h"
#include "timeline.h"
#include "wrap.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

enum {
    INDENT = 2,
    HEADING = 7,       /* columns of "why", "stuck", ... */
    MAX_LISTED = 40,   /* operations of an order */
    MAX_PLACES = 12,   /* operations whose lines are given */
    MAX_FORGOTTEN = 12 /* operations that are named */
};

const char *plumb_report_undecided_reason(const struct plumb_answer *a)
{
    if (a->unverified)
        return "unverified";
    if (a->unknown)
        return "unknown";
    switch (a->why) {
    case PLUMB_OK:
        return "no monitor";
    case PLUMB_ETIME:
        return "time";
    case PLUMB_EMEMORY:
        return "memory";
    default:
        return "interrupted";
    }
}

const char *plumb_report_algorithm_name(enum plumb_algorithm a)
{
    static const char *const name[] = {
        [PLUMB_ALGORITHM_AUTO] = "monitor and search",
        [PLUMB_ALGORITHM_SEARCH] = "search",
        [PLUMB_ALGORITHM_WING_GONG] = "wing-gong",
        [PLUMB_ALGORITHM_MONITOR] = "monitor",
    };
    return name[a];
}

/* ---- paragraphs ---- */

/* Each line of `lines` is a paragraph.  The heading stands before the first,
 * in a column of its own; without a heading there is no such column. */
static void wrap(const char *heading, const struct plumb_base_text *lines,
                 const struct plumb_report_style *style,
                 struct plumb_base_text *out)
{
    char head[INDENT + HEADING + 1];
    const int size = snprintf(head, sizeof head, "%*s%-*s", INDENT, "",
                              heading ? HEADING : 0, heading ? heading : "");
    plumb_report_wrap_lines(head, lines, (size_t)size, style, out);
}

/* ---- parts of the report ---- */

static void tell_how(const struct plumb_report_subject *s,
                     struct plumb_base_text *out)
{
    const struct plumb_answer *const a = s->answer;
    /* Wing and Gong's keeps no configurations: it counts steps. */
    const bool plain = a->algorithm == PLUMB_ALGORITHM_WING_GONG;
    const uint64_t count = plain ? a->steps : a->configurations;
    plumb_report_label_line(s->spec ? s->spec : "any specification", out);
    if (a->monitored)
        plumb_base_text_printf(out, ", monitor: %" PRIu32 " part%s",
                               a->monitored, plumb_base_plural(a->monitored));
    else if (a->algorithm == PLUMB_ALGORITHM_MONITOR)
        plumb_base_text_add(out, ", monitor");
    if (a->algorithm != PLUMB_ALGORITHM_MONITOR)
        plumb_base_text_printf(
            out, ", %s: %" PRIu32 " part%s, %" PRIu64 " %s%s",
            plain ? "Wing and Gong's search" : "general search",
            a->parts - a->monitored, plumb_base_plural(a->parts - a->monitored),
            count, plain ? "step" : "configuration", plumb_base_plural(count));
    if (a->declined)
        plumb_base_text_printf(out, " (no monitor: %s)", a->declined);
    plumb_base_text_add(out, "\n");
}

static void tell_core_size(const struct plumb_report_subject *s,
                           struct plumb_base_text *out)
{
    const struct plumb_answer *const a = s->answer;
    const uint32_t n = a->core.count, all = s->history->count;
    if (n == 0 || s->observed) /* no core was asked for */
        return;
    if (n == 1 && all == 1)
        plumb_base_text_add(out, "this operation alone is a violation\n");
    else if (n == 1)
        plumb_base_text_printf(
            out, "1 of %" PRIu32 " operations alone is a violation\n", all);
    else if (n < all)
        plumb_base_text_printf(
            out, "these %" PRIu32 " of %" PRIu32 " operations", n, all);
    else
        plumb_base_text_printf(out, "these %" PRIu32 " operations", n);
    if (n > 1)
        plumb_base_text_printf(out, " alone are a violation; %s\n",
                               a->minimal ? "nothing can be left out"
                                          : "fewer may suffice");
}

/* The line that the event of this rank was read from; 0: not known. */
static uint32_t line_of(const struct plumb_history *h, uint32_t rank)
{
    for (uint32_t i = 0; h->origin && i < h->count; i++) {
        if (h->op[i].call == rank)
            return h->origin[2 * (size_t)i].line;
        if (h->op[i].resp == rank)
            return h->origin[2 * (size_t)i + 1].line;
    }
    return 0;
}

static void tell_event(const struct plumb_history *h, uint32_t rank,
                       struct plumb_base_text *out)
{
    const uint32_t line = line_of(h, rank);
    plumb_base_text_printf(out, "event %" PRIu32, rank + 1);
    if (line)
        plumb_base_text_printf(out, " (line %" PRIu32 ")", line);
}

/* When did it become one? */
static void tell_since(const struct plumb_report_subject *s,
                       struct plumb_base_text *out)
{
    const struct plumb_answer *const a = s->answer;
    if (a->core.count == 0 || a->core.count == s->history->count)
        return; /* all there is to see is seen */
    if (a->maybe == a->sure) {
        plumb_base_text_add(out, "became a violation at ");
    } else {
        plumb_base_text_add(out, "became a violation between ");
        tell_event(s->history, a->maybe, out);
        plumb_base_text_add(out, " and ");
    }
    tell_event(s->history, a->sure, out);
    plumb_base_text_add(out, "\n");
}

static void tell_object(const struct plumb_report_subject *s,
                        const struct plumb_report_style *style,
                        struct plumb_base_text *out)
{
    const struct plumb_history *const h = s->history;
    if (h->objects < 2 || s->answer->core.count == 0)
        return;
    size_t size;
    const char *const name =
        plumb_symbol_text(h->symbols, h->object[s->answer->core.object], &size);
    plumb_base_text_add(out, "object ");
    plumb_report_label_text(style, name, size, PLUMB_VALUE_COLUMNS, out);
    plumb_base_text_add(out, "\n");
}

static uint32_t count_forgotten(const struct plumb_report_scene *scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->count; i++)
        count += plumb_report_scene_forgets(scene, i);
    return count;
}

/* Operations whose responses the core forgets: any response would do. */
static void tell_forgotten(const struct plumb_report_scene *scene,
                           const struct plumb_report_style *style,
                           struct plumb_base_text *out)
{
    struct plumb_base_text t = { .budget = out->budget };
    const uint32_t all = count_forgotten(scene);
    uint32_t count = 0;
    if (!all)
        return;
    plumb_base_text_add(&t, "this is a violation whatever ");
    for (uint32_t i = 0; i < scene->count; i++) {
        if (!plumb_report_scene_forgets(scene, i) || count++ >= MAX_FORGOTTEN)
            continue;
        plumb_base_text_add(&t, count == 1     ? ""
                                : count == all ? " and "
                                               : ", ");
        plumb_report_scene_letter(i, &t);
    }
    if (all > MAX_FORGOTTEN)
        plumb_base_text_printf(&t, " and %" PRIu32 " others",
                               all - MAX_FORGOTTEN);
    plumb_base_text_add(&t, all == 1 ? " returns" : " return");
    wrap("open", &t, style, out);
    plumb_base_text_release(&t);
}

static void tell_place(const struct plumb_report_scene *scene, uint32_t i,
                       struct plumb_base_text *out)
{
    const struct plumb_origin *const at =
        scene->h->origin + 2 * (size_t)scene->op[i];
    plumb_report_scene_letter(i, out);
    plumb_base_text_printf(out, " %" PRIu32, at[0].line);
    if (plumb_report_scene_op(scene, i)->resp != PLUMB_NEVER && at[1].line &&
        at[1].line != at[0].line)
        plumb_base_text_printf(out, "-%" PRIu32, at[1].line);
}

/* Where the operations stand in the file. */
static void tell_places(const struct plumb_report_scene *scene,
                        const struct plumb_report_style *style,
                        struct plumb_base_text *out)
{
    struct plumb_base_text t = { .budget = out->budget };
    if (!scene->h->origin)
        return;
    for (uint32_t i = 0; i < scene->count && i < MAX_PLACES; i++) {
        plumb_base_text_add(&t, i ? ", " : "");
        tell_place(scene, i, &t);
    }
    if (scene->count > MAX_PLACES)
        plumb_base_text_add(&t, style->ascii ? ", ..." : ", …");
    wrap("lines", &t, style, out);
    plumb_base_text_release(&t);
}

static void tell_reasons(const struct plumb_report_subject *s,
                         const struct plumb_report_scene *scene,
                         const struct plumb_report_style *style,
                         struct plumb_base_text *out)
{
    struct plumb_base_text t = { .budget = out->budget };
    if (s->spec && !s->user_spec &&
        plumb_report_explain_why(scene, s->spec, style, &t))
        wrap("why", &t, style, out);
    plumb_base_text_clear(&t);
    if (s->replay && plumb_report_explain_stuck(scene, s->replay, style, &t))
        wrap("stuck", &t, style, out);
    out->broken |= t.broken;
    plumb_base_text_release(&t);
}

static void tell_core(const struct plumb_report_subject *s,
                      const struct plumb_report_style *style,
                      struct plumb_base_text *out)
{
    const struct plumb_report_scene scene =
        plumb_report_scene_of_core(s->history, &s->answer->core);
    plumb_base_text_add(out, "\n");
    plumb_report_timeline(&scene, style, INDENT, out);
    plumb_base_text_add(out, "\n");
    tell_reasons(s, &scene, style, out);
    tell_forgotten(&scene, style, out);
    tell_places(&scene, style, out);
}

/* ---- linearizable ---- */

/* Operation `op` of the history is which of the scene? */
static uint32_t index_in(const struct plumb_report_scene *scene, uint32_t op)
{
    uint32_t low = 0, high = scene->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (scene->op[middle] < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list_order(const struct plumb_answer *a,
                       const struct plumb_report_scene *scene,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *t)
{
    const bool drawn = scene->count <= PLUMB_TIMELINE_OPERATIONS;
    for (uint32_t k = 0; k < a->order_count && k < MAX_LISTED; k++) {
        plumb_base_text_add(t, k ? " " : "");
        if (drawn)
            plumb_report_scene_letter(index_in(scene, a->order[k]), t);
        else
            plumb_report_label_op(style, scene->h, scene->h->op + a->order[k],
                                  PLUMB_LABEL_ANSWER, t);
    }
    if (a->order_count > MAX_LISTED)
        plumb_base_text_printf(
            t, " %s and %" PRIu32 " more; --witness FILE writes all",
            style->ascii ? "..." : "…", a->order_count - MAX_LISTED);
    if (a->order_count == 0)
        plumb_base_text_add(t,
                            "empty: no operation needs to have taken effect");
}

static void tell_order(const struct plumb_report_subject *s,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    struct plumb_base_arena arena = { .budget = out->budget };
    struct plumb_report_scene scene;
    struct plumb_base_text t = { .budget = out->budget };
    if (plumb_report_scene_of_history(s->history, &arena, &scene)) {
        if (scene.count && scene.count <= PLUMB_TIMELINE_OPERATIONS) {
            plumb_base_text_add(out, "\n");
            plumb_report_timeline(&scene, style, INDENT, out);
            plumb_base_text_add(out, "\n");
        }
        list_order(s->answer, &scene, style, &t);
        wrap("order", &t, style, out);
    } else {
        out->broken = true;
    }
    plumb_base_text_release(&t);
    plumb_base_arena_release(&arena);
}

/* ---- undecided ---- */

static void advise_memory(uint64_t bytes, struct plumb_base_text *out)
{
    const uint64_t more = bytes * 4;
    const uint64_t mebi = (uint64_t)1 << 20, gibi = (uint64_t)1 << 30;
    if (bytes == 0)
        plumb_base_text_add(out, "; use a machine with more memory");
    else if (more >= gibi)
        plumb_base_text_printf(out, "; try --memory %" PRIu64 "G",
                               (more + gibi - 1) / gibi);
    else
        plumb_base_text_printf(out, "; try --memory %" PRIu64 "M",
                               (more + mebi - 1) / mebi);
}

static void advise(const struct plumb_report_subject *s,
                   struct plumb_base_text *out)
{
    const enum plumb_status why = s->answer->why;
    if (why == PLUMB_EMEMORY)
        advise_memory(s->memory_bytes, out);
    else if (why == PLUMB_ETIME)
        plumb_base_text_printf(out, "; try --timeout %" PRIu64,
                               s->timeout_seconds ? s->timeout_seconds * 10
                                                  : (uint64_t)60);
}

static void tell_how_far(const struct plumb_report_subject *s,
                         struct plumb_base_text *out)
{
    const struct plumb_answer *const a = s->answer;
    if (a->unverified)
        plumb_base_text_add(
            out, "found an answer, but could not certify it within the limits");
    else
        plumb_base_text_printf(
            out, "linearized the first %" PRIu32 " of %" PRIu32 " events",
            a->prefix, s->history->events);
    if (a->unknown)
        plumb_base_text_add(
            out, "; the specification does not know what may follow");
    advise(s, out);
    plumb_base_text_add(out, "\n");
}

/* ---- */

static void tell_error(const struct plumb_report_subject *s,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    const struct plumb_report_palette *const c =
        plumb_report_style_palette(style);
    const struct plumb_error *const e = s->error;
    plumb_report_label_line(s->name, out);
    plumb_base_text_printf(out, ": %serror%s\n", c->red, c->off);
    plumb_base_text_fill(out, ' ', INDENT);
    plumb_report_label_line(s->file ? s->file : s->name, out);
    if (e->line)
        plumb_base_text_printf(out, ":%" PRIu64 ":%" PRIu64, e->line,
                               e->column);
    else if (e->column)
        plumb_base_text_printf(out, ": byte %" PRIu64, e->column);
    plumb_base_text_add(out, ": ");
    plumb_report_label_line(e->message, out);
    plumb_base_text_add(out, "\n");
}

static void tell_result(const struct plumb_report_subject *s,
                        const struct plumb_report_style *style,
                        struct plumb_base_text *out)
{
    const struct plumb_report_palette *const c =
        plumb_report_style_palette(style);
    const enum plumb_verdict v = s->answer->verdict;
    plumb_report_label_line(s->name, out);
    plumb_base_text_printf(out, ": %s%s%s",
                           v == PLUMB_LINEARIZABLE       ? c->green
                           : v == PLUMB_NOT_LINEARIZABLE ? c->red
                                                         : c->yellow,
                           plumb_report_verdict_name(v), c->off);
    if (v == PLUMB_UNDECIDED)
        plumb_base_text_printf(out, " (%s)",
                               plumb_report_undecided_reason(s->answer));
    plumb_base_text_add(out, "\n");
}

/* The facts that stand right below the result. */
static void tell_facts(const struct plumb_report_subject *s,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    struct plumb_base_text t = { .budget = out->budget };
    if (s->answer->verdict == PLUMB_UNDECIDED)
        tell_how_far(s, &t);
    tell_how(s, &t);
    if (s->answer->verdict == PLUMB_NOT_LINEARIZABLE) {
        tell_core_size(s, &t);
        tell_since(s, &t);
        tell_object(s, style, &t);
    }
    wrap(NULL, &t, style, out);
    plumb_base_text_release(&t);
}

void plumb_report_verdict(const struct plumb_report_subject *s,
                          const struct plumb_report_style *style,
                          enum plumb_report_detail detail,
                          struct plumb_base_text *out)
{
    if (s->error) {
        tell_error(s, style, out);
        return;
    }
    const enum plumb_verdict v = s->answer->verdict;
    tell_result(s, style, out);
    if (detail == PLUMB_DETAIL_QUIET ||
        (detail == PLUMB_DETAIL_USUAL && v == PLUMB_LINEARIZABLE))
        return;
    tell_facts(s, style, out);
    if (v == PLUMB_NOT_LINEARIZABLE && s->answer->core.count)
        tell_core(s, style, out);
    else if (v == PLUMB_LINEARIZABLE)
        tell_order(s, style, out);
}
