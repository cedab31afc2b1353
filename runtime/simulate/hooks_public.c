/* hooks_public.c - what programs themselves tell the thread sanitizer.
 *
 * clang says by __has_feature(thread_sanitizer) that it is there, and some
 * programs then announce their locks and fibers (<sanitizer/
 * tsan_interface.h>).  We are not that sanitizer and have no use for it, but
 * such programs must link and run. */
#include "runtime/common/hook.h"

#if PLUMB_HOOKS

#define ANNOUNCE(name)                                                         \
    HOOK(void, __tsan_##name, void *at)                                        \
    {                                                                          \
        (void)at;                                                              \
    }

ANNOUNCE(acquire)
ANNOUNCE(release)
ANNOUNCE(destroy_fiber)

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
    (void)at, (void)flags, (void)recursion;
}

/* How many times it was locked, for who locks it as often again. */
HOOK(int, __tsan_mutex_pre_unlock, void *at, unsigned flags)
{
    (void)at, (void)flags;
    return 1;
}

/* Fibers have names that are not NULL, and that is all. */
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

HOOK(void, __tsan_switch_to_fiber, void *to, unsigned flags)
{
    (void)to, (void)flags;
}

HOOK(void, __tsan_set_fiber_name, void *which, const char *name)
{
    (void)which, (void)name;
}

#endif
