/* conflict_cycles.h - operations that are not conflict-serializable, counted.
 *
 * For `--also serializability`: in how many executions, and which operations
 * conflict with each other there, at which places in the code
 * (strategies/conflict_graph.h). */
#ifndef PLUMB_HOST_CONFLICT_CYCLES_H
#define PLUMB_HOST_CONFLICT_CYCLES_H

#include "strategies/explore.h"
#include "test_driver.h"

/* Of an execution that was run to its end.  False when memory is refused. */
bool host_conflict_cycles_count(const struct host_driver *p,
                                const struct plumb_strategies_execution *x,
                                struct plumb_budget *budget);

#endif
