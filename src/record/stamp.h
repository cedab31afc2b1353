/* stamp.h - what time it is, just before and just after an operation.
 *
 * The stamp of a call may be too early and that of a return too late: then
 * operations overlap that did not, and nothing wrong is said of a correct
 * object.  Never the other way round.  So
 *
 *   - nothing that the operation does is done before its call was stamped:
 *     the processor must not run ahead, hence the fence behind the reading;
 *   - all that it did can be seen by all others before its return is stamped:
 *     a store may wait in a buffer of its processor for long, hence the full
 *     fence before the reading.
 *
 * On x86 an lfence keeps a reading of the counter from being done early, and a
 * locked instruction, not an mfence, empties the buffer: it takes half the
 * time.  On ARM, isb and dsb do the same. */
#ifndef PLUMB_RECORD_STAMP_H
#define PLUMB_RECORD_STAMP_H

#include "history/recording/recording_format.h"
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t plumb_record_stamp_monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#if defined __x86_64__

enum { STAMP_COUNTER = RECORDING_TSC };

static inline void plumb_record_stamp_stop_running_ahead(void)
{
    __builtin_ia32_lfence();
}

static inline void plumb_record_stamp_let_all_be_seen(void)
{
    /* Below the stack pointer nobody looks: no value is changed anyway. */
    __asm__ volatile("lock; orl $0, -64(%%rsp)" ::: "memory", "cc");
    __builtin_ia32_lfence();
}

static inline uint64_t plumb_record_stamp_counter(void)
{
    return __builtin_ia32_rdtsc();
}

#elif defined __aarch64__

enum { STAMP_COUNTER = RECORDING_CNTVCT };

static inline void plumb_record_stamp_stop_running_ahead(void)
{
    __asm__ volatile("isb" ::: "memory");
}

static inline void plumb_record_stamp_let_all_be_seen(void)
{
    __asm__ volatile("dsb ish\n\tisb" ::: "memory");
}

static inline uint64_t plumb_record_stamp_counter(void)
{
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t)::"memory");
    return t;
}

#else

enum { STAMP_COUNTER = RECORDING_MONOTONIC };

static inline void plumb_record_stamp_stop_running_ahead(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void plumb_record_stamp_let_all_be_seen(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline uint64_t plumb_record_stamp_counter(void)
{
    return plumb_record_stamp_monotonic();
}

#endif

/* Not fenced: that of a call is to be followed, when it was stored, by
 * plumb_record_stamp_stop_running_ahead(). */
static inline uint64_t plumb_record_stamp_now(uint32_t clock)
{
    return clock == STAMP_COUNTER ? plumb_record_stamp_counter()
                                  : plumb_record_stamp_monotonic();
}

/* A thread may have moved to a processor whose counter is a little behind. */
static inline uint64_t plumb_record_stamp_not_before(uint64_t stamp,
                                                     uint64_t last)
{
    return stamp < last ? last : stamp;
}

static inline uint64_t plumb_record_clock_return(uint32_t clock)
{
    plumb_record_stamp_let_all_be_seen();
    return plumb_record_stamp_now(clock);
}

/* ---- which clock to stamp with ---- */

struct plumb_recorder_clock {
    uint32_t clock; /* enum recording_clock */
    uint64_t ticks_per_second;
    uint64_t uncertainty; /* ticks */
};

/* The fastest one that can be trusted here.  Takes some milliseconds. */
struct plumb_recorder_clock plumb_record_clock_choose(void);

#endif
