/* livelock_replay.h - do these steps lead back to where they began? */
#ifndef PLUMB_HOST_LIVELOCK_REPLAY_H
#define PLUMB_HOST_LIVELOCK_REPLAY_H

#include "runtime/explore/job/job.h"
#include "strategies/machine.h"

/* The machine stands at the end of a round.  Do two more: true if both can be
 * done, lead to the same state, and leave out nobody who is ready all the time.
 * Then they can be done for ever, however fair the schedule. */
bool host_livelock_replay(const struct plumb_strategies_machine *m,
                          const struct job_step *step, uint32_t cycle);

#endif
