/* step_journal.h - the machine that strategies get: the target's, noted down.
 *
 * Each step is in job->now before it is done: if the target takes this process
 * with it, plumb knows by which schedule.  There is one machine at a time. */
#ifndef PLUMB_HOST_STEP_JOURNAL_H
#define PLUMB_HOST_STEP_JOURNAL_H

#include "test_driver.h"

struct plumb_strategies_machine host_step_journal_machine(
    struct host_driver *p);

/* The next execution has nothing to do with the one before. */
void host_step_journal_forget(void);

/* Where in the code a step of the execution was, if request.cycles. */
const void *host_step_journal_place(uint32_t step);

/* Is the execution one of those whose coverage is counted? */
bool host_step_journal_is_sample(void);

/* What was found by a random run is found again when that is repeated, or the
 * target is not deterministic.  To be asked after each execution. */
bool host_step_journal_does_the_same_again(void);

#endif
