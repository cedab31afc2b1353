/* wrap.c - words on lines that fit the screen. */
#include "wrap.h"

#include "utf8.h"
#include <string.h>

void plumb_report_wrap(const char *line, size_t size, size_t column,
                       size_t margin, const struct plumb_report_style *style,
                       struct plumb_base_text *out)
{
    const size_t width = plumb_report_style_width(style);
    size_t begin = column;
    for (size_t at = 0; at < size;) {
        const char *const space = memchr(line + at, ' ', size - at);
        const size_t word = space ? (size_t)(space - line) - at : size - at;
        const size_t columns = plumb_report_utf8_columns(line + at, word);
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
