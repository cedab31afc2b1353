/* explore_public.c - what programs themselves tell the thread sanitizer, for
 * the explorer.
 *
 * The entry points of <sanitizer/tsan_interface.h>.  What is said to order
 * accesses is believed; the rest must only be there. */
#include "runtime/common/public_hooks.h"
#include "scheduler_hook.h"

#if PLUMB_HOOKS

static inline void acquire(const void *at)
{
    if (RARELY(races_on) && scheduler_inside)
        races_acquire(scheduler_self(), at);
}

static inline void release(const void *at)
{
    if (RARELY(races_on) && scheduler_inside)
        races_release(scheduler_self(), at);
}

HOOK(void, __tsan_acquire, void *at)
{
    acquire(at);
}

HOOK(void, __tsan_release, void *at)
{
    release(at);
}

/* ---- locks of the program's own ---- */

enum { TRY_LOCK_FAILED = 1 << 5 };

HOOK(void, __tsan_mutex_post_lock, void *at, unsigned flags, int recursion)
{
    (void)recursion;
    if (!(flags & TRY_LOCK_FAILED))
        acquire(at);
}

/* How many times it was locked, for who locks it as often again. */
HOOK(int, __tsan_mutex_pre_unlock, void *at, unsigned flags)
{
    (void)flags;
    release(at);
    return 1;
}

#endif
