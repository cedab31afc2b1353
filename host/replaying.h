/* replaying.h - a job: one schedule again, with a trace of what happens. */
#ifndef PLUMB_HOST_REPLAYING_H
#define PLUMB_HOST_REPLAYING_H

#include "test_driver.h"

/* Before the play is opened: what setup allocates is recorded, too. */
void host_replay_listen(struct job *job);

/* The schedule of the request.  Sets job->end and what else of the job there is
 * to tell. */
void host_replay_play(struct host_driver *p);

#endif
