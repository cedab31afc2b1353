/* atomic_hook.h - the atomic operations of one size, as hooks.
 *
 * ATOMIC(bits, word) defines __tsan_atomic<bits>_load and all the others.
 * Memory is copied to and from: atomics in packed structures are where they
 * are. */
#ifndef PLUMB_RUNTIME_EXPLORE_HOOKS_ATOMIC_HOOK_H
#define PLUMB_RUNTIME_EXPLORE_HOOKS_ATOMIC_HOOK_H

#include "runtime/explore/scheduler/fiber_switch.h"
#include "scheduler_hook.h"
#include "weak_orders.h"

#include <string.h>

/* gcc has flags of its own above the memory_order. */
enum { ORDERS = 7 };

/* An atomic access of `size` bytes was done. */
void hooks_trace_atomic(const void *pc, const void *at, uint32_t size,
                        int order, enum job_trace_kind kind,
                        job_trace_value before, job_trace_value after,
                        job_trace_value expected) __attribute__((cold));
/* An update of which only is known what was there. */
void hooks_trace_change(const void *pc, const void *at, uint32_t size,
                        job_trace_value before) __attribute__((cold));
void hooks_trace_fence(const void *pc, int order) __attribute__((cold));

/* The same, for all who follow.  A race ends the execution: it is looked for
 * last. */
static inline void hooks_tell_atomic(const void *pc, const void *at,
                                     uint32_t size, int order,
                                     enum job_trace_kind kind, bool writes,
                                     job_trace_value before,
                                     job_trace_value after,
                                     job_trace_value expected)
{
    if (RARELY(target_trace != NULL))
        hooks_trace_atomic(pc, at, size, order, kind, before, after, expected);
    hooks_weak_order_note(pc, order);
    hooks_races_after_atomic(pc, at, size, kind != TRACE_STORE, writes, order);
}

/* What compare-and-exchange expects is a plain variable that gcc hides from the
 * hooks.  Almost always it is a local one, which is nobody else's concern. */
static inline bool hooks_is_local(const void *at)
{
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    return (uintptr_t)at - frame < 1 << 12;
}

/* While a thread stands, the frames of its hook are part of its stack, which
 * states and rounds are compared by.  What earlier calls have left in their gaps
 * would make two of one.  So where stacks are compared, a hook is two functions:
 * one without a frame that clears the stack below, and the one that stands. */
#define TIDY_HOOK(give, result, name, inner, parameters, ...)                  \
    HOOK(result, name, parameters)                                             \
    {                                                                          \
        if (RARELY(scheduler_tidy))                                            \
            FIBER_CLEAR_STACK();                                               \
        give inner(HERE, __VA_ARGS__);                                         \
    }
#define PARAMETERS(...) __VA_ARGS__
#define INNER           static __attribute__((noinline))

/* ---- loads, stores, updates ---- */

/* One operation of the hook it stands in: `was` is what was there, and `now` is
 * an expression for what becomes of that. */
#define ATOMIC_STEP(word, what, writes, now)                                   \
    void *const memory = (void *)(uintptr_t)at;                                \
    scheduler_access(pc, at, sizeof(word),                                     \
                     (writes) ? PLUMB_EVENT_WRITE : PLUMB_EVENT_READ);         \
    word was;                                                                  \
    memcpy(&was, memory, sizeof was);                                          \
    const word is = (word)(now);                                               \
    if (writes)                                                                \
        memcpy(memory, &is, sizeof is);                                        \
    hooks_tell_atomic(pc, memory, sizeof(word), order &ORDERS, what, writes,   \
                      was, is, 0)

#define ATOMIC_LOAD(bits, word)                                                \
    INNER word load##bits(const void *pc, const volatile word *at, int order)  \
    {                                                                          \
        ATOMIC_STEP(word, TRACE_LOAD, false, was);                             \
        return was;                                                            \
    }                                                                          \
    TIDY_HOOK(return, word, __tsan_atomic##bits##_load, load##bits,            \
                    PARAMETERS(const volatile word *at, int order), at, order)

#define ATOMIC_STORE(bits, word)                                               \
    INNER void store##bits(const void *pc, volatile word *at, word operand,    \
                           int order)                                          \
    {                                                                          \
        ATOMIC_STEP(word, TRACE_STORE, true, operand);                         \
    }                                                                          \
    TIDY_HOOK(, void, __tsan_atomic##bits##_store, store##bits,                \
              PARAMETERS(volatile word *at, word operand, int order), at,      \
              operand, order)

#define ATOMIC_UPDATE(bits, word, name, effect)                                \
    INNER word name##bits(const void *pc, volatile word *at, word operand,     \
                          int order)                                           \
    {                                                                          \
        ATOMIC_STEP(word, TRACE_MODIFY, true, effect);                         \
        return was;                                                            \
    }                                                                          \
    TIDY_HOOK(return, word, __tsan_atomic##bits##_##name, name##bits,          \
                    PARAMETERS(volatile word * at, word operand, int order),   \
                    at, operand, order)

/* ---- compare and exchange ---- */

/* If `at` holds `*expected` make it `desired`; else `*expected` becomes what is
 * there.  No access to `*expected` is told. */
#define ATOMIC_SWAP(bits, word)                                                \
    static inline bool swap_if##bits(const void *pc, volatile word *at,        \
                                     word *expected, word desired,             \
                                     int success, int failure)                 \
    {                                                                          \
        void *const memory = (void *)(uintptr_t)at;                            \
        scheduler_access(pc, at, sizeof(word), PLUMB_EVENT_WRITE);             \
        word was;                                                              \
        memcpy(&was, memory, sizeof was);                                      \
        const word wanted = *expected;                                         \
        const bool same = was == wanted;                                       \
        if (same)                                                              \
            memcpy(memory, &desired, sizeof desired);                          \
        else                                                                   \
            scheduler_failed();                                                \
        *expected = was;                                                       \
        hooks_tell_atomic(pc, memory, sizeof(word),                            \
                          (same ? success : failure) & ORDERS, TRACE_CAS,      \
                          same, was, desired, wanted);                         \
        return same;                                                           \
    }                                                                          \
    INNER bool compare_exchange##bits(const void *pc, volatile word *at,       \
                                      word *expected, word desired,            \
                                      int success, int failure)                \
    {                                                                          \
        const bool local = hooks_is_local(expected);                           \
        if (!local)                                                            \
            hooks_plain(pc, expected, sizeof(word), false);                    \
        word was;                                                              \
        memcpy(&was, expected, sizeof was);                                    \
        if (swap_if##bits(pc, at, &was, desired, success, failure))            \
            return true;                                                       \
        if (!local)                                                            \
            hooks_plain(pc, expected, sizeof(word), true);                     \
        memcpy(expected, &was, sizeof was);                                    \
        return false;                                                          \
    }                                                                          \
    INNER word exchange_val##bits(const void *pc, volatile word *at,           \
                                  word expected, word desired, int success,    \
                                  int failure)                                 \
    {                                                                          \
        (void)swap_if##bits(pc, at, &expected, desired, success, failure);     \
        return expected;                                                       \
    }

#define ATOMIC_COMPARE_EXCHANGE(bits, word, form)                              \
    TIDY_HOOK(return, bool, __tsan_atomic##bits##_compare_exchange_##form,     \
                    compare_exchange##bits,                                    \
                    PARAMETERS(volatile word *at, word *expected,              \
                               word desired, int success, int failure),        \
                    at, expected, desired, success, failure)

/* of a failure: what was there instead */
#define ATOMIC_COMPARE_EXCHANGE_VAL(bits, word)                                \
    TIDY_HOOK(return, word, __tsan_atomic##bits##_compare_exchange_val,        \
                    exchange_val##bits,                                        \
                    PARAMETERS(volatile word * at, word expected,              \
                               word desired, int success, int failure),        \
                    at, expected, desired, success, failure)

/* ---- all of them ---- */

#define ATOMIC(bits, word)                                                     \
    ATOMIC_LOAD(bits, word)                                                    \
    ATOMIC_STORE(bits, word)                                                   \
    ATOMIC_UPDATE(bits, word, exchange, operand)                               \
    ATOMIC_UPDATE(bits, word, fetch_add, was + operand)                        \
    ATOMIC_UPDATE(bits, word, fetch_sub, was - operand)                        \
    ATOMIC_UPDATE(bits, word, fetch_and, was &operand)                         \
    ATOMIC_UPDATE(bits, word, fetch_or, was | operand)                         \
    ATOMIC_UPDATE(bits, word, fetch_xor, was ^ operand)                        \
    ATOMIC_UPDATE(bits, word, fetch_nand, ~(was & operand))                    \
    ATOMIC_SWAP(bits, word)                                                    \
    ATOMIC_COMPARE_EXCHANGE(bits, word, strong)                                \
    ATOMIC_COMPARE_EXCHANGE(bits, word, weak)                                  \
    ATOMIC_COMPARE_EXCHANGE_VAL(bits, word)

#endif
