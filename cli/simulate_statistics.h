/* simulate_statistics.h - how long operations took, and what they met. */
#ifndef PLUMB_CLI_SIMULATE_STATISTICS_H
#define PLUMB_CLI_SIMULATE_STATISTICS_H

#include "simulate_report.h"

/* Of one operation, all processes together. */
struct latencies {
    uint64_t calls, retries, contended;
    uint64_t median, ninety, ninety_nine, longest; /* nanoseconds */
};

struct latencies latencies_of(const struct shared *s, unsigned operation);

/* A table on stderr: times are not results. */
void simulate_statistics(const struct shared *s,
                         const struct simulate_outcome *o);

/* 950 ns, 12.3 us, 4.56 ms */
void print_duration(char text[16], uint64_t nanoseconds);

#endif
