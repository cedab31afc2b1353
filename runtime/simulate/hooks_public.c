/* hooks_public.c - what programs themselves tell the thread sanitizer.
 *
 * We are not that sanitizer, and have no use for it. */
#include "runtime/common/public_hooks.h"

#if PLUMB_HOOKS

#define ANNOUNCE(name)                                                         \
    HOOK(void, __tsan_##name, void *at)                                        \
    {                                                                          \
        (void)at;                                                              \
    }

ANNOUNCE(acquire)
ANNOUNCE(release)

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

#endif
