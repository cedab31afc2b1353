/* stuck_prefix.h - operations that wait for what another operation would do,
 * which nobody has called yet.
 *
 * A test need not go on.  Where everybody who can go on stands before a call,
 * the history so far is one of a shorter test, in which those calls are not
 * made, and in that test the operations wait for ever. */
#ifndef PLUMB_HOST_STUCK_PREFIX_H
#define PLUMB_HOST_STUCK_PREFIX_H

#include "test_driver.h"

/* Such moments are judged from here on; the play has a specification. */
void host_stuck_prefix_judge(struct host_driver *p,
                             struct plumb_budget *budget);
void host_stuck_prefix_forget(void);

/* Everybody else waits, or goes round.  Are there calls that could still be
 * made?  And is that a moment to be judged, because an operation is open? */
bool host_stuck_prefix_has_calls_left(const struct host_driver *p);
bool host_stuck_prefix_is_here(const struct host_driver *p);

#endif
