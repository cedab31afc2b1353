/* wrap.h - words on lines that fit the screen. */
#ifndef PLUMB_REPORT_WRAP_H
#define PLUMB_REPORT_WRAP_H

#include "label.h"

/* Add one line of words, broken between words.  The text ends now at `column`;
 * further lines begin at `margin`. */
void plumb_report_wrap(const char *line, size_t size, size_t column,
                       size_t margin, const struct plumb_report_style *style,
                       struct plumb_base_text *out);

/* Each line of `lines` like that: `head` stands before the first, the others
 * begin at `margin` as well. */
void plumb_report_wrap_lines(const char *head,
                             const struct plumb_base_text *lines, size_t margin,
                             const struct plumb_report_style *style,
                             struct plumb_base_text *out);

#endif
