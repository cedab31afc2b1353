/* public_hooks.h - what programs tell the thread sanitizer and nobody here wants
 * to know.
 *
 * clang says by __has_feature(thread_sanitizer) that it is there, and some
 * programs then announce their locks and fibers (<sanitizer/tsan_interface.h>).
 * Such programs must link and run.  Each runtime includes this once. */
#ifndef PLUMB_RUNTIME_COMMON_PUBLIC_HOOKS_H
#define PLUMB_RUNTIME_COMMON_PUBLIC_HOOKS_H

#include "hook.h"

#if PLUMB_HOOKS

#define ANNOUNCE_MUTEX(name)                                                   \
    HOOK(void, __tsan_mutex_##name, void *at, unsigned flags)                  \
    {                                                                          \
        (void)at, (void)flags;                                                 \
    }

ANNOUNCE_MUTEX(create)
ANNOUNCE_MUTEX(destroy)
ANNOUNCE_MUTEX(pre_lock)
ANNOUNCE_MUTEX(post_unlock)
ANNOUNCE_MUTEX(pre_signal)
ANNOUNCE_MUTEX(post_signal)
ANNOUNCE_MUTEX(pre_divert)
ANNOUNCE_MUTEX(post_divert)

/* Fibers of the program's own have names that are not NULL, and that is all. */
static char public_fiber;

HOOK(void *, __tsan_get_current_fiber, void)
{
    return &public_fiber;
}

HOOK(void *, __tsan_create_fiber, unsigned flags)
{
    (void)flags;
    return &public_fiber;
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
#endif
