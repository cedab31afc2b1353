/* rank_histogram.c - see rank_histogram.h. */
#include "rank_histogram.h"

#include "app/console/progress.h"
#include "app/console/say.h"
#include "base/spelling.h"
#include "report/histogram.h"
#include <inttypes.h>
#include <plumb/budget.h>
#include <string.h>

enum { LONGEST_SEARCH = 10000, INDENT = 2 }; /* milliseconds for a history */

static bool draws(const struct check_ranks *r)
{
    return strcmp(r->path, "-") != 0;
}

bool check_ranks_open(struct check_ranks *r, const char *path, bool prints,
                      size_t memory)
{
    *r = (struct check_ranks){ .path = path,
                               .prints = prints,
                               .memory = memory };
    return !path || !draws(r) || console_output_create(&r->svg, path);
}

void check_ranks_add(struct check_ranks *r, const struct plumb_history *h,
                     const struct plumb_spec *spec)
{
    struct plumb_error err = { 0 };
    if (!r->path || r->refused)
        return;
    if (!plumb_check_has_ranks(spec)) {
        r->refused = true;
        console_note("--rank-errors: rank errors are of queues, stacks and "
                     "priority queues, not of %s",
                     plumb_spec_text(spec));
        return;
    }
    struct plumb_budget *const budget =
        plumb_budget_new(LONGEST_SEARCH, r->memory);
    if (plumb_check_rank_errors_add(&r->errors, h, spec, budget, &err) !=
        PLUMB_OK)
        r->errors.undecided++;
    plumb_budget_free(budget);
}

/* "1 history", "2 histories" */
static void add_histories(uint64_t count, struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%" PRIu64 " histor%s", count,
                           count == 1 ? "y" : "ies");
}

static void write_heading(const struct check_ranks *r,
                          struct plumb_base_text *out)
{
    const struct plumb_check_rank_errors *const e = &r->errors;
    plumb_base_text_printf(out, "rank errors of %" PRIu64 " removal%s in ",
                           e->removals, plumb_base_plural(e->removals));
    add_histories(e->histories, out);
    if (e->removals)
        plumb_base_text_printf(out, ": %.2f on average, at most %zu",
                               (double)e->sum / (double)e->removals,
                               e->errors - 1);
    plumb_base_text_add(out, "\n");
}

static void print(const struct check_ranks *r,
                  const struct plumb_report_histogram *h)
{
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    write_heading(r, &out);
    if (r->errors.removals)
        plumb_report_histogram_text(h, INDENT, &out);
    if (r->errors.unordered) {
        plumb_base_text_add(&out, "  not counted, explained by no order: ");
        add_histories(r->errors.unordered, &out);
        plumb_base_text_add(&out, "\n");
    }
    if (r->errors.undecided) {
        plumb_base_text_add(&out, "  not counted, too hard: ");
        add_histories(r->errors.undecided, &out);
        plumb_base_text_add(&out, "\n");
    }
    console_progress_hide();
    if (!out.broken)
        fwrite(out.data, 1, out.size, stdout);
    console_progress_show();
    plumb_base_text_release(&out);
}

static bool draw(struct check_ranks *r, const struct plumb_report_histogram *h)
{
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    plumb_report_histogram_svg(h, &out);
    const struct plumb_sink sink = console_output_sink(&r->svg);
    const bool written =
        !out.broken && sink.write(sink.context, out.data, out.size) == 0;
    plumb_base_text_release(&out);
    return console_output_finish(&r->svg, written) && written;
}

bool check_ranks_close(struct check_ranks *r)
{
    static const uint64_t none[1];
    bool drawn = true;
    if (!r->path)
        return true;
    const struct plumb_report_histogram h = {
        .title = "Rank errors, in the best linearization of each history",
        .x_label = "rank error",
        .y_label = "removals",
        .count = r->errors.errors ? r->errors.count : none,
        .numbers = r->errors.errors ? r->errors.errors : 1,
    };
    if (r->prints && !r->refused)
        print(r, &h);
    if (draws(r))
        drawn = draw(r, &h);
    plumb_check_rank_errors_release(&r->errors);
    return drawn && console_flush_results();
}
