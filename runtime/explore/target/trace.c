/* trace.c - see trace.h. */
#include "runtime/explore/job/trace.h"

#include "runtime/explore/scheduler/stage_state.h"
#include <stddef.h>
#include <string.h>

struct trace *stage_trace;

__attribute__((noinline)) void trace_goes_on(uint32_t step, const void *pc)
{
    __asm__ volatile("" : : "r"(step), "r"(pc) : "memory");
}

struct trace_record *trace_add(enum trace_kind kind, const void *pc,
                               const volatile void *at, uint32_t size)
{
    struct trace *const t = stage_trace;
    if (__builtin_expect(!t, 1))
        return NULL;
    if (t->count >= t->capacity) {
        t->count++;
        return NULL;
    }
    struct trace_record *const r = &t->record[t->count++];
    *r = (struct trace_record){ .at = (uintptr_t)at,
                                .pc = (uintptr_t)pc,
                                .step = stage.step,
                                .size = size,
                                .thread = (uint8_t)stage_running,
                                .kind = (uint8_t)kind };
    return r;
}

void trace_elements(size_t size)
{
    struct trace *const t = stage_trace;
    if (t && t->count && t->count <= t->capacity &&
        t->record[t->count - 1].kind == TRACE_ALLOCATE)
        t->record[t->count - 1].before = size;
}
