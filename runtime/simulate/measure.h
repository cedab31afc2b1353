/* measure.h - how fast an object is, when nobody looks at what it answers. */
#ifndef PLUMB_RUNTIME_SIMULATE_MEASURE_H
#define PLUMB_RUNTIME_SIMULATE_MEASURE_H

#include "worker.h"

enum {
    MEASURE_SAMPLE = 16, /* one operation in so many is timed */
    MEASURE_ENTRIES = 2, /* s->with.most: see measure.c       */
    MEASURE_EMPTY_ROUNDS = 20
};

/* In the child, in place of worker_run(), if s->with.measures: rounds until
 * s->over is set, then PHASE_OVER.  False if no thread can be made. */
bool worker_measure_run(struct worker_shared *s,
                        const struct plumb_object *object,
                        struct worker_script init);

/* Rounds of one process that invokes an operation that does nothing: what
 * measuring costs.  The fastest one is kept, for it was not disturbed.  In any
 * process. */
void worker_measure_nothing(struct worker_shared *s);

#endif
