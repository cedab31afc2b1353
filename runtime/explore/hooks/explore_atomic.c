/* explore_atomic.c - atomic operations of 8 to 64 bits, and fences, for the
 * explorer.
 *
 * Each is one event, after which the hook does the access without any other
 * thread in between.  The order that was asked for matters to the race detector
 * alone: executions are sequentially consistent.  A weak compare-and-exchange
 * fails when a strong one does, and only then. */
#include "atomic_hook.h"

#if PLUMB_HOOKS

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/* ---- fences: no access, so no event ---- */

HOOK(void, __tsan_atomic_thread_fence, int order)
{
    order &= ORDERS;
    if (RARELY(races_on) && scheduler_inside)
        races_fence(scheduler_self(), order);
    if (RARELY(target_trace != NULL))
        hooks_trace_fence(HERE, order);
}

HOOK(void, __tsan_atomic_signal_fence, int order)
{
    (void)order; /* calling us has kept the compiler in order */
}

#endif
