/* endings.h - what is wrong at the end of an execution. */
#ifndef PLUMB_HOST_ENDINGS_H
#define PLUMB_HOST_ENDINGS_H

#include "strategies/explore.h"
#include "test_driver.h"

/* A fault, threads that wait and may not, an exit, memory that is lost: true,
 * and it is among the findings.  The machine stands where the execution ended. */
bool host_ending_is_wrong(struct host_driver *p, struct plumb_budget *budget,
                          const struct plumb_strategies_execution *x);

/* Threads wait and may not: a deadlock, or a livelock if they go round, which
 * those do that are `endless`. */
struct scheduler_finding host_ending_waits(bool endless);

#endif
