/* latencies.h - what the processes of a worker counted, added up. */
#ifndef PLUMB_CLI_LATENCIES_H
#define PLUMB_CLI_LATENCIES_H

#include "report/table.h"
#include "runtime/simulate/shared.h"

/* Of one operation, all processes together. */
struct latencies {
    uint64_t calls, retries, contended;
    uint64_t sampled;                              /* so many were timed: */
    uint64_t median, ninety, ninety_nine, longest; /* nanoseconds */
};

struct latencies latencies_of(const struct shared *s, unsigned operation);

/* Add a table with a row for each of `count` operations; `seconds` is how long
 * they ran.  Retries and contention are per 1000 calls. */
void add_latency_table(const struct plumb_style *style,
                       const struct description *object,
                       const struct latencies *l, double seconds,
                       struct plumb_text *out);

/* Add what docs/JSON.md calls a measurement: one line. */
struct measurement {
    const char *subject, *operation;
    unsigned processes;
    double seconds;
};
void add_latency_json(const struct measurement *m, const struct latencies *l,
                      struct plumb_text *out);

#endif
