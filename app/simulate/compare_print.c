/* compare_print.c - what a comparison found, as tables or lines of JSON. */
#include "app/console/output.h"
#include "app/console/say.h"
#include "app/publish/publication.h"
#include "compare.h"
#include "report/json.h"
#include "report/plot.h"
#include "report/units.h"
#include <stdio.h>
#include <string.h>

enum { BLOCK = 8 }; /* numbers of processes side by side */

static const struct plumb_report_style style = { .ascii = true };

static const char *const outcome_words[] = {
    [CELL_UNKNOWN] = "not measured",  [CELL_MEASURED] = "measured",
    [CELL_STUCK] = "stuck",           [CELL_CRASHED] = "crashed",
    [CELL_NOTHING] = "nothing to do",
};

/* ---- tables ---- */

static void add_rate(struct plumb_report_table *t,
                     const struct simulate_cell *c)
{
    char text[PLUMB_UNITS_SIZE] = "-";
    if (c->outcome == CELL_MEASURED)
        plumb_report_show_number(text, simulate_cell_rate(c));
    plumb_report_table_cell(t, c->outcome == CELL_STUCK     ? "stuck"
                               : c->outcome == CELL_CRASHED ? "crashed"
                                                            : text);
}

/* Objects by numbers of processes, from `first` on. */
static void add_rates(const struct simulate_comparison *c, unsigned first,
                      struct plumb_base_text *out)
{
    const unsigned left = c->processes - first + 1;
    const unsigned columns = left < BLOCK ? left : BLOCK;
    struct plumb_report_table t;
    plumb_report_table_init(&t, &style, columns + 1);
    plumb_report_table_cell(&t, "processes");
    for (unsigned n = 0; n < columns; n++) {
        char number[16];
        snprintf(number, sizeof number, "%u", first + n);
        plumb_report_table_cell(&t, number);
    }
    for (unsigned i = 0; i < c->objects; i++) {
        plumb_report_table_cell(&t, c->object[i].label);
        for (unsigned n = 0; n < columns; n++)
            add_rate(&t, &c->object[i].cell[first + n - 1]);
    }
    plumb_report_table_end(&t, out);
}

/* "NAME, 4 processes", with the name cut so that the line fits. */
static void add_caption(const struct simulate_compared *o, unsigned processes,
                        const char *rest, struct plumb_base_text *out)
{
    char words[80];
    const int length = snprintf(words, sizeof words, ", %u process%s%s\n",
                                processes, processes == 1 ? "" : "es", rest);
    plumb_base_text_add(out, "\n");
    plumb_report_label_text(
        &style, o->label, strlen(o->label),
        plumb_report_style_width(&style) + 1 - (size_t)length, out);
    plumb_base_text_add(out, words);
}

static void add_latencies(const struct simulate_comparison *c,
                          const struct simulate_compared *o,
                          struct plumb_base_text *out)
{
    const struct simulate_cell *const last = &o->cell[c->processes - 1];
    if (last->outcome == CELL_MEASURED) {
        add_caption(o, c->processes, " (retries, contended: per 1000 calls)",
                    out);
        simulate_add_latency_table(&style, &o->about, last->operation,
                                   last->seconds, out);
    } else {
        char rest[32];
        snprintf(rest, sizeof rest, ": %s", outcome_words[last->outcome]);
        add_caption(o, c->processes, rest, out);
    }
}

static void add_tables(const struct simulate_comparison *c,
                       struct plumb_base_text *out)
{
    plumb_base_text_add(out, "operations per second\n");
    for (unsigned first = 1; first <= c->processes; first += BLOCK) {
        plumb_base_text_add(out, first > 1 ? "\n" : "");
        add_rates(c, first, out);
    }
    for (unsigned i = 0; i < c->objects; i++)
        add_latencies(c, &c->object[i], out);
}

/* ---- lines of JSON ---- */

/* A cell that has no numbers. */
static void add_empty_line(const struct simulate_compared *o,
                           unsigned processes, struct plumb_base_text *out)
{
    publish_json_begin("simulate", o->label, NULL, out);
    plumb_report_json_number("processes", processes, out);
    plumb_report_json_text("outcome",
                           outcome_words[o->cell[processes - 1].outcome], out);
    plumb_base_text_add(out, "}\n");
}

static void add_lines(const struct simulate_compared *o, unsigned processes,
                      struct plumb_base_text *out)
{
    const struct simulate_cell *const c = &o->cell[processes - 1];
    if (c->outcome != CELL_MEASURED) {
        add_empty_line(o, processes, out);
        return;
    }
    simulate_add_latency_json(o->label, processes, &o->about, c->operation,
                              c->seconds, out);
}

static void add_json(const struct simulate_comparison *c,
                     struct plumb_base_text *out)
{
    for (unsigned i = 0; i < c->objects; i++)
        for (unsigned n = 1; n <= c->processes; n++)
            add_lines(&c->object[i], n, out);
}

/* ---- both ---- */

static void note_waiting(const struct simulate_compared *o)
{
    struct plumb_base_text names = { 0 };
    if (!o->waiting)
        return;
    simulate_add_names(&o->about, o->waiting, &names);
    console_note("%s: %s may wait for ever, so a process invokes more of the "
                 "other operations first",
                 o->label, plumb_base_text_string(&names));
    plumb_base_text_release(&names);
}

static void note_crashes(const struct simulate_comparison *c)
{
    for (unsigned i = 0; i < c->objects; i++)
        for (unsigned n = 0; n < c->processes; n++)
            if (c->object[i].cell[n].outcome == CELL_CRASHED) {
                console_note("%s: crashed; if the object has a fixed capacity, "
                             "try fewer than --operations %u",
                             c->object[i].label, c->with->operations);
                break;
            }
}

bool simulate_compare_print(const struct simulate_comparison *c)
{
    struct plumb_base_text out = { 0 };
    if (c->with->json)
        add_json(c, &out);
    else
        add_tables(c, &out);
    const bool good = !out.broken;
    fputs(plumb_base_text_string(&out), stdout);
    plumb_base_text_release(&out);
    for (unsigned i = 0; i < c->objects; i++)
        note_waiting(&c->object[i]);
    note_crashes(c);
    console_note("plumb's overhead: %.0f ns per operation, %u ns per latency",
                 c->cost.loop, (unsigned)c->cost.clock);
    if (!good)
        console_say("plumb simulate: out of memory");
    return good && console_flush_results();
}

/* ---- the plot ---- */

bool simulate_compare_plot(const struct simulate_comparison *c,
                           struct console_output *file)
{
    static const char title[] = "Operations per second by number of processes";
    double rate[MOST_COMPARED][PLUMB_MAX_PROCESSES];
    struct plumb_report_series series[MOST_COMPARED];
    const struct plumb_report_plot plot = { .title = title,
                                            .x_label = "processes",
                                            .y_label = "operations per second",
                                            .points = c->processes,
                                            .series = series,
                                            .count = c->objects };
    struct plumb_base_text svg = { 0 };
    for (unsigned i = 0; i < c->objects; i++) {
        series[i] = (struct plumb_report_series){ .name = c->object[i].label,
                                                  .y = rate[i] };
        for (unsigned n = 0; n < c->processes; n++) {
            const struct simulate_cell *const cell = &c->object[i].cell[n];
            rate[i][n] = cell->outcome == CELL_MEASURED
                             ? simulate_cell_rate(cell)
                             : PLUMB_PLOT_GAP;
        }
    }
    plumb_report_plot_svg(&plot, &svg);
    const bool good = !svg.broken;
    const struct plumb_sink sink = console_output_sink(file);
    const bool written =
        good && sink.write(sink.context, svg.data, svg.size) == 0;
    if (!good)
        console_say("plumb simulate: out of memory");
    plumb_base_text_release(&svg);
    return written;
}
