/* objection.c - see objection.h. */
#include "objection.h"

#include <stdarg.h>
#include <stdio.h>

bool complain(struct job *job, const char *format, ...)
{
    va_list list;
    if (*job->message)
        return false;
    va_start(list, format);
    vsnprintf(job->message, sizeof job->message, format, list);
    va_end(list);
    return false;
}
