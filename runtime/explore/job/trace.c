/* trace.c - see trace.h. */
#include "trace.h"

#include "runtime/explore/scheduler/scheduler_state.h"
#include <stddef.h>

struct job_trace *target_trace;

__attribute__((noinline)) void target_trace_goes_on(uint32_t step,
                                                    const void *pc)
{
    __asm__ volatile("" : : "r"(step), "r"(pc) : "memory");
}

struct job_trace_record *target_trace_add(enum job_trace_kind kind,
                                          const void *pc,
                                          const volatile void *at,
                                          uint32_t size)
{
    struct job_trace *const t = target_trace;
    if (__builtin_expect(!t, 1))
        return NULL;
    if (t->count >= t->capacity) {
        t->count++;
        return NULL;
    }
    struct job_trace_record *const r = &t->record[t->count++];
    *r = (struct job_trace_record){ .at = (uintptr_t)at,
                                    .pc = (uintptr_t)pc,
                                    .step = scheduler.step,
                                    .size = size,
                                    .thread = (uint8_t)scheduler_running,
                                    .kind = (uint8_t)kind };
    return r;
}

void target_trace_number(enum job_trace_kind kind, const void *pc,
                         uint64_t number)
{
    struct job_trace_record *const r = target_trace_add(kind, pc, NULL, 0);
    if (r)
        r->after = number;
}

void target_trace_elements(size_t size)
{
    struct job_trace *const t = target_trace;
    if (t && t->count && t->count <= t->capacity &&
        t->record[t->count - 1].kind == TRACE_ALLOCATE)
        t->record[t->count - 1].before = size;
}
