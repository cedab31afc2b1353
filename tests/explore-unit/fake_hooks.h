/* fake_hooks.h - hooks that do nothing, for targets without a stage. */
#ifndef FAKE_HOOKS_H
#define FAKE_HOOKS_H

#include <stddef.h>

#define HOOK(name, ...)                                                        \
    void name(__VA_ARGS__);                                                    \
    void name(__VA_ARGS__)                                                     \
    {                                                                          \
    }
#define UNUSED       __attribute__((unused))
#define ACCESS(name) HOOK(name, void *at UNUSED)
#define SIZES(name)                                                            \
    ACCESS(name##1)                                                            \
    ACCESS(name##2)                                                            \
    ACCESS(name##4)                                                            \
    ACCESS(name##8)                                                            \
    ACCESS(name##16)

HOOK(__tsan_init, void)
HOOK(__tsan_func_exit, void)
ACCESS(__tsan_func_entry)
SIZES(__tsan_read)
SIZES(__tsan_write)
SIZES(__tsan_unaligned_read)
SIZES(__tsan_unaligned_write)
ACCESS(__tsan_vptr_read)
HOOK(__tsan_vptr_update, void *at UNUSED, void *to UNUSED)
HOOK(__tsan_read_range, void *at UNUSED, size_t size UNUSED)
HOOK(__tsan_write_range, void *at UNUSED, size_t size UNUSED)

/* gcc asks whether a local static is there already. */
unsigned char __tsan_atomic8_load(const volatile unsigned char *at, int order);
unsigned char __tsan_atomic8_load(const volatile unsigned char *at,
                                  int order UNUSED)
{
    return *at;
}

/* Clang 15 and later. */
void *__tsan_memset(void *at, int byte, size_t size);
void *__tsan_memset(void *at, int byte, size_t size)
{
    unsigned char *const to = at;
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)byte;
    return at;
}

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

/* What the host's shims would be. */
int __cxa_guard_acquire(char *guard);
int __cxa_guard_acquire(char *guard)
{
    return *guard == 0;
}

HOOK(__cxa_guard_abort, char *guard UNUSED)
void __cxa_guard_release(char *guard);
void __cxa_guard_release(char *guard)
{
    *guard = 1;
}

int __cxa_atexit(void (*f)(void *), void *a, void *object);
int __cxa_atexit(void (*f)(void *) UNUSED, void *a UNUSED, void *object UNUSED)
{
    return 0;
}

#endif
