/* verify_report.c - the verdict about an assertion, for people. */
#include "verify_report.h"

#include "app/check/check_report.h"
#include "base/arena.h"
#include "base/spelling.h"
#include "report/timeline.h"
#include "report/wrap.h"
#include "verify_formula.h"
#include "verify_growth.h"
#include "verify_history.h"
#include "verify_reason.h"
#include "verify_steps.h"
#include <inttypes.h>
#include <string.h>

enum { INDENT = 2 };

static bool is_equivalence(const struct plumb_refine_judgement *j)
{
    return j->assertion->kind == PLUMB_ASSERT_EQUAL;
}

static bool is_refinement(const struct plumb_refine_judgement *j)
{
    return j->spec.graph && !is_equivalence(j);
}

bool verify_went_wrong(const struct plumb_refine_judgement *j,
                       const struct plumb_error *err)
{
    return !j->decided &&
           (err->status == PLUMB_EINPUT || err->status == PLUMB_EBUG);
}

/* Where a failure proves nothing: points were marked, or processes counted. */
const char *verify_doubt(const struct plumb_refine_judgement *j)
{
    if (j->holds)
        return NULL;
    if (j->assertion->points)
        return "the marked linearization points fail; others may work";
    if (j->impl.system && plumb_csp_system_is_abstract(j->impl.system))
        return "|||{..} over-approximates; this counterexample may be "
               "impossible";
    return NULL;
}

static void add_undecided(const struct plumb_report_style *style,
                          const char *why, struct plumb_base_text *out)
{
    const struct plumb_report_palette *const p =
        plumb_report_style_palette(style);
    plumb_base_text_printf(out, "%sundecided%s (%s)\n", p->yellow, p->off, why);
}

static void add_verdict(const struct plumb_report_style *style,
                        const struct plumb_refine_judgement *j,
                        const struct plumb_error *err,
                        struct plumb_base_text *out)
{
    const struct plumb_report_palette *const p =
        plumb_report_style_palette(style);
    const char *const doubt = j->decided ? verify_doubt(j) : err->message;
    if (!j->decided || doubt)
        add_undecided(style, doubt, out);
    else if (j->holds)
        plumb_base_text_printf(out, "%sholds%s\n", p->green, p->off);
    else
        plumb_base_text_printf(out, "%sviolated%s\n", p->red, p->off);
}

/* ---- how much was looked at ---- */

static const char *up_to(const struct plumb_refine_judgement *j)
{
    return !j->symmetrically      ? ""
           : j->symmetric.renamed ? " up to renaming processes"
                                  : " up to the order of equal processes";
}

static void add_refinement_size(const struct plumb_refine_judgement *j,
                                struct plumb_base_text *out)
{
    const struct plumb_refinement *const r = &j->refinement;
    plumb_base_text_printf(
        out, "  %" PRIu32 " state%s%s, specification %" PRIu32, r->impl_states,
        plumb_base_plural(r->impl_states), up_to(j), r->spec_states);
    /* With symmetry they are those of graphs in which renaming is a step. */
    if (r->impl_blocks && !j->symmetrically)
        plumb_base_text_printf(out, "; %" PRIu32 " and %" PRIu32 " classes",
                               r->impl_blocks, r->spec_blocks);
    if (j->decided && r->both_ways)
        plumb_base_text_add(
            out, "\n  branching bisimilar: refinement holds both ways");
    else if (r->pairs)
        plumb_base_text_printf(out, "; %" PRIu64 " pair%s", r->pairs,
                               plumb_base_plural(r->pairs));
    plumb_base_text_add(out, "\n");
}

static void add_equivalence_size(const struct plumb_refine_judgement *j,
                                 struct plumb_base_text *out)
{
    const struct plumb_refine_equivalence *const e = &j->equivalence;
    plumb_base_text_printf(out, "  %" PRIu32 " and %" PRIu32 " states",
                           plumb_csp_graph_states(j->impl.graph),
                           plumb_csp_graph_states(j->spec.graph));
    if (e->blocks[1])
        plumb_base_text_printf(out, ", %" PRIu32 " and %" PRIu32 " classes",
                               e->blocks[0], e->blocks[1]);
    plumb_base_text_add(out, "\n");
}

static void add_more(const struct verify_settings *s,
                     const struct plumb_error *err, struct plumb_base_text *out)
{
    if (err->status == PLUMB_EMEMORY && s->memory)
        plumb_base_text_printf(out, "--memory %zuM, or ",
                               (s->memory >> 20) * 4 + 4);
    else if (err->status == PLUMB_ETIME)
        plumb_base_text_printf(out, "a longer --timeout%s, or ",
                               s->timeout_each ? "-each" : "");
    plumb_base_text_add(out, "smaller constants (-D NAME=VALUE)\n");
}

/* What would decide what was left open, the cheapest first. */
static void add_advice(const struct verify_settings *s,
                       const struct plumb_refine_judgement *j,
                       const struct plumb_error *err,
                       struct plumb_base_text *out)
{
    if (j->decided) {
        plumb_base_text_add(
            out, j->assertion->points
                     ? "  try the assertion without `points`\n"
                     : "  try a fixed number of processes, such as |||{3}\n");
        return;
    }
    if (j->unverified)
        plumb_base_text_printf(
            out, "  found that the assertion %s, but %s to verify this\n",
            j->holds ? "holds" : "is violated",
            err->status == PLUMB_ETIME ? "no time was left"
                                       : "no memory was left");
    else
        plumb_base_text_printf(out, "  %s so far\n",
                               j->assertion->kind == PLUMB_ASSERT_REACHES
                                   ? "not reached"
                                   : "no violation");
    if (!j->unverified)
        verify_growth(j, out);
    plumb_base_text_add(out, "  try ");
    add_more(s, err, out);
}

static void add_size(const struct plumb_refine_judgement *j,
                     struct plumb_base_text *out)
{
    if (is_refinement(j))
        add_refinement_size(j, out);
    else if (is_equivalence(j) && j->spec.graph)
        add_equivalence_size(j, out);
    else if (j->impl.graph)
        plumb_base_text_printf(
            out, "  %" PRIu32 " state%s%s, %" PRIu64 " transition%s\n",
            j->states, plumb_base_plural(j->states), up_to(j), j->transitions,
            plumb_base_plural(j->transitions));
    if (j->believed)
        plumb_base_text_add(
            out,
            "  not verified: the formula is too large to verify the answer\n");
    if (j->vacuous_event)
        plumb_base_text_printf(out, "  note: %s never happens\n",
                               j->vacuous_event);
    for (uint32_t i = 0; j->progress.callers && i < j->assertion->clients; i++)
        if (!(j->progress.callers >> i & 1))
            plumb_base_text_printf(out, "  note: client %u never calls\n",
                                   (unsigned)i);
}

/* Fixed words and order, for comparing with other tools. */
static void add_counts(const struct verify_settings *s,
                       const struct plumb_refine_judgement *j,
                       struct plumb_base_text *out)
{
    uint64_t states = 0, transitions = 0;
    if (is_refinement(j)) {
        states = j->refinement.pairs;
        transitions = j->refinement.transitions;
    } else if (j->impl.graph) {
        states = j->states;
        transitions = j->transitions;
    }
    plumb_base_text_printf(
        out, "  counted as %s: %" PRIu64 " states, %" PRIu64 " transitions\n",
        s->counting == PLUMB_COUNT_PAT2 ? "pat2" : "pat3", states, transitions);
}

/* ---- what was found ---- */

static void add_timeline(struct plumb_refine_judgement *j,
                         const struct plumb_report_style *style,
                         struct plumb_base_text *out)
{
    struct plumb_history h;
    struct verify_pairing pairing;
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    if (!verify_history(j, &h, &pairing))
        return;
    plumb_base_arena_init(&arena, NULL);
    if ((pairing.pairs || j->assertion->kind == PLUMB_ASSERT_LINEARIZABLE) &&
        plumb_report_scene_of_history(&h, &arena, &scene)) {
        plumb_base_text_add(out, "\n");
        plumb_report_timeline(&scene, style, INDENT, out);
    }
    plumb_base_arena_release(&arena);
    plumb_history_release(&h);
}

bool verify_has_finding(const struct plumb_refine_judgement *j)
{
    const bool reached = j->assertion->kind == PLUMB_ASSERT_REACHES && j->holds;
    return j->decided && (!j->holds || reached) && j->impl.system;
}

/* P() or Q() of the text of the assertion. */
static void add_side(const struct plumb_refine_judgement *j, bool second,
                     struct plumb_base_text *out)
{
    const char *const text = j->assertion->text, *const sign =
                                                     strchr(text, '=');
    const char *begin = second ? sign + 1 : text;
    const char *end = second ? text + strlen(text) : sign;
    begin += strspn(begin, " ");
    while (end > begin && end[-1] == ' ')
        end--;
    plumb_base_text_bytes(out, begin, (size_t)(end - begin));
}

static void add_who_satisfies(const struct plumb_refine_judgement *j,
                              struct plumb_base_text *out)
{
    plumb_base_text_add(out, "  ");
    add_side(j, j->equivalence.second, out);
    plumb_base_text_add(out, " satisfies this formula, and ");
    add_side(j, !j->equivalence.second, out);
    plumb_base_text_add(
        out, " does not (<e> F: hidden steps and then e can lead to F):\n");
}

/* Long ones are cut, unless everything is asked for. */
static void add_formula(const struct verify_settings *s,
                        const struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    enum { LONG_LINE = 400, MANY_LINES = 8 };
    struct plumb_base_text text;
    unsigned lines = 0;
    plumb_base_text_init(&text, NULL);
    verify_formula(j, &text);
    for (const char *at = plumb_base_text_string(&text); *at; lines++) {
        const size_t size = strcspn(at, "\n");
        const bool cut = !s->verbose && size > LONG_LINE;
        if (s->verbose || lines < MANY_LINES) {
            plumb_base_text_add(out, "    ");
            plumb_base_text_bytes(out, at, cut ? LONG_LINE : size);
            plumb_base_text_add(out,
                                cut ? " ...; --verbose shows it all\n" : "\n");
        }
        at += size + 1;
    }
    if (!s->verbose && lines > MANY_LINES)
        plumb_base_text_printf(out, "    %u more names; --verbose shows them\n",
                               lines - MANY_LINES);
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_finding(struct plumb_refine_judgement *j,
                        struct plumb_base_text *out)
{
    if (j->assertion->optimise && j->holds)
        plumb_base_text_printf(out, "  %s value: %" PRId64 "\n",
                               j->assertion->optimise < 0 ? "least" : "largest",
                               j->examination.best);
    if (is_equivalence(j))
        add_who_satisfies(j, out);
    else
        verify_reason(j, out);
}

static void add_way(const struct verify_settings *s,
                    struct plumb_refine_judgement *j,
                    const struct plumb_report_style *style,
                    struct plumb_base_text *out)
{
    if (j->length == 0 && !verify_is_ambiguous(j))
        return;
    if (j->length)
        add_timeline(j, style, out);
    plumb_base_text_add(out, "\n");
    verify_steps(j, style, s->verbose, INDENT, out);
}

static void add_circumstances(const struct verify_settings *s,
                              const struct plumb_refine_judgement *j,
                              const struct plumb_error *err,
                              struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "  %s\n", j->assertion->text);
    add_size(j, out);
    if (!j->decided || verify_doubt(j))
        add_advice(s, j, err, out);
}

/* Lines that fit the screen; where one goes on it is indented further. */
static void add_wrapped(const struct plumb_report_style *style,
                        const struct plumb_base_text *lines,
                        struct plumb_base_text *out)
{
    const char *at = plumb_base_text_string(lines);
    while (*at) {
        const size_t size = strcspn(at, "\n");
        plumb_base_text_fill(out, ' ', INDENT);
        plumb_report_wrap(at + INDENT, size - INDENT, 2 * INDENT, 2 * INDENT,
                          style, out);
        at += size + 1;
    }
    out->broken |= lines->broken;
}

void verify_report(const struct verify_settings *s, const char *subject,
                   struct plumb_refine_judgement *j,
                   const struct plumb_error *err, struct plumb_base_text *out)
{
    const struct plumb_report_style style = check_reporting_style(s->color);
    struct plumb_base_text words;
    if (verify_went_wrong(j, err))
        return;
    plumb_report_label_line(subject, out);
    plumb_base_text_add(out, ": ");
    add_verdict(&style, j, err, out);
    plumb_base_text_init(&words, NULL);
    if (!s->quiet)
        add_circumstances(s, j, err, &words);
    if (s->counts)
        add_counts(s, j, &words);
    if (!s->quiet && verify_has_finding(j))
        add_finding(j, &words);
    add_wrapped(&style, &words, out);
    plumb_base_text_release(&words);
    if (s->quiet || !verify_has_finding(j))
        return;
    if (is_equivalence(j))
        add_formula(s, j, out);
    add_way(s, j, &style, out);
}

void verify_unread(const struct verify_settings *s, const char *subject,
                   const struct plumb_error *err, struct plumb_base_text *out)
{
    const struct plumb_report_style style = check_reporting_style(s->color);
    plumb_report_label_line(subject, out);
    plumb_base_text_add(out, ": ");
    add_undecided(&style, err->message, out);
    if (s->quiet)
        return;
    plumb_base_text_add(out, "  the model was not read completely\n  try ");
    add_more(s, err, out);
}

void verify_report_trouble(const struct verify_settings *s,
                           struct plumb_refine_judgement *j,
                           struct plumb_base_text *out)
{
    const struct plumb_report_style style = check_reporting_style(false);
    if (!j->length || s->quiet || s->json)
        return;
    plumb_base_text_printf(out, "  %s, after these steps%s:\n",
                           j->assertion->text,
                           j->in_specification ? " of the specification" : "");
    verify_steps(j, &style, s->verbose, INDENT, out);
}
