/* long_run.h - one long history of one object, recorded to a file. */
#ifndef PLUMB_RUNTIME_SIMULATE_LONG_RUN_H
#define PLUMB_RUNTIME_SIMULATE_LONG_RUN_H

#include "worker.h"

struct worker_long_run {
    struct worker_shared
        *s; /* with.operations: of each process; 0 is no limit */
    const struct plumb_object *object;
    struct worker_script init, final;
    const char *path;
    const char *spec; /* for readers; or NULL */
};

enum worker_long_run_end {
    LONG_RUN_OVER,
    LONG_RUN_THREADLESS, /* no thread could be made                    */
    LONG_RUN_UNWRITTEN,  /* the file cannot be written: `*error`       */
    LONG_RUN_FLAWED      /* an operation did what cannot be told       */
};

/* In the child, in place of worker_run(): operations of all processes, until
 * each has done its share or s->over is set; then PHASE_OVER. */
enum worker_long_run_end worker_long_run(const struct worker_long_run *run,
                                         int *error);

#endif
