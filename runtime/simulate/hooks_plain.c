/* hooks_plain.c - what compilers call before accesses that are not atomic.
 *
 * The access itself stays where it is in the program: it follows the hook.
 * Only copying and filling are replaced altogether.  Names and arguments are
 * those that gcc 12 and clang 14 to 19 write with -fsanitize=thread; what only
 * one of them knows is marked.
 *
 * Entering and leaving a function is no access: a pause there would be one
 * before the next access, or after the last, where it only makes an operation
 * look longer than it is. */
#include "runtime/common/hook.h"

#include <stddef.h>
#include <string.h>

#if PLUMB_HOOKS

/* ---- nothing to do ---- */

HOOK(void, __tsan_init, void)
{
}

HOOK(void, __tsan_func_entry, void *caller)
{
    (void)caller;
}

HOOK(void, __tsan_func_exit, void)
{
}

/* clang: functions that ask not to be watched while they run */
HOOK(void, __tsan_ignore_thread_begin, void)
{
}

HOOK(void, __tsan_ignore_thread_end, void)
{
}

/* ---- reading and writing ---- */

#define ACCESS(name)                                                           \
    HOOK(void, __tsan_##name, void *at)                                        \
    {                                                                          \
        (void)at;                                                              \
        runtime_hook_point();                                                  \
    }

#define EACH_SIZE(kind)                                                        \
    ACCESS(kind##1)                                                            \
    ACCESS(kind##2)                                                            \
    ACCESS(kind##4)                                                            \
    ACCESS(kind##8)                                                            \
    ACCESS(kind##16)

EACH_SIZE(read)
EACH_SIZE(write)
EACH_SIZE(volatile_read)
EACH_SIZE(volatile_write)

/* clang; gcc calls the ranges below */
EACH_SIZE(unaligned_read)
EACH_SIZE(unaligned_write)
EACH_SIZE(unaligned_volatile_read)
EACH_SIZE(unaligned_volatile_write)

/* clang, if asked: one hook for both halves of x++ */
EACH_SIZE(read_write)
EACH_SIZE(unaligned_read_write)

#define RANGE(name)                                                            \
    HOOK(void, __tsan_##name, void *at, size_t size)                           \
    {                                                                          \
        (void)at, (void)size;                                                  \
        runtime_hook_point();                                                  \
    }

/* gcc: structures, long vectors, what is not aligned */
RANGE(read_range)
RANGE(write_range)

/* ---- the table of virtual functions that an object points to ---- */

HOOK(void, __tsan_vptr_update, void **at, void *table)
{
    (void)at, (void)table;
    runtime_hook_point();
}

/* clang */
HOOK(void, __tsan_vptr_read, void **at)
{
    (void)at;
    runtime_hook_point();
}

/* ---- copying and filling: clang since 15 ---- */

HOOK(void *, __tsan_memcpy, void *to, const void *from, size_t size)
{
    runtime_hook_point();
    return memcpy(to, from, size);
}

HOOK(void *, __tsan_memmove, void *to, const void *from, size_t size)
{
    runtime_hook_point();
    return memmove(to, from, size);
}

HOOK(void *, __tsan_memset, void *to, int byte, size_t size)
{
    runtime_hook_point();
    return memset(to, byte, size);
}

#endif
