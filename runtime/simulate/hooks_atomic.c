/* hooks_atomic.c - atomic operations of 8 to 64 bits, and fences.
 *
 * Compilers leave these to the hook altogether: it pauses, perhaps, and then
 * does what was asked.  Three orders are told apart: relaxed, sequentially
 * consistent, and what is between, which gets all that it can mean.  Not
 * everything may become sequentially consistent: a store would then wait for
 * those before it, and hide the faults of who forgot to ask for that.
 *
 * Of compare-and-exchange gcc calls the forms that update what was expected,
 * and clang the one that returns what was there. */
#include "runtime/common/hook.h"

#include <stdatomic.h>
#include <stdbool.h>

#if PLUMB_HOOKS

enum strength { RELAXED, BETWEEN, SEQUENTIAL };

/* `order` is a memory_order; above it gcc has flags of its own. */
static inline enum strength strength(int order)
{
    switch (order & 7) {
    case memory_order_relaxed:
        return RELAXED;
    case memory_order_seq_cst:
        return SEQUENTIAL;
    default:
        return BETWEEN;
    }
}

/* Of an exchange that may fail, the stronger of its two orders. */
static inline enum strength stronger(int success, int failure)
{
    const enum strength s = strength(success), f = strength(failure);
    return s > f ? s : f;
}

/* ---- loads and stores ---- */

#define LOAD(bits)                                                             \
    HOOK(uint##bits##_t, __tsan_atomic##bits##_load,                           \
         const volatile _Atomic uint##bits##_t *at, int order)                 \
    {                                                                          \
        runtime_hook_point();                                                  \
        switch (strength(order)) {                                             \
        case RELAXED:                                                          \
            return atomic_load_explicit(at, memory_order_relaxed);             \
        case BETWEEN:                                                          \
            return atomic_load_explicit(at, memory_order_acquire);             \
        default:                                                               \
            return atomic_load_explicit(at, memory_order_seq_cst);             \
        }                                                                      \
    }

#define STORE(bits)                                                            \
    HOOK(void, __tsan_atomic##bits##_store,                                    \
         volatile _Atomic uint##bits##_t *at, uint##bits##_t value, int order) \
    {                                                                          \
        runtime_hook_point();                                                  \
        switch (strength(order)) {                                             \
        case RELAXED:                                                          \
            atomic_store_explicit(at, value, memory_order_relaxed);            \
            break;                                                             \
        case BETWEEN:                                                          \
            atomic_store_explicit(at, value, memory_order_release);            \
            break;                                                             \
        default:                                                               \
            atomic_store_explicit(at, value, memory_order_seq_cst);            \
        }                                                                      \
    }

/* ---- read, change, write ---- */

/* `update`(at, operand, order) is one of <stdatomic.h>, or not_and below. */
#define UPDATE(bits, name, update)                                             \
    HOOK(uint##bits##_t, __tsan_atomic##bits##_##name,                         \
         volatile _Atomic uint##bits##_t *at, uint##bits##_t operand,          \
         int order)                                                            \
    {                                                                          \
        runtime_hook_point();                                                  \
        switch (strength(order)) {                                             \
        case RELAXED:                                                          \
            return update(at, operand, memory_order_relaxed);                  \
        case BETWEEN:                                                          \
            return update(at, operand, memory_order_acq_rel);                  \
        default:                                                               \
            return update(at, operand, memory_order_seq_cst);                  \
        }                                                                      \
    }

/* C has no name for it, but both compilers have. */
#define NAND(bits)                                                             \
    static inline uint##bits##_t not_and##bits(                                \
        volatile _Atomic uint##bits##_t *at, uint##bits##_t operand,           \
        memory_order order)                                                    \
    {                                                                          \
        uint##bits##_t was = atomic_load_explicit(at, memory_order_relaxed);   \
        while (!atomic_compare_exchange_weak_explicit(                         \
            at, &was, (uint##bits##_t) ~(was & operand), order,                \
            memory_order_relaxed))                                             \
            ;                                                                  \
        return was;                                                            \
    }                                                                          \
    UPDATE(bits, fetch_nand, not_and##bits)

#define UPDATES(bits)                                                          \
    UPDATE(bits, exchange, atomic_exchange_explicit)                           \
    UPDATE(bits, fetch_add, atomic_fetch_add_explicit)                         \
    UPDATE(bits, fetch_sub, atomic_fetch_sub_explicit)                         \
    UPDATE(bits, fetch_and, atomic_fetch_and_explicit)                         \
    UPDATE(bits, fetch_or, atomic_fetch_or_explicit)                           \
    UPDATE(bits, fetch_xor, atomic_fetch_xor_explicit)                         \
    NAND(bits)

/* ---- compare and exchange ---- */

#define COMPARE_EXCHANGE(bits, form)                                           \
    static inline bool form##bits(volatile _Atomic uint##bits##_t *at,         \
                                  uint##bits##_t *expected,                    \
                                  uint##bits##_t desired, enum strength how)   \
    {                                                                          \
        switch (how) {                                                         \
        case RELAXED:                                                          \
            return atomic_compare_exchange_##form##_explicit(                  \
                at, expected, desired, memory_order_relaxed,                   \
                memory_order_relaxed);                                         \
        case BETWEEN:                                                          \
            return atomic_compare_exchange_##form##_explicit(                  \
                at, expected, desired, memory_order_acq_rel,                   \
                memory_order_acquire);                                         \
        default:                                                               \
            return atomic_compare_exchange_##form##_explicit(                  \
                at, expected, desired, memory_order_seq_cst,                   \
                memory_order_seq_cst);                                         \
        }                                                                      \
    }                                                                          \
    HOOK(bool, __tsan_atomic##bits##_compare_exchange_##form,                  \
         volatile _Atomic uint##bits##_t *at, uint##bits##_t *expected,        \
         uint##bits##_t desired, int success, int failure)                     \
    {                                                                          \
        runtime_hook_point();                                                  \
        return form##bits(at, expected, desired, stronger(success, failure));  \
    }

#define COMPARE_EXCHANGE_VAL(bits)                                             \
    HOOK(uint##bits##_t, __tsan_atomic##bits##_compare_exchange_val,           \
         volatile _Atomic uint##bits##_t *at, uint##bits##_t expected,         \
         uint##bits##_t desired, int success, int failure)                     \
    {                                                                          \
        runtime_hook_point();                                                  \
        (void)strong##bits(at, &expected, desired,                             \
                           stronger(success, failure));                        \
        return expected; /* of a failure: what was there instead */            \
    }

/* ---- all of them ---- */

#define ATOMIC(bits)                                                           \
    LOAD(bits)                                                                 \
    STORE(bits)                                                                \
    UPDATES(bits)                                                              \
    COMPARE_EXCHANGE(bits, strong)                                             \
    COMPARE_EXCHANGE(bits, weak)                                               \
    COMPARE_EXCHANGE_VAL(bits)

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

/* ---- fences: no access, so no pause ---- */

HOOK(void, __tsan_atomic_thread_fence, int order)
{
    switch (strength(order)) {
    case RELAXED:
        break;
    case BETWEEN:
        atomic_thread_fence(memory_order_acq_rel);
        break;
    default:
        atomic_thread_fence(memory_order_seq_cst);
    }
}

HOOK(void, __tsan_atomic_signal_fence, int order)
{
    (void)order; /* calling us has kept the compiler in order */
}

#endif
