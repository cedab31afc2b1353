/* exploring.h - a job: run schedules of a play and keep what they showed. */
#ifndef PLUMB_HOST_EXPLORING_H
#define PLUMB_HOST_EXPLORING_H

#include "test_driver.h"

/* Sets job->end and what else of the job there is to tell. */
void host_explore_test(struct host_driver *p, struct plumb_budget *budget);

#endif
