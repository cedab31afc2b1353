/* worker_process.h - the parent's side of the process that runs an object.
 *
 * The object may crash, hang, or end its process: that costs one worker, and
 * is told.  The shared memory outlives the worker. */
#ifndef PLUMB_CLI_WORKER_PROCESS_H
#define PLUMB_CLI_WORKER_PROCESS_H

#include "runtime/simulate/shared.h"
#include "runtime/common/wait.h"
#include "app/objects/standstill.h"
#include "app/objects/target.h"
#include <sys/types.h>

enum worker_news {
    WORKER_RUNS,
    WORKER_STUCK,     /* no operation returned for 100 ms, or
                         500 ms if it measures: standstill.h  */
    WORKER_DIED,      /* a crash of the object, or its exit() */
    WORKER_HANGS,     /* setup or teardown does not return    */
    WORKER_UNUSABLE,  /* cannot be loaded; that was said      */
    WORKER_THREADLESS /* no thread could be made              */
};

struct worker_process {
    const struct target *target;
    const char *recording; /* a file to record one long run to, or NULL */
    struct shared *s;
    /* As the first worker wrote it, before an operation of the object could
     * overwrite it. */
    struct description object;
    pid_t pid;            /* 0: none */
    enum worker_news end; /* ... since the last one ended like this */
    int how;
    /* For noticing that nothing happens any more. */
    uint64_t last_clock, last_finished;
    uint64_t last_change; /* nanoseconds */
    struct standstill still;
    int last_phase;
};

/* Memory for `with`.  False after saying what is wrong. */
bool worker_prepare(struct worker_process *w, const struct target *target,
                    const struct conditions *with);
void worker_release(struct worker_process *w);

/* Start one at history number `first`, once its predecessor has ended, and
 * wait until the object is loaded.  False after saying what is wrong. */
bool worker_start(struct worker_process *w, uint64_t first);

/* Load the object once, for what it says of itself in w->object.  False after
 * saying what is wrong. */
bool worker_describe(struct worker_process *w);

/* How is it doing?  `how`: what waitpid() said of one that died.  Of one that
 * ended it says the same again. */
enum worker_news worker_look(struct worker_process *w, int *how);

/* End it, if it has not ended.  False if it was just then dying by itself, as
 * one does that writes a core dump: worker_look() tells. */
bool worker_end(struct worker_process *w);

#endif
