/* gate.h - waiting until another thread has set or raised a number.
 *
 * A thread that waits yields a few times, as the wait is mostly short, and then
 * sleeps: threads that only yield keep those that work from the processors.
 * Whoever changes the number makes a system call only if somebody sleeps.
 *
 * Why no wake-up is lost: a sleeper counts itself before the kernel compares
 * the number once more, and the number is changed before the sleepers are
 * counted.  All four are sequentially consistent, so that if the changer sees
 * no sleeper, the kernel sees the change. */
#ifndef PLUMB_RUNTIME_COMMON_GATE_H
#define PLUMB_RUNTIME_COMMON_GATE_H

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GATE_SPINS = 50, GATE_YIELDS = 60 };

struct runtime_gate {
    _Alignas(64) _Atomic uint32_t number;
    _Atomic uint32_t sleepers;
};

static inline void runtime_gate_wake(struct runtime_gate *g)
{
    if (atomic_load(&g->sleepers) > 0)
        syscall(SYS_futex, &g->number, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL,
                0);
}

static inline void runtime_gate_set(struct runtime_gate *g, uint32_t number)
{
    atomic_store(&g->number, number);
    runtime_gate_wake(g);
}

/* To 0, while nobody waits. */
static inline void runtime_gate_reset(struct runtime_gate *g)
{
    atomic_store_explicit(&g->number, 0, memory_order_relaxed);
}

/* Add one; wake others only at `last`, which is what they wait for. */
static inline void runtime_gate_raise(struct runtime_gate *g, uint32_t last)
{
    if (atomic_fetch_add(&g->number, 1) + 1 == last)
        runtime_gate_wake(g);
}

static inline void runtime_gate_sleep(struct runtime_gate *g, uint32_t seen)
{
    atomic_fetch_add(&g->sleepers, 1);
    syscall(SYS_futex, &g->number, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    atomic_fetch_sub(&g->sleepers, 1);
}

static inline void runtime_gate_await(struct runtime_gate *g, uint32_t number)
{
    uint32_t seen;
    for (unsigned turns = 0; (seen = atomic_load(&g->number)) != number;
         turns++) {
        if (turns >= GATE_SPINS + GATE_YIELDS)
            runtime_gate_sleep(g, seen);
        else if (turns >= GATE_SPINS)
            sched_yield();
#if defined __x86_64__ || defined __i386__
        else
            __builtin_ia32_pause();
#endif
    }
}

#endif
