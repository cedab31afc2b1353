/* hooks_wide.c - atomic operations of 16 bytes, on x86-64.
 *
 * One instruction compares and exchanges 16 bytes (every processor of the last
 * 20 years has it), and everything else is made of it: a load that exchanges
 * what is there for itself, a store that tries until nobody came between.
 * All are sequentially consistent, whatever was asked: there is nothing
 * weaker.  Compilers would call libatomic for them, which does the same. */
#include "runtime/common/hook.h"

#include <stdbool.h>

#if PLUMB_HOOKS && defined(__x86_64__)

__extension__ typedef unsigned __int128 wide;

/* If `*at` is `*expected`, make it `desired`; else tell what it is. */
static inline bool swap_if(volatile wide *at, wide *expected, wide desired)
{
    uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
    bool swapped;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(swapped), "+m"(*at), "+a"(low), "+d"(high)
                     : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
                     : "memory");
    *expected = (wide)high << 64 | low;
    return swapped;
}

HOOK(wide, __tsan_atomic128_load, volatile wide *at, int order)
{
    (void)order;
    runtime_hook_point();
    wide was = 0;
    swap_if(at, &was, 0);
    return was;
}

/* `next` is an expression in `was` and `operand`. */
#define WIDE_UPDATE(name, next)                                                \
    HOOK(wide, __tsan_atomic128_##name, volatile wide *at, wide operand,       \
         int order)                                                            \
    {                                                                          \
        (void)order;                                                           \
        runtime_hook_point();                                                  \
        wide was = 0;                                                          \
        while (!swap_if(at, &was, next))                                       \
            ;                                                                  \
        return was;                                                            \
    }

WIDE_UPDATE(exchange, operand)
WIDE_UPDATE(fetch_add, was + operand)
WIDE_UPDATE(fetch_sub, was - operand)
WIDE_UPDATE(fetch_and, was &operand)
WIDE_UPDATE(fetch_or, was | operand)
WIDE_UPDATE(fetch_xor, was ^ operand)
WIDE_UPDATE(fetch_nand, ~(was &operand))

HOOK(void, __tsan_atomic128_store, volatile wide *at, wide value, int order)
{
    (void)__tsan_atomic128_exchange(at, value, order);
}

#define WIDE_COMPARE_EXCHANGE(form)                                            \
    HOOK(bool, __tsan_atomic128_compare_exchange_##form, volatile wide *at,    \
         wide *expected, wide desired, int success, int failure)               \
    {                                                                          \
        (void)success, (void)failure;                                          \
        runtime_hook_point();                                                  \
        return swap_if(at, expected, desired);                                 \
    }

WIDE_COMPARE_EXCHANGE(strong)
WIDE_COMPARE_EXCHANGE(weak)

HOOK(wide, __tsan_atomic128_compare_exchange_val, volatile wide *at,
     wide expected, wide desired, int success, int failure)
{
    (void)success, (void)failure;
    runtime_hook_point();
    swap_if(at, &expected, desired);
    return expected;
}

#endif
