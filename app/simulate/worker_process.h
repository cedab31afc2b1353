/* worker_process.h - the parent's side of the process that runs an object.
 *
 * The object may crash, hang, or end its process: that costs one worker, and
 * is told.  The shared memory outlives the worker. */
#ifndef PLUMB_APP_SIMULATE_WORKER_PROCESS_H
#define PLUMB_APP_SIMULATE_WORKER_PROCESS_H

#include "app/objects/standstill.h"
#include "app/objects/target.h"
#include "runtime/common/wait.h"
#include "runtime/simulate/shared.h"
#include <plumb/budget.h>
#include <sys/types.h>

enum simulate_worker_news {
    WORKER_RUNS,
    WORKER_STUCK,      /* no operation returned for 100 ms, or
                         500 ms if it measures: standstill.h  */
    WORKER_DIED,       /* a crash of the object, or its exit() */
    WORKER_HANGS,      /* setup or teardown does not return    */
    WORKER_UNUSABLE,   /* cannot be loaded; that was said      */
    WORKER_THREADLESS, /* no thread could be made             */
    WORKER_OVER        /* it has measured or recorded all      */
};

struct simulate_worker_process {
    const struct objects_target *target;
    const char *recording; /* a file to record one long run to, or NULL */
    struct worker_shared *s;
    /* As the first worker wrote it, before an operation of the object could
     * overwrite it. */
    struct worker_description object;
    pid_t pid;                     /* 0: none */
    enum simulate_worker_news end; /* ... since the last one ended like this */
    int how;
    /* For noticing that nothing happens any more. */
    uint64_t last_clock, last_finished;
    uint64_t last_change; /* nanoseconds */
    struct objects_standstill still;
    int last_phase;
};

/* Memory for `with`.  False after saying what is wrong. */
bool simulate_worker_prepare(struct simulate_worker_process *w,
                             const struct objects_target *target,
                             const struct worker_conditions *with);
void simulate_worker_release(struct simulate_worker_process *w);

/* Start one at history number `first`, once its predecessor has ended, and
 * wait until the object is loaded.  False after saying what is wrong. */
bool simulate_worker_start(struct simulate_worker_process *w, uint64_t first);

/* Load the object once, for what it says of itself.  False after saying what is
 * wrong. */
bool simulate_worker_learn(const struct objects_target *target,
                           struct worker_description *object);

/* How is it doing?  `how`: what waitpid() said of one that died.  Of one that
 * ended it says the same again. */
enum simulate_worker_news simulate_worker_look(
    struct simulate_worker_process *w, int *how);

/* Of one that measures or records: wait until it is OVER, STUCK or has DIED; it
 * is told to end when is_to_end() says so.  RUNS: the budget was stopped.
 * Anything else was said. */
enum simulate_worker_news simulate_worker_await(
    struct simulate_worker_process *w, const struct plumb_budget *budget,
    bool (*is_to_end)(void *context), void *context);

/* Of one that got stuck then: the operations that are open, a bit each.  They
 * are such as may wait for ever. */
uint32_t simulate_worker_open_operations(
    const struct simulate_worker_process *w);

/* Say why one that HANGS, is UNUSABLE or THREADLESS is of no use. */
void simulate_worker_complain(const struct simulate_worker_process *w,
                              enum simulate_worker_news news);

/* End it, if it has not ended.  False if it was just then dying by itself, as
 * one does that writes a core dump: simulate_worker_look() tells. */
bool simulate_worker_end(struct simulate_worker_process *w);

#endif
