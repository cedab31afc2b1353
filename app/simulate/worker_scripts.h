/* worker_scripts.h - an object's .init and .final, ready to be invoked. */
#ifndef PLUMB_APP_SIMULATE_WORKER_SCRIPTS_H
#define PLUMB_APP_SIMULATE_WORKER_SCRIPTS_H

#include "app/objects/target.h"
#include "runtime/simulate/worker.h"

enum { SCRIPT_ROOM = 32 }; /* operations in each of the two */

struct simulate_worker_scripts {
    struct worker_script init, final;
};

/* False after saying what is wrong. */
bool simulate_worker_scripts_read(struct simulate_worker_scripts *s,
                                  const struct objects_target *t,
                                  const struct plumb_object *object);

#endif
