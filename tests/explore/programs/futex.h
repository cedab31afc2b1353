/* futex.h - the system call as programs write it. */
#ifndef FUTEX_H
#define FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline long futex_wait(atomic_uint *word, unsigned value,
                              const struct timespec *limit)
{
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, limit, NULL, 0);
}

static inline long futex_wake(atomic_uint *word, int most)
{
    return syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

#endif
