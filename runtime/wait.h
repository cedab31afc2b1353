/* wait.h - the time, and waiting for another thread of the worker.
 *
 * The waits are short and many: they spin a little and then yield, since a
 * futex costs more than a whole history. */
#ifndef PLUMB_RUNTIME_WAIT_H
#define PLUMB_RUNTIME_WAIT_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

enum { WAIT_SPINS = 50, WAIT_YIELDS = 2000, WAIT_NAP_NANOSECONDS = 50000 };

static inline void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Once more round a waiting loop that has gone round `turns` times. */
static inline void wait_a_little(unsigned turns)
{
    const struct timespec nap = { .tv_nsec = WAIT_NAP_NANOSECONDS };
    if (turns < WAIT_SPINS)
        relax();
    else if (turns < WAIT_SPINS + WAIT_YIELDS)
        sched_yield();
    else
        nanosleep(&nap, NULL);
}

static inline uint64_t nanoseconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
