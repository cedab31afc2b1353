/* trace.c - see trace.h. */
#include "trace.h"

#include "runtime/explore/memory/image.h"
#include "runtime/explore/scheduler/scheduler_state.h"
#include <stddef.h>

struct job_trace *target_trace;

__attribute__((noinline)) void target_trace_goes_on(uint32_t step,
                                                    const void *pc)
{
    __asm__ volatile("" : : "r"(step), "r"(pc) : "memory");
}

/* ---- who called the library that we are in ---- */

/* The functions of the target that each thread is in: where the stack ended in
 * them.  A call writes just below where it returns to. */
enum { DEPTH = 64 };
static struct calls {
    uintptr_t stack[DEPTH];
    unsigned depth;
} calls[PLUMB_MAX_THREADS];

void target_trace_enters(uintptr_t stack)
{
    struct calls *const c = &calls[scheduler_running];
    /* functions that were left in another way lie deeper */
    while (c->depth && c->stack[c->depth - 1] <= stack)
        c->depth--;
    if (c->depth < DEPTH)
        c->stack[c->depth++] = stack;
}

void target_trace_leaves(void)
{
    struct calls *const c = &calls[scheduler_running];
    if (c->depth)
        c->depth--;
}

/* Where the target called the code at `pc` from, which is not its own. */
static uintptr_t caller_of(const void *pc)
{
#ifdef __x86_64__
    const struct calls *const c = &calls[scheduler_running];
    job_trace_value back = 0;
    if (c->depth && !memory_image_has_code(pc) &&
        target_trace_peek((void *)(c->stack[c->depth - 1] - sizeof(uintptr_t)),
                          sizeof(uintptr_t), &back) &&
        memory_image_has_code((void *)(uintptr_t)back))
        return (uintptr_t)back;
#endif
    return (uintptr_t)pc;
}

/* ---- records ---- */

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
                                    .pc = caller_of(pc),
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
