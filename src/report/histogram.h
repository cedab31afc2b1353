/* histogram.h - how often numbers occur, as bars in text and in SVG.
 *
 *       0  ############################  3012  75.3 %
 *       1  #######                        744  18.6 %
 *     2-3  ##                             244   6.1 %                        */
#ifndef PLUMB_REPORT_HISTOGRAM_H
#define PLUMB_REPORT_HISTOGRAM_H

#include "base/text.h"
#include <stdint.h>

struct plumb_report_histogram {
    const char *title, *x_label, *y_label; /* for the picture */
    const uint64_t *count;                 /* of 0, 1, ... */
    size_t numbers;                        /* at least 1 */
};

/* A line for each number, indented; for several, if there are many. */
void plumb_report_histogram_text(const struct plumb_report_histogram *h,
                                 unsigned indent, struct plumb_base_text *out);

void plumb_report_histogram_svg(const struct plumb_report_histogram *h,
                                struct plumb_base_text *out);

#endif
