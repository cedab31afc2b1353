/* modular.h - arithmetic modulo the prime 2^61 - 1.
 *
 * Two polynomial hashes over it make a fingerprint of some 122 bits that can
 * be updated at both ends of a sequence.  A collision would merge two states;
 * it cannot make a wrong verdict, because every answer is verified without
 * these states. */
#ifndef PLUMB_SPEC_STORES_MODULAR_H
#define PLUMB_SPEC_STORES_MODULAR_H

#include "base/hash.h"
#include <assert.h>
#include <stdbool.h>

#define PLUMB_PRIME (((uint64_t)1 << 61) - 1)

struct plumb_spec_print {
    uint64_t h[2];
};

/* The bases of the two polynomials: arbitrary. */
static inline struct plumb_spec_print plumb_spec_print_base(void)
{
    return (struct plumb_spec_print){ { 0x1a2b5f0c9d3e7481u % PLUMB_PRIME,
                                        0x0d7f31c6a4e8925bu % PLUMB_PRIME } };
}

static inline uint64_t plumb_spec_mod_add(uint64_t a, uint64_t b)
{
    assert(a <= PLUMB_PRIME && b <= PLUMB_PRIME);
    const uint64_t sum = a + b;
    return sum >= PLUMB_PRIME ? sum - PLUMB_PRIME : sum;
}

static inline uint64_t plumb_spec_mod_sub(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PLUMB_PRIME - b;
}

static inline uint64_t plumb_spec_mod_mul(uint64_t a, uint64_t b)
{
    const plumb_u128 product = (plumb_u128)a * b;
    return plumb_spec_mod_add((uint64_t)product & PLUMB_PRIME,
                              (uint64_t)(product >> 61));
}

static inline uint64_t plumb_spec_mod_power(uint64_t a, uint64_t n)
{
    uint64_t result = 1;
    for (; n; n >>= 1) {
        if (n & 1)
            result = plumb_spec_mod_mul(result, a);
        a = plumb_spec_mod_mul(a, a);
    }
    return result;
}

static inline struct plumb_spec_print plumb_spec_print_mul(
    struct plumb_spec_print a, struct plumb_spec_print b)
{
    return (struct plumb_spec_print){ { plumb_spec_mod_mul(a.h[0], b.h[0]),
                                        plumb_spec_mod_mul(a.h[1], b.h[1]) } };
}

static inline struct plumb_spec_print plumb_spec_print_add(
    struct plumb_spec_print a, struct plumb_spec_print b)
{
    return (struct plumb_spec_print){ { plumb_spec_mod_add(a.h[0], b.h[0]),
                                        plumb_spec_mod_add(a.h[1], b.h[1]) } };
}

static inline struct plumb_spec_print plumb_spec_print_sub(
    struct plumb_spec_print a, struct plumb_spec_print b)
{
    return (struct plumb_spec_print){ { plumb_spec_mod_sub(a.h[0], b.h[0]),
                                        plumb_spec_mod_sub(a.h[1], b.h[1]) } };
}

static inline struct plumb_spec_print plumb_spec_print_power(
    struct plumb_spec_print a, uint64_t n)
{
    return (struct plumb_spec_print){ { plumb_spec_mod_power(a.h[0], n),
                                        plumb_spec_mod_power(a.h[1], n) } };
}

static inline bool plumb_spec_print_equal(struct plumb_spec_print a,
                                          struct plumb_spec_print b)
{
    return a.h[0] == b.h[0] && a.h[1] == b.h[1];
}

/* Two independent coefficients for one element. */
static inline struct plumb_spec_print plumb_spec_print_of(uint64_t element)
{
    const uint64_t a = plumb_base_mix(element, 0x8e5a1f4bd2c39760u);
    const uint64_t b = plumb_base_mix(element, 0x53d7c2e90ab8146fu);
    return (struct plumb_spec_print){ { 1 + a % (PLUMB_PRIME - 1),
                                        1 + b % (PLUMB_PRIME - 1) } };
}

#endif
