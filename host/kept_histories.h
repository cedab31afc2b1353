/* kept_histories.h - histories for who decides them itself (job_keeps). */
#ifndef PLUMB_HOST_KEPT_HISTORIES_H
#define PLUMB_HOST_KEPT_HISTORIES_H

#include "strategies/explore.h"
#include "test_driver.h"

/* Keep the history of an execution that has ended and its schedule, if all of
 * its operations have returned.  False when memory is refused. */
bool host_kept_add(const struct host_driver *p,
                   const struct plumb_strategies_execution *x,
                   struct plumb_budget *budget);

/* None is kept. */
void host_kept_forget(struct job *job);

#endif
