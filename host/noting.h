/* noting.h - the machine that strategies get: the target's, noted down.
 *
 * Each step is in job->now before it is done: if the target takes this process
 * with it, plumb knows by which schedule.  There is one machine at a time. */
#ifndef PLUMB_HOST_NOTING_H
#define PLUMB_HOST_NOTING_H

#include "play.h"

struct plumb_machine noting_machine(struct play *p);

/* The next execution has nothing to do with the one before. */
void noting_forget(void);

/* Is the execution one of those whose coverage is counted? */
bool noting_is_sample(void);

/* What was found by a stroll is found again when that is repeated, or the
 * target is not deterministic.  To be asked after each execution. */
bool noting_does_the_same_again(void);

#endif
