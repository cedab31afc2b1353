/* answers.c - a scenario and what its operations answered, as a table. */
#include "answers.h"

#include "base/utf8.h"
#include <string.h>

enum { NAMES = 7, GAP = 3, LEAST_CELL = 6, MOST_CELL = 32 };

struct table {
    const struct plumb_report_answers *what;
    const struct plumb_report_style *style;
    unsigned indent, cell; /* columns */
    struct plumb_base_text scratch;
};

/* ---- measures ---- */

static unsigned columns_of(struct table *t, const char *text)
{
    plumb_base_text_clear(&t->scratch);
    plumb_report_label_text(t->style, text, strlen(text), MOST_CELL,
                            &t->scratch);
    const char *const shown = plumb_base_text_string(&t->scratch);
    return (unsigned)plumb_base_utf8_columns(shown, strlen(shown));
}

static void measure(struct table *t)
{
    const unsigned n = t->what->processes ? t->what->processes : 1;
    const unsigned width = plumb_report_style_width(t->style);
    const unsigned room =
        width > t->indent + NAMES ? width - t->indent - NAMES : 0;
    t->cell = LEAST_CELL;
    for (size_t i = 0; i < t->what->count; i++) {
        const unsigned columns = columns_of(t, t->what->operation[i].text);
        if (t->what->operation[i].part == PLUMB_PART_PROCESS &&
            columns > t->cell)
            t->cell = columns;
    }
    const unsigned most = room / n > GAP ? room / n - GAP : 0;
    if (t->cell > most)
        t->cell = most > LEAST_CELL ? most : LEAST_CELL;
}

/* ---- ink ---- */

static void begin(const struct table *t, const char *name,
                  struct plumb_base_text *out)
{
    plumb_base_text_fill(out, ' ', t->indent);
    plumb_base_text_printf(out, "%-*s", NAMES, name);
}

static void rule(const struct table *t, struct plumb_base_text *out)
{
    const unsigned n = t->what->processes ? t->what->processes : 1;
    begin(t, "", out);
    for (unsigned i = 0; i < n * (t->cell + GAP) - GAP; i++)
        plumb_base_text_add(out, t->style->ascii ? "-" : "─");
    plumb_base_text_add(out, "\n");
}

/* The columns it took. */
static unsigned cell(struct table *t, const char *text,
                     struct plumb_base_text *out)
{
    plumb_base_text_clear(&t->scratch);
    plumb_report_label_text(t->style, text, strlen(text), t->cell, &t->scratch);
    const char *const shown = plumb_base_text_string(&t->scratch);
    plumb_base_text_add(out, shown);
    return (unsigned)plumb_base_utf8_columns(shown, strlen(shown));
}

/* The n-th operation of the process; NULL if it has fewer. */
static const char *nth(const struct table *t, unsigned process, size_t n)
{
    for (size_t i = 0; i < t->what->count; i++) {
        const struct plumb_report_answered *const o = t->what->operation + i;
        if (o->part == PLUMB_PART_PROCESS && o->process == process && n-- == 0)
            return o->text;
    }
    return NULL;
}

/* One row, of names if `row` is 0.  False if there is none. */
static bool write_row(struct table *t, size_t row, struct plumb_base_text *out)
{
    unsigned column = 0;
    bool any = false;
    for (unsigned p = 0; p < t->what->processes; p++) {
        const char *const text = row ? nth(t, p, row - 1) : t->what->process[p];
        if (!text)
            continue;
        if (!any)
            begin(t, "", out);
        any = true;
        const unsigned at = p * (t->cell + GAP);
        plumb_base_text_fill(out, ' ', at - column);
        column = at + cell(t, text, out);
    }
    if (any)
        plumb_base_text_add(out, "\n");
    return any;
}

static bool write_part(struct table *t, enum plumb_report_part part,
                       const char *name, bool ruled,
                       struct plumb_base_text *out)
{
    bool any = false;
    for (size_t i = 0; i < t->what->count && !out->broken; i++) {
        const struct plumb_report_answered *const o = t->what->operation + i;
        if (o->part != part)
            continue;
        if (!any && ruled)
            rule(t, out);
        begin(t, any ? "" : name, out);
        plumb_base_text_clear(&t->scratch);
        plumb_report_label_text(t->style, o->text, strlen(o->text),
                                2 * MOST_CELL, &t->scratch);
        plumb_base_text_printf(out, "%s\n",
                               plumb_base_text_string(&t->scratch));
        any = true;
    }
    return any;
}

void plumb_report_answers_text(const struct plumb_report_answers *what,
                               const struct plumb_report_style *style,
                               unsigned indent, struct plumb_base_text *out)
{
    struct table t = { .what = what, .style = style, .indent = indent };
    plumb_base_text_init(&t.scratch, out->budget);
    measure(&t);
    if (write_part(&t, PLUMB_PART_INIT, "init", false, out))
        rule(&t, out);
    for (size_t row = 0; write_row(&t, row, out) && !out->broken; row++)
        ;
    write_part(&t, PLUMB_PART_FINAL, "final", true, out);
    out->broken |= t.scratch.broken;
    plumb_base_text_release(&t.scratch);
}
