/* chance.h - any of a set, all equally likely. */
#ifndef PLUMB_STRATEGIES_CHANCE_H
#define PLUMB_STRATEGIES_CHANCE_H

#include "base/rng.h"

/* Which bit of `set`, which has some.  Two and three are so common that they
 * have a way without branches: no processor foresees them. */
static inline unsigned plumb_strategies_any_of(struct plumb_base_rng *rng,
                                               uint64_t set)
{
    const uint64_t above = set & (set - 1);
    if (!above)
        return (unsigned)__builtin_ctzll(set);
    if (!(above & (above - 1)))
        return (unsigned)__builtin_ctzll(
            set ^ ((set ^ above) & -(uint64_t)plumb_base_rng_below(rng, 2)));
    const uint64_t highest = above & (above - 1);
    if (!(highest & (highest - 1))) {
        const uint32_t skip = plumb_base_rng_below(rng, 3);
        return (unsigned)__builtin_ctzll(
            set ^ ((set ^ above) & -(uint64_t)(skip > 0)) ^
            ((above ^ highest) & -(uint64_t)(skip > 1)));
    }
    unsigned n = 0;
    for (uint64_t left = set; left; left &= left - 1)
        n++;
    for (uint32_t skip = plumb_base_rng_below(rng, n); skip > 0; skip--)
        set &= set - 1;
    return (unsigned)__builtin_ctzll(set);
}

#endif
