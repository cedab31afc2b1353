/* latencies.h - what the processes of a worker counted, added up. */
#ifndef PLUMB_APP_SIMULATE_LATENCIES_H
#define PLUMB_APP_SIMULATE_LATENCIES_H

#include "report/table.h"
#include "runtime/simulate/shared.h"

/* Of one operation, all processes together. */
struct simulate_latencies {
    uint64_t calls, retries, contended;
    uint64_t sampled;                              /* so many were timed: */
    uint64_t median, ninety, ninety_nine, longest; /* nanoseconds */
};

struct simulate_latencies simulate_latencies_of(const struct worker_shared *s,
                                                unsigned operation);

/* Add a table with a row for each of `count` operations; `seconds` is how long
 * they ran.  Retries and contention are per 1000 calls. */
void simulate_add_latency_table(const struct plumb_report_style *style,
                                const struct worker_description *object,
                                const struct simulate_latencies *l,
                                double seconds, struct plumb_base_text *out);

/* The same as what docs/json-output.md calls measurements: a line each. */
void simulate_add_latency_json(const char *subject, unsigned processes,
                               const struct worker_description *object,
                               const struct simulate_latencies *l,
                               double seconds, struct plumb_base_text *out);

/* Add the names of these operations, a bit each: "deq, take". */
void simulate_add_names(const struct worker_description *object, uint32_t which,
                        struct plumb_base_text *out);

#endif
