/* worker.h - the process that runs an object's histories. */
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

#endif
