/* fake_stage.h - what the stage would do, as far as one part at a time needs
 * it. */
#ifndef FAKE_STAGE_H
#define FAKE_STAGE_H

#include "runtime/explore/job/trace.h"
#include "runtime/explore/scheduler/scheduler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

bool scheduler_inside;
struct job_trace *target_trace;
static struct {
    jmp_buf back;
    enum scheduler_fault fault;
    char text[160];
} failed;

void scheduler_free(const void *pc, const void *block, size_t size)
{
    (void)pc, (void)block, (void)size;
}

void scheduler_allocation(const void *pc, size_t size)
{
    (void)pc, (void)size;
}

void scheduler_changed(void)
{
}

unsigned scheduler_choose(const void *pc, unsigned n, const char *what)
{
    (void)pc, (void)n, (void)what;
    return 0;
}

struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size)
{
    (void)kind, (void)pc, (void)at, (void)size;
    return NULL;
}

void scheduler_fail(enum scheduler_fault fault, const void *pc, const void *at,
                    const char *format, ...)
{
    va_list list;
    (void)pc, (void)at;
    scheduler_inside = false;
    failed.fault = fault;
    va_start(list, format);
    vsnprintf(failed.text, sizeof failed.text, format, list);
    va_end(list);
    longjmp(failed.back, 1);
}

#endif
