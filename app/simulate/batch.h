/* batch.h - deciding many histories of the ring on all processors.
 *
 * Almost all histories are linearizable, so that is all that is found out
 * here.  Whatever else comes of one, the caller decides it again and tells. */
#ifndef PLUMB_APP_SIMULATE_BATCH_H
#define PLUMB_APP_SIMULATE_BATCH_H

#include "runtime/common/gate.h"
#include "worker_process.h"
#include <plumb/check.h>
#include <pthread.h>

enum { BATCH_HELPERS = 7, BATCH_MOST = 512 };

struct simulate_batch;

struct simulate_batch_helper {
    struct simulate_batch *batch;
    pthread_t thread;
    struct plumb_builder *builder;
};

struct simulate_batch {
    const struct simulate_worker_process *worker;
    const struct plumb_spec *spec;
    struct plumb_budget *budget;
    struct simulate_batch_helper helper[BATCH_HELPERS];
    unsigned helpers;
    struct runtime_gate begun; /* how many batches there were      */
    struct runtime_gate done;  /* helpers that are through with it */
    bool closing;

    /* Of the batch: whether history first + i is linearizable, and how many
     * operations it has. */
    uint64_t first;
    uint32_t count;
    _Atomic uint32_t claimed;
    bool linearizable[BATCH_MOST];
    uint32_t operations[BATCH_MOST];
};

/* `helpers` more threads than the caller's; fewer if they cannot be made. */
void simulate_batch_open(struct simulate_batch *b,
                         const struct simulate_worker_process *worker,
                         const struct plumb_spec *spec,
                         struct plumb_budget *budget, unsigned helpers);
void simulate_batch_close(struct simulate_batch *b);

/* Decide `count` histories, at most BATCH_MOST, from number `first` on. */
void simulate_batch_decide(struct simulate_batch *b, uint64_t first,
                           uint32_t count, struct plumb_builder *builder);

#endif
