/* worker.h - the process that runs an object: many short histories, rounds that
 * are measured, or one long history. */
#ifndef PLUMB_RUNTIME_SIMULATE_WORKER_H
#define PLUMB_RUNTIME_SIMULATE_WORKER_H

#include "shared.h"

/* Operations that every history begins or ends with (plumb/object.h, .init
 * and .final); process P1 invokes them. */
struct worker_script {
    const struct plumb_record_entry *entry; /* operation and arguments */
    unsigned count;
};

/* In the child, after the object was loaded and s->object filled in: run
 * histories from s->first on for ever.  Returns only if no thread can be
 * made. */
void worker_run(struct worker_shared *s, const struct plumb_object *object,
                struct worker_script init, struct worker_script final);

/* A thread that lives as long as the worker.  False if it cannot be made. */
bool worker_start_follower(void *(*run)(void *), void *process);

/* Of what a process draws in a history, or a round. */
uint64_t worker_seed(const struct worker_shared *s, uint64_t history,
                     unsigned process);

/* ---- how fast an object is (measure.c) ---- */

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

/* ---- one long history, recorded to a file (long_run.c) ---- */

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
