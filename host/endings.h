/* endings.h - what is wrong at the end of an execution. */
#ifndef PLUMB_HOST_ENDINGS_H
#define PLUMB_HOST_ENDINGS_H

#include "play.h"
#include "strategies/explore.h"

/* A fault, threads that wait and may not, an exit, memory that is lost: true,
 * and it is among the findings.  The machine stands where the execution ended. */
bool ending_is_wrong(struct play *p, struct plumb_budget *budget,
                     const struct plumb_machine *m,
                     const struct plumb_execution *x);

#endif
