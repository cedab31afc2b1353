/* ring_history.h - a history out of the ring that a worker fills. */
#ifndef PLUMB_APP_SIMULATE_RING_HISTORY_H
#define PLUMB_APP_SIMULATE_RING_HISTORY_H

#include "worker_process.h"
#include <plumb/history.h>

/* History number `number`, which the worker has finished, or will not go on
 * with.  What a faulty object may have written over it is PLUMB_EINPUT. */
enum plumb_status simulate_ring_history(const struct simulate_worker_process *w,
                                        uint64_t number,
                                        struct plumb_builder *builder,
                                        struct plumb_history *h,
                                        struct plumb_error *err);

#endif
