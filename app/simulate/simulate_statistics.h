/* simulate_statistics.h - how long operations took, and what they met. */
#ifndef PLUMB_APP_SIMULATE_SIMULATE_STATISTICS_H
#define PLUMB_APP_SIMULATE_SIMULATE_STATISTICS_H

#include "simulate_report.h"

/* A table on stderr, for times are not results; but JSON on stdout if results
 * are. */
void simulate_statistics(const struct simulate_settings *with,
                         const char *label,
                         const struct worker_description *object,
                         const struct worker_shared *s,
                         const struct simulate_outcome *o);

#endif
