/* permutation.h - permutations of up to eight things, in a word.
 *
 * Four bits for each: where it goes.  p after q is plumb_csp_compose(p, q). */
#ifndef PLUMB_CSP_SYMMETRY_PERMUTATION_H
#define PLUMB_CSP_SYMMETRY_PERMUTATION_H

#include <assert.h>
#include <stdint.h>

#define PLUMB_SAME 0x76543210u /* everything stays where it is */

static inline uint32_t plumb_csp_image(uint32_t p, uint32_t i)
{
    assert(i < 8);
    return p >> 4 * i & 15;
}

static inline uint32_t plumb_csp_sends(uint32_t p, uint32_t i, uint32_t to)
{
    return (p & ~(15u << 4 * i)) | to << 4 * i;
}

static inline uint32_t plumb_csp_compose(uint32_t p, uint32_t q)
{
    uint32_t both = 0;
    for (uint32_t i = 0; i < 8; i++)
        both |= plumb_csp_image(p, plumb_csp_image(q, i)) << 4 * i;
    return both;
}

static inline uint32_t plumb_csp_inverse(uint32_t p)
{
    uint32_t back = 0;
    for (uint32_t i = 0; i < 8; i++)
        back |= i << 4 * plumb_csp_image(p, i);
    return back;
}

static inline uint32_t plumb_csp_swap(uint32_t a, uint32_t b)
{
    return plumb_csp_sends(plumb_csp_sends(PLUMB_SAME, a, b), b, a);
}

/* `a` goes to b; those from b on make room, one by one. */
static inline uint32_t plumb_csp_shift(uint32_t a, uint32_t b)
{
    assert(a < 8 && b < 8);
    uint32_t p = plumb_csp_sends(PLUMB_SAME, a, b);
    for (uint32_t i = b; i < a; i++)
        p = plumb_csp_sends(p, i, i + 1);
    for (uint32_t i = b; i > a; i--)
        p = plumb_csp_sends(p, i, i - 1);
    return p;
}

#endif
