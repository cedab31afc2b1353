/* pair_store.h - a set of pairs of numbers, in the order they came.
 *
 * Eight bytes for a pair, and some eight for finding it.  What is found in
 * breadth-first order is its own queue.  Looking for a pair misses the cache
 * twice; so they are asked about many at a time, and all the misses wait
 * together. */
#ifndef PLUMB_REFINE_ENGINES_PAIR_STORE_H
#define PLUMB_REFINE_ENGINES_PAIR_STORE_H

#include <assert.h>
#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUMB_PAIR_CHUNK_BITS = 20 };

struct plumb_refine_pairs {
    struct plumb_budget *budget;
    uint64_t **chunk; /* all full-sized but the first, which grows up to it */
    size_t chunks, chunk_room, first_room;
    uint32_t count;
    uint32_t *slot; /* low bits: the number of a pair plus one; 0 is free */
    size_t slots;   /* a power of two                                     */
};

void plumb_refine_pairs_init(struct plumb_refine_pairs *p,
                             struct plumb_budget *budget);
void plumb_refine_pairs_release(struct plumb_refine_pairs *p);

static inline uint64_t plumb_refine_pair(uint32_t left, uint32_t right)
{
    return ((uint64_t)left << 32) | right;
}

static inline uint32_t plumb_refine_pair_left(uint64_t pair)
{
    return (uint32_t)(pair >> 32);
}

static inline uint32_t plumb_refine_pair_right(uint64_t pair)
{
    return (uint32_t)pair;
}

/* The number-th pair. */
static inline uint64_t plumb_refine_pairs_at(const struct plumb_refine_pairs *p,
                                             uint32_t number)
{
    assert(number < p->count);
    return p->chunk[number >> PLUMB_PAIR_CHUNK_BITS]
                   [number & ((1u << PLUMB_PAIR_CHUNK_BITS) - 1)];
}

/* Put in pair[0], pair[1], ...; fresh[i] says whether pair[i] was not there.
 * `count` is small, a thousand at most.  False when the budget refuses: then
 * the set can only be read and released. */
bool plumb_refine_pairs_add(struct plumb_refine_pairs *p, const uint64_t *pair,
                            uint32_t count, bool *fresh);

/* Append without asking whether it is there; finding is not possible in a
 * store that is used like this. */
bool plumb_refine_pairs_append(struct plumb_refine_pairs *p, uint64_t pair);

/* The right number of this pair becomes UINT32_MAX, in such a store. */
static inline void plumb_refine_pairs_drop(struct plumb_refine_pairs *p,
                                           uint32_t number)
{
    assert(number < p->count);
    p->chunk[number >> PLUMB_PAIR_CHUNK_BITS]
            [number & ((1u << PLUMB_PAIR_CHUNK_BITS) - 1)] |= UINT32_MAX;
}

#endif
