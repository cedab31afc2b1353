/* refusal.c - see refusal.h. */
#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>

bool host_complain(struct job *job, const char *format, ...)
{
    va_list list;
    if (*job->message)
        return false;
    va_start(list, format);
    vsnprintf(job->message, sizeof job->message, format, list);
    va_end(list);
    return false;
}

static enum job_end end_of(enum plumb_status status)
{
    switch (status) {
    case PLUMB_ETIME:
        return JOB_TIME;
    case PLUMB_EMEMORY:
        return JOB_MEMORY;
    case PLUMB_ESTOP:
        return JOB_STOPPED;
    default:
        return JOB_ERROR;
    }
}

bool host_give_up(struct job *job, enum plumb_status why, const char *message)
{
    job->end = end_of(why);
    return job->end == JOB_ERROR ? host_complain(job, "%s", message) : false;
}
