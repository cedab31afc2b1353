/* exploring.h - a job: run schedules of a play and keep what they showed. */
#ifndef PLUMB_HOST_EXPLORING_H
#define PLUMB_HOST_EXPLORING_H

#include "play.h"

/* Sets job->end and what else of the job there is to tell. */
void explore_play(struct play *p, struct plumb_budget *budget);

#endif
