/* coverage.h - what was tried, for telling how good a pass is. */
#ifndef PLUMB_HOST_COVERAGE_H
#define PLUMB_HOST_COVERAGE_H

#include "play.h"
#include "sched/explore.h"

/* A thread is about to do its event. */
void coverage_step(const struct play *p, unsigned thread);

/* An execution has ended. */
void coverage_end(const struct play *p, const struct plumb_execution *x);

#endif
