/* refusal.h - what is wrong with a request or a target, for plumb to say. */
#ifndef PLUMB_HOST_REFUSAL_H
#define PLUMB_HOST_REFUSAL_H

#include "runtime/explore/job/job.h"
#include <plumb/error.h>

/* Write job->message, unless there is one.  Always false. */
bool host_complain(struct job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* End the job: there is no time or memory left, or something is wrong and
 * `message` says what.  Always false. */
bool host_give_up(struct job *job, enum plumb_status why, const char *message);

#endif
