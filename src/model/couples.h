/* couples.h - pairs of numbers, numbered as they come.
 *
 * Twelve bytes or so each: the pair, and its entry in the index. */
#ifndef PLUMB_MODEL_COUPLES_H
#define PLUMB_MODEL_COUPLES_H

#include "base/hash.h"
#include "base/index.h"

struct plumb_couple {
    uint32_t left, right;
};

struct plumb_couples {
    struct plumb_budget *budget;
    struct plumb_index index;
    struct plumb_couple *pair;
    size_t capacity;
    uint32_t count;
};

void plumb_couples_init(struct plumb_couples *t, struct plumb_budget *budget);
void plumb_couples_release(struct plumb_couples *t);

/* The number of `p`, which is the next free one if it was not there.
 * UINT32_MAX when memory is refused. */
uint32_t plumb_couples_number(struct plumb_couples *t, struct plumb_couple p);

static inline uint64_t plumb_couple_hash(struct plumb_couple p)
{
    return plumb_mix(((uint64_t)p.left << 32) | p.right, 0x9fb21c651e98df25u);
}

/* It will be asked for soon, and then very soon. */
static inline void plumb_couples_fetch(const struct plumb_couples *t,
                                       struct plumb_couple p)
{
    const struct plumb_probe probe =
        plumb_index_probe(&t->index, plumb_couple_hash(p));
    plumb_probe_fetch(&t->index, &probe);
}

static inline void plumb_couples_fetch_pair(const struct plumb_couples *t,
                                            struct plumb_couple p)
{
    struct plumb_probe probe =
        plumb_index_probe(&t->index, plumb_couple_hash(p));
    const uint32_t number = plumb_probe_next(&t->index, &probe);
    if (number != PLUMB_ABSENT)
        (void)*(const volatile uint32_t *)&t->pair[number].left;
}

size_t plumb_couples_bytes(const struct plumb_couples *t);

#endif
