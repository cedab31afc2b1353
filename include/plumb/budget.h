/* budget.h - how much time and memory a run may use.
 *
 * One budget is shared by all parts of a run and all its threads.  Everything
 * libplumb allocates is charged to one; a NULL budget is without limits. */
#ifndef PLUMB_BUDGET_H
#define PLUMB_BUDGET_H

#include <plumb/error.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct plumb_budget;

/* A limit of 0 is none.  NULL when even the budget cannot be allocated. */
struct plumb_budget *plumb_budget_new(uint64_t milliseconds, size_t bytes);
void plumb_budget_free(struct plumb_budget *budget);

/* So much time from now on, instead of what was left; 0 is no limit.  Only
 * while nothing runs on it. */
void plumb_budget_allow(struct plumb_budget *budget, uint64_t milliseconds);

/* Ask everything that runs on `budget` to stop.  Safe in a signal handler. */
void plumb_budget_stop(struct plumb_budget *budget);

/* PLUMB_OK, or why the run has to end: PLUMB_ESTOP or PLUMB_ETIME.  (Memory is
 * refused allocation by allocation.)  Costs a clock read: ask every 1000 steps.
 */
enum plumb_status plumb_budget_state(const struct plumb_budget *budget);

/* Bytes charged now, and the most there ever were. */
size_t plumb_budget_used(const struct plumb_budget *budget);
size_t plumb_budget_peak(const struct plumb_budget *budget);

#ifdef __cplusplus
}
#endif
#endif
