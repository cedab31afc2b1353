/* rng.h - a small generator with a printed seed (xoshiro256**). */
#ifndef PLUMB_BASE_RNG_H
#define PLUMB_BASE_RNG_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct plumb_base_rng {
    uint64_t s[4];
};

static inline uint64_t plumb_base_splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void plumb_base_rng_seed(struct plumb_base_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = plumb_base_splitmix(&seed);
}

static inline uint64_t plumb_base_rng_next(struct plumb_base_rng *r)
{
    const uint64_t x = r->s[1] * 5;
    const uint64_t result = ((x << 7) | (x >> 57)) * 9;
    const uint64_t t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = (r->s[3] << 45) | (r->s[3] >> 19);
    return result;
}

/* A number below `n`, which is not 0; the bias is below n / 2^32. */
static inline uint32_t plumb_base_rng_below(struct plumb_base_rng *r,
                                            uint32_t n)
{
    assert(n > 0);
    return (uint32_t)(((plumb_base_rng_next(r) >> 32) * n) >> 32);
}

static inline bool plumb_base_rng_chance(struct plumb_base_rng *r,
                                         uint32_t percent)
{
    return plumb_base_rng_below(r, 100) < percent;
}

#endif
