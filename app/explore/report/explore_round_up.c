/* explore_round_up.c - see explore_round_up.h. */
#include "explore_round_up.h"

#include "base/spelling.h"
#include "explore_words.h"
#include <inttypes.h>

/* "6 histories", "1 history" */
static void add_histories(uint64_t count, const char *what,
                          struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%" PRIu64 " %shistor%s", count, what,
                           count == 1 ? "y" : "ies");
}

static void add_number(uint64_t count, const char *what,
                       struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%" PRIu64 " %s%s", count, what,
                           plumb_base_plural(count));
}

static void add_phase_1(const struct explore_round_up_totals *t,
                        struct plumb_base_text *out)
{
    plumb_base_text_add(out, "Phase 1: ");
    add_histories(t->counts.serial, "legal sequential ", out);
    plumb_base_text_printf(out, " of %s", t->golden);
    if (t->counts.serial_again)
        plumb_base_text_printf(out, ", %" PRIu64 " like another",
                               t->counts.serial_again);
    plumb_base_text_add(out, ".");
}

static void add_phase_2(const struct exploration *e,
                        const struct explore_round_up_totals *t,
                        struct plumb_base_text *out)
{
    const struct plumb_quasi_counts *const c = &t->counts;
    plumb_base_text_add(out, "Phase 2: ");
    add_histories(c->histories, "", out);
    plumb_base_text_printf(
        out, " of %" PRIu64 " execution%s, %" PRIu64 " wrong; ", t->executions,
        plumb_base_plural(t->executions), c->wrong);
    add_number(c->sequentializations, "sequentialization", out);
    if (c->sequentializations_again)
        plumb_base_text_printf(out, ", %" PRIu64 " like another",
                               c->sequentializations_again);
    plumb_base_text_add(out, "; ");
    add_number(c->permutations, "permutation", out);
    plumb_base_text_printf(out, " of %s with K = %u",
                           e->with->permute ? "all operations" : "the removals",
                           e->factor);
    if (c->permutations_again)
        plumb_base_text_printf(out, ", %" PRIu64 " like another",
                               c->permutations_again);
    plumb_base_text_add(out, ".");
}

void explore_add_round_up(const struct exploration *e,
                          const struct explore_round_up_totals *t,
                          struct plumb_base_text *out)
{
    struct plumb_base_text line;
    if (!t)
        return;
    plumb_base_text_init(&line, NULL);
    add_phase_1(t, &line);
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_clear(&line);
    add_phase_2(e, t, &line);
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_release(&line);
}

void explore_json_round_up(const struct exploration *e,
                           const struct explore_round_up_totals *t,
                           struct plumb_base_text *out)
{
    if (!t)
        return;
    const struct plumb_quasi_counts *const c = &t->counts;
    plumb_report_json_begin("round_up", '{', out);
    plumb_report_json_text("golden", t->golden, out);
    plumb_report_json_text("permuted", e->with->permute ? "all" : "removals",
                           out);
    plumb_report_json_number("k", e->factor, out);
    plumb_report_json_number("serial", c->serial, out);
    plumb_report_json_number("serial_again", c->serial_again, out);
    plumb_report_json_number("executions", t->executions, out);
    plumb_report_json_number("histories", c->histories, out);
    plumb_report_json_number("wrong", c->wrong, out);
    plumb_report_json_number("sequentializations", c->sequentializations, out);
    plumb_report_json_number("sequentializations_again",
                             c->sequentializations_again, out);
    plumb_report_json_number("permutations", c->permutations, out);
    plumb_report_json_number("permutations_again", c->permutations_again, out);
    plumb_base_text_add(out, "}");
}

void explore_add_accepted(const struct exploration *e,
                          struct plumb_base_text *out)
{
    plumb_base_text_add(out, "\n");
    explore_wrapped_line(
        e,
        "No sequentialization of this history, and no permutation of one, is a "
        "legal sequential history of the test.",
        out);
    struct plumb_base_text line;
    plumb_base_text_init(&line, NULL);
    plumb_base_text_printf(&line,
                           "%s accepts it: without --algorithm round-up this "
                           "is no violation (see docs/relaxed-objects.md).",
                           plumb_spec_text(e->spec));
    explore_wrapped_line(e, plumb_base_text_string(&line), out);
    plumb_base_text_release(&line);
}
