/* fake_stage.h - what the stage would do, as far as one part at a time needs
 * it. */
#ifndef FAKE_STAGE_H
#define FAKE_STAGE_H

#include "runtime/explore/scheduler/stage.h"
#include "runtime/explore/job/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

bool stage_inside;
struct trace *stage_trace;
static struct {
    jmp_buf back;
    enum stage_fault fault;
    char text[160];
} failed;

void stage_free(const void *pc, const void *block, size_t size)
{
    (void)pc, (void)block, (void)size;
}

void stage_allocation(const void *pc, size_t size)
{
    (void)pc, (void)size;
}

void stage_changed(void)
{
}

unsigned stage_choose(const void *pc, unsigned n, const char *what)
{
    (void)pc, (void)n, (void)what;
    return 0;
}

struct trace_record *trace_add(enum trace_kind kind, const void *pc,
                               const volatile void *at, uint32_t size)
{
    (void)kind, (void)pc, (void)at, (void)size;
    return NULL;
}

void stage_fail(enum stage_fault fault, const void *pc, const void *at,
                const char *format, ...)
{
    va_list list;
    (void)pc, (void)at;
    stage_inside = false;
    failed.fault = fault;
    va_start(list, format);
    vsnprintf(failed.text, sizeof failed.text, format, list);
    va_end(list);
    longjmp(failed.back, 1);
}

#endif
