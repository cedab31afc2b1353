/* wait.h - the time, and letting some of it pass. */
#ifndef PLUMB_RUNTIME_COMMON_WAIT_H
#define PLUMB_RUNTIME_COMMON_WAIT_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { NAP_LENGTH = 100000 }; /* nanoseconds */

/* Leave the processor to others for a moment. */
static inline void runtime_take_a_nap(void)
{
    const struct timespec nap = { .tv_nsec = NAP_LENGTH };
    nanosleep(&nap, NULL);
}

static inline uint64_t runtime_nanoseconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Of a clock that never goes back. */
static inline uint64_t runtime_nanoseconds_now(void)
{
    return runtime_nanoseconds_of(CLOCK_MONOTONIC);
}

/* That this thread has computed, whoever else needs the processor.  (The clock
 * of a process with several threads may lag behind by a tick.) */
static inline uint64_t runtime_nanoseconds_used(void)
{
    return runtime_nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* The same for who has waited for so long: a 32nd more, and at most 8 ms. */
static inline void runtime_take_another_nap(uint64_t nanoseconds)
{
    const uint64_t more = nanoseconds / 32;
    const struct timespec nap = { 0, (long)(more < 250000    ? 250000
                                            : more < 8000000 ? more
                                                             : 8000000) };
    nanosleep(&nap, NULL);
}

#endif
