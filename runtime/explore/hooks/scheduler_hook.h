/* scheduler_hook.h - what the hooks of the explorer share.
 *
 * A hook tells the scheduler first, then does the access (or returns, and the
 * target does), and then says what came of it: to the race detector, and to
 * the trace while there is one.  One fiber runs at a time, so that atomic
 * accesses need no atomic instruction.
 *
 * Hooks may be called while the target is loaded, before there is a thread:
 * then only the access is done. */
#ifndef PLUMB_RUNTIME_EXPLORE_HOOKS_SCHEDULER_HOOK_H
#define PLUMB_RUNTIME_EXPLORE_HOOKS_SCHEDULER_HOOK_H

#include "runtime/common/hook.h"
#include "runtime/explore/job/trace.h"
#include "runtime/explore/races/race_log.h"
#include "runtime/explore/races/races.h"
#include "runtime/explore/scheduler/scheduler.h"

/* Of the target, and where its stack ends. */
#undef HERE
#define HERE                                                                   \
    (scheduler_caller_stack = (uintptr_t)__builtin_dwarf_cfa(),                \
     __builtin_return_address(0))

#define RARELY(condition) __builtin_expect((condition), 0)

/* A plain access that is about to be done, and a record of it. */
void hooks_traced_plain(const void *pc, const void *at, size_t size,
                        bool writes) __attribute__((cold));

/* A record of half of a copy. */
void hooks_trace_half(const void *pc, const void *at, size_t size, bool writes)
    __attribute__((cold));

/* A record of a volatile one.  What it writes is not known yet. */
void hooks_trace_volatile(const void *pc, const void *at, uint32_t size,
                          bool writes) __attribute__((cold));

/* The hot path: one test and one jump. */
static inline void hooks_plain(const void *pc, const void *at, size_t size,
                               bool writes)
{
    if (RARELY(target_trace != NULL))
        hooks_traced_plain(pc, at, size, writes);
    else
        scheduler_plain(pc, at, size, writes);
}

/* An access that may be half of a copy. */
static inline void hooks_copy_half(const void *pc, const void *at, size_t size,
                                   bool writes, bool surely)
{
    if (size == 0)
        return;
    if (writes)
        scheduler_copy_to(pc, at, size);
    else
        scheduler_copy_from(pc, at, size, surely);
    if (RARELY(target_trace != NULL))
        hooks_trace_half(pc, at, size, writes);
}

/* Have the race detector look at an atomic access at once. */
void hooks_races_at_atomic(const void *pc, const void *at, size_t size,
                           bool reads, bool writes, int order);

/* Tell the race detector of an atomic access that was done. */
static inline void hooks_races_after_atomic(const void *pc, const void *at,
                                            size_t size, bool reads,
                                            bool writes, int order)
{
    if (races_on && scheduler_inside &&
        !race_note_atomic(scheduler_self(), pc, at, size, reads, writes, order))
        hooks_races_at_atomic(pc, at, size, reads, writes, order);
}

#endif
