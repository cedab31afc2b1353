/* wrap.c - words on lines that fit the screen. */
#include "wrap.h"

#include "base/utf8.h"
#include <assert.h>
#include <string.h>

void plumb_report_wrap(const char *line, size_t size, size_t column,
                       size_t margin, const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    const size_t width = plumb_report_style_width(style);
    size_t begin = column;
    assert(line || !size);
    for (size_t at = 0; at < size;) {
        const char *const space = memchr(line + at, ' ', size - at);
        const size_t word = space ? (size_t)(space - line) - at : size - at;
        const size_t columns = plumb_base_utf8_columns(line + at, word);
        if (column > begin && column + 1 + columns > width) {
            plumb_base_text_add(out, "\n");
            plumb_base_text_fill(out, ' ', margin);
            column = begin = margin;
        } else if (column > begin) {
            plumb_base_text_add(out, " ");
            column++;
        }
        plumb_base_text_bytes(out, line + at, word);
        column += columns;
        at += word + 1;
    }
    plumb_base_text_add(out, "\n");
}

void plumb_report_wrap_lines(const char *head,
                             const struct plumb_base_text *lines, size_t margin,
                             const struct plumb_report_style *style,
                             struct plumb_base_text *out)
{
    const char *at = plumb_base_text_string(lines);
    size_t column = strlen(head);
    for (; *at; column = margin) {
        const size_t size = strcspn(at, "\n");
        plumb_base_text_printf(out, "%*s", (int)column, head);
        plumb_report_wrap(at, size, column, margin, style, out);
        head = "";
        at += size + (at[size] == '\n');
    }
    out->broken |= lines->broken;
}
