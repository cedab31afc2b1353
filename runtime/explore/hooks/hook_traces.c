/* hook_traces.c - what hooks write into a trace of accesses that the target
 * does itself, afterwards. */
#include "atomic_hook.h"

#include <sys/uio.h>
#include <unistd.h>

/* Whether there is memory at the address shows only when the target goes on:
 * looking at it must not be what crashes. */
bool target_trace_peek(const void *at, size_t size, job_trace_value *value)
{
    const size_t part = size < sizeof *value ? size : sizeof *value;
    *value = 0;
    const struct iovec here = { value, part };
    const struct iovec there = { (void *)(uintptr_t)at, part };
    const bool inside = scheduler_inside;
    scheduler_inside =
        false; /* it is we who ask for the process, and it is this */
    const ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    scheduler_inside = inside;
    return got == (ssize_t)part;
}

static void trace_access(enum job_trace_kind kind, const void *pc,
                         const void *at, size_t size, bool known_after)
{
    job_trace_value value;
    const bool readable = target_trace_peek(at, size, &value);
    const uint32_t told = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    struct job_trace_record *const r = target_trace_add(kind, pc, at, told);
    if (!r)
        return;
    r->before = value;
    r->after = known_after ? value : 0;
    r->known = readable && known_after;
}

void hooks_traced_plain(const void *pc, const void *at, size_t size,
                        bool writes)
{
    scheduler_plain(pc, at, size, writes);
    trace_access(writes ? TRACE_WRITE : TRACE_READ, pc, at, size, !writes);
}

void hooks_trace_half(const void *pc, const void *at, size_t size, bool writes)
{
    trace_access(writes ? TRACE_WRITE : TRACE_READ, pc, at, size, !writes);
}

void hooks_trace_volatile(const void *pc, const void *at, uint32_t size,
                          bool writes)
{
    trace_access(writes ? TRACE_STORE : TRACE_LOAD, pc, at, size, !writes);
}

/* ---- accesses that the hook has done ---- */

void hooks_races_at_atomic(const void *pc, const void *at, size_t size,
                           bool reads, bool writes, int order)
{
    struct race race;
    if (races_atomic(scheduler_self(), pc, at, size, reads, writes, order,
                     &race))
        scheduler_race(&race);
}

void hooks_trace_atomic(const void *pc, const void *at, uint32_t size,
                        int order, enum job_trace_kind kind,
                        job_trace_value before, job_trace_value after,
                        job_trace_value expected)
{
    struct job_trace_record *const r = target_trace_add(kind, pc, at, size);
    if (!r)
        return;
    r->before = before;
    r->after = after;
    r->expected = expected;
    r->order = (uint8_t)order;
    r->known = true;
}

void hooks_trace_change(const void *pc, const void *at, uint32_t size,
                        job_trace_value before)
{
    struct job_trace_record *const r =
        target_trace_add(TRACE_MODIFY, pc, at, size);
    if (r)
        r->before = before;
}

void hooks_trace_fence(const void *pc, int order)
{
    struct job_trace_record *const r =
        target_trace_add(TRACE_FENCE, pc, NULL, 0);
    if (r)
        r->order = (uint8_t)order;
}
