/* noise.h - disturbing the threads of an object at random.
 *
 * An object compiled with -fsanitize=thread calls a hook of ours before every
 * access to memory (hook.h).  While a thread makes noise, some of its hooks
 * pause: give up the processor, wait until the other processes have got some
 * events further, or idle for a moment.  Threads that
 * did not begin, and those of programs that only link the hooks, never pause. */
#ifndef PLUMB_RUNTIME_SIMULATE_NOISE_H
#define PLUMB_RUNTIME_SIMULATE_NOISE_H

#include <stdatomic.h>
#include <stdint.h>

/* This thread begins its part of a history.  `level`: how often it pauses on
 * the average until worker_noise_end(); 0 never.  `clock` counts the returns of all
 * processes (record/log.h): it is how a pause sees that others get on. */
void worker_noise_begin(uint64_t seed, unsigned level,
                        const _Atomic uint64_t *clock);

/* ... and ends it.  The number of hooks it passed, 0 if nothing of the object
 * is instrumented. */
uint64_t worker_noise_end(void);

#endif
