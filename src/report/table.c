/* table.c - rows and columns of words, aligned.
 *
 * Columns of numbers are as wide as their widest cell; the names get what is
 * left. */
#include "table.h"

#include "base/utf8.h"
#include <assert.h>
#include <string.h>

enum { NARROWEST_NAME = 8 };

void plumb_report_table_init(struct plumb_report_table *t,
                             const struct plumb_report_style *style,
                             unsigned columns)
{
    assert(columns >= 1 && columns <= PLUMB_TABLE_COLUMNS);
    *t = (struct plumb_report_table){ .style = *style, .columns = columns };
    plumb_base_text_init(&t->cells, NULL);
}

void plumb_report_table_cell(struct plumb_report_table *t, const char *text)
{
    assert(text && t->columns);
    plumb_base_text_bytes(&t->cells, text, strlen(text) + 1);
    t->count++;
}

/* A name as it is shown. */
static void add_name(const struct plumb_report_table *t, const char *name,
                     size_t limit, struct plumb_base_text *out)
{
    plumb_report_label_text(&t->style, name, strlen(name), limit, out);
}

static size_t name_width(const struct plumb_report_table *t, const char *name)
{
    struct plumb_base_text shown = { 0 };
    add_name(t, name, SIZE_MAX, &shown);
    const size_t width = plumb_base_utf8_columns(plumb_base_text_string(&shown),
                                                 shown.broken ? 0 : shown.size);
    plumb_base_text_release(&shown);
    return width;
}

static void find_widths(const struct plumb_report_table *t, size_t *width)
{
    const char *cell = t->cells.data;
    for (size_t i = 0; i < t->count; i++, cell += strlen(cell) + 1) {
        size_t *const w = &width[i % t->columns];
        const size_t here =
            i % t->columns == 0 ? name_width(t, cell) : strlen(cell);
        *w = here > *w ? here : *w;
    }
}

/* What the numbers leave of a line. */
static size_t room_for_names(const struct plumb_report_table *t,
                             const size_t *width)
{
    size_t used = 0;
    for (unsigned c = 1; c < t->columns; c++)
        used += PLUMB_TABLE_GAP + width[c];
    const size_t line = plumb_report_style_width(&t->style);
    return line < used + NARROWEST_NAME ? NARROWEST_NAME : line - used;
}

static void add_row(const struct plumb_report_table *t, const char **cell,
                    const size_t *width, struct plumb_base_text *out)
{
    const size_t begin = out->size;
    add_name(t, *cell, width[0], out);
    if (out->broken)
        return;
    const size_t shown = plumb_base_utf8_columns(
        plumb_base_text_string(out) + begin, out->size - begin);
    size_t pad = width[0] > shown ? width[0] - shown : 0;
    *cell += strlen(*cell) + 1;
    for (unsigned c = 1; c < t->columns; c++) {
        const size_t length = strlen(*cell);
        pad += PLUMB_TABLE_GAP + width[c] - length;
        if (length > 0) { /* no blanks at the end of a line */
            plumb_base_text_fill(out, ' ', pad);
            plumb_base_text_add(out, *cell);
            pad = 0;
        }
        *cell += length + 1;
    }
    plumb_base_text_add(out, "\n");
}

void plumb_report_table_end(struct plumb_report_table *t,
                            struct plumb_base_text *out)
{
    size_t width[PLUMB_TABLE_COLUMNS] = { 0 };
    assert(t->count % t->columns == 0);
    if (!t->cells.broken && t->count > 0) {
        find_widths(t, width);
        const size_t room = room_for_names(t, width);
        const char *cell = t->cells.data;
        width[0] = width[0] > room ? room : width[0];
        for (size_t row = 0; row < t->count / t->columns; row++)
            add_row(t, &cell, width, out);
    }
    plumb_base_text_release(&t->cells);
}
