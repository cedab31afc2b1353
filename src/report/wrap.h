/* wrap.h - words on lines that fit the screen. */
#ifndef PLUMB_REPORT_WRAP_H
#define PLUMB_REPORT_WRAP_H

#include "label.h"

/* Add one line of words from column `margin` on, where the text ends now,
 * broken between words. */
void plumb_report_wrap(const char *line, size_t size, size_t margin,
                       const struct plumb_report_style *style,
                       struct plumb_base_text *out);

/* The same, if the text ends now at another column than lines begin at. */
void plumb_report_wrap_from(const char *line, size_t size, size_t column,
                            size_t margin,
                            const struct plumb_report_style *style,
                            struct plumb_base_text *out);

#endif
