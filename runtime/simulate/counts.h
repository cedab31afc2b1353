/* counts.h - what an object counts and draws while an operation runs. */
#ifndef PLUMB_RUNTIME_SIMULATE_COUNTS_H
#define PLUMB_RUNTIME_SIMULATE_COUNTS_H

#include "base/rng.h"
#include "shared.h"

/* From here on this thread's plumb_retry(), plumb_contend() count for
 * `operation`, and plumb_choose() draws from `rng`. */
void worker_counts_begin(struct worker_tally *tally, unsigned operation,
                         struct plumb_base_rng *rng);

/* One operation took so long. */
void worker_counts_latency(struct worker_tally *tally, unsigned operation,
                           uint64_t nanoseconds);

/* Run the operation of the invocation, and count how long it took. */
void worker_counts_run(const struct plumb_operation *o, plumb_invocation *i,
                       struct worker_tally *tally);

/* The bucket of a latency, and its lower end. */
unsigned worker_latency_bucket(uint64_t nanoseconds);
uint64_t worker_latency_of_bucket(unsigned bucket);

#endif
