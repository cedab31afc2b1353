/* kept_history.h - the histories that a host kept (job_keeps), one by one. */
#ifndef PLUMB_APP_EXPLORE_ROUND_UP_KEPT_HISTORY_H
#define PLUMB_APP_EXPLORE_ROUND_UP_KEPT_HISTORY_H

#include "runtime/explore/job/job.h"

struct explore_kept {
    struct job_kept head;
    struct job_kept_operation operation[JOB_OPERATIONS];
    const struct job_step *step; /* in the job */
};

/* Read the one at *at, which is 0 for the first, and go on.  False: the target
 * overwrote it. */
bool explore_kept_next(const struct job *job, uint32_t *at,
                       struct explore_kept *k);

/* Bit i: operation i had returned when this one was called. */
uint64_t explore_kept_before(const struct job_kept_operation *o);

/* The same as a finding with a wrong history, but for where its steps are. */
void explore_kept_finding(const struct job *job, const struct explore_kept *k,
                          struct job_finding *f);

#endif
