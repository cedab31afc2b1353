/* plot.h - a line chart in SVG.
 *
 * Every series has a value, or none, at x = 1, 2, ..., `points`.  The picture
 * needs no style sheet, font or script, and is made for a white page; series
 * differ by colour, by the shape of their marks and, beyond eight, by dashes.
 *
 *     operations per second
 *      8M |          .-o  queue-a
 *      4M |    .-o--'
 *      0  +---------------
 *            1   2   3   4   processes                                      */
#ifndef PLUMB_REPORT_PLOT_H
#define PLUMB_REPORT_PLOT_H

#include "base/text.h"

#define PLUMB_PLOT_GAP (-1.0) /* there is no value: the line is broken */

enum { PLUMB_MOST_SERIES = 16 };

struct plumb_report_series {
    const char *name;
    const double *y; /* at least 0, or PLUMB_PLOT_GAP */
};

struct plumb_report_plot {
    const char *title, *x_label, *y_label;
    const struct plumb_report_series *series;
    unsigned count, points; /* at least one of each, PLUMB_MOST_SERIES */
};

void plumb_report_plot_svg(const struct plumb_report_plot *plot,
                           struct plumb_base_text *out);

enum { PLUMB_MOST_TICKS = 32 };

/* An axis from `low` to `high` with round numbers at both ends and between
 * them.  A linear one begins at 0. */
struct plumb_report_axis {
    bool logarithmic;
    double low, high;
    double tick[PLUMB_MOST_TICKS];
    unsigned ticks;
};

/* For values from `least` > 0 to `most`; the axis is logarithmic if a linear
 * one would flatten the small ones.  Without any value: 0 and 0. */
void plumb_report_axis_for(struct plumb_report_axis *a, double least,
                           double most);

/* How far up the axis, from 0 to 1. */
double plumb_report_axis_place(const struct plumb_report_axis *a, double value);

/* The step between labels of 1 .. points: 1, 2, 4, 8, ... */
unsigned plumb_report_tick_stride(unsigned points);

#endif
