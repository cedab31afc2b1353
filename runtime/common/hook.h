/* hook.h - the point before an access where a thread may be disturbed.
 *
 * A hook runs millions of times between two pauses, so all it does is count
 * down a number of its thread.  Whoever draws the pauses (noise.c) writes into
 * that number how many hooks it is to the next one.  Threads that make no
 * noise count down from the largest number there is. */
#ifndef PLUMB_RUNTIME_COMMON_HOOK_H
#define PLUMB_RUNTIME_COMMON_HOOK_H

#include <stdint.h>

/* Under the thread sanitizer itself its own entry points are there already:
 * ours are left out, and nothing is disturbed. */
#if defined(__SANITIZE_THREAD__)
#define PLUMB_HOOKS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PLUMB_HOOKS 0
#endif
#endif
#ifndef PLUMB_HOOKS
#define PLUMB_HOOKS 1
#endif

/* Hooks until the next pause.  initial-exec: reached by one instruction, from
 * position independent code, too. */
extern _Thread_local int64_t worker_hooks_left
    __attribute__((tls_model("initial-exec")));

/* There is none left: pause, and draw anew. */
void worker_hook_pause(void) __attribute__((cold));

static inline void runtime_hook_point(void)
{
    if (__builtin_expect(--worker_hooks_left <= 0, 0))
        worker_hook_pause();
}

/* A function that compilers call without anybody having declared it. */
#define HOOK(result, name, ...)                                                \
    result name(__VA_ARGS__);                                                  \
    result name(__VA_ARGS__)

#endif
