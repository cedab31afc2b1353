/* replaying.h - a job: one schedule again, with a trace of what happens. */
#ifndef PLUMB_HOST_REPLAYING_H
#define PLUMB_HOST_REPLAYING_H

#include "play.h"

/* Before the play is opened: what setup allocates is recorded, too. */
void replay_listen(struct job *job);

/* The schedule of the request.  Sets job->end and what else of the job there is
 * to tell. */
void replay_play(struct play *p);

#endif
