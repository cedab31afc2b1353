/* explore_public.c - what programs themselves tell the thread sanitizer, for
 * the explorer.
 *
 * The entry points of <sanitizer/tsan_interface.h>.  What is said to order
 * accesses is believed; the rest must only be there. */
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

#define MUTEX(name)                                                            \
    HOOK(void, __tsan_mutex_##name, void *at, unsigned flags)                  \
    {                                                                          \
        (void)at, (void)flags;                                                 \
    }

MUTEX(create)
MUTEX(destroy)
MUTEX(pre_lock)
MUTEX(post_unlock)
MUTEX(pre_signal)
MUTEX(post_signal)
MUTEX(pre_divert)
MUTEX(post_divert)

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

/* ---- fibers of the program's own ---- */

/* They have names that are not NULL, and that is all. */
static char fiber;

HOOK(void *, __tsan_get_current_fiber, void)
{
    return &fiber;
}

HOOK(void *, __tsan_create_fiber, unsigned flags)
{
    (void)flags;
    return &fiber;
}

HOOK(void, __tsan_destroy_fiber, void *which)
{
    (void)which;
}

HOOK(void, __tsan_switch_to_fiber, void *to, unsigned flags)
{
    (void)to, (void)flags;
}

HOOK(void, __tsan_set_fiber_name, void *which, const char *name)
{
    (void)which, (void)name;
}

#endif
