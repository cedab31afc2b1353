/* pair_index.h - pairs of numbers, numbered as they come.
 *
 * Eleven bytes or so each: the pair, and its entry in the index.  As long as all
 * numbers have 24 bits a pair takes six bytes, then eight.
 *
 * One thread numbers pairs.  Others may look whether one has a number, inside
 * of a gate that is closed when pairs have to move. */
#ifndef PLUMB_BASE_PAIR_INDEX_H
#define PLUMB_BASE_PAIR_INDEX_H

#include "hash.h"
#include "index.h"
#include "read_gate.h"
#include <string.h>

struct plumb_base_pair {
    uint32_t left, right;
};

struct plumb_base_pairs {
    struct plumb_budget *budget;
    struct plumb_base_gate *gate; /* of others who look; or NULL */
    struct plumb_base_index index;
    unsigned char *pair;
    bool wide; /* eight bytes each, not six */
    size_t capacity;
    uint32_t count;
};

static inline size_t plumb_base_pair_size(bool wide)
{
    return wide ? 8 : 6;
}

/* A pair as it is kept; exactly its bytes are read, as others may be written. */
static inline uint64_t plumb_base_pairs_word(const struct plumb_base_pairs *t,
                                             uint32_t number)
{
    uint64_t word;
    uint32_t low;
    uint16_t high;
    if (t->wide) {
        memcpy(&word, t->pair + (size_t)number * 8, 8);
        return word;
    }
    memcpy(&low, t->pair + (size_t)number * 6, 4);
    memcpy(&high, t->pair + (size_t)number * 6 + 4, 2);
    return (uint64_t)high << 32 | low;
}

/* The number-th pair. */
static inline struct plumb_base_pair plumb_base_pairs_at(
    const struct plumb_base_pairs *t, uint32_t number)
{
    const uint64_t word = plumb_base_pairs_word(t, number);
    const unsigned bits = t->wide ? 32 : 24;
    return (struct plumb_base_pair){
        (uint32_t)(word >> bits), (uint32_t)(word & (((uint64_t)1 << bits) - 1))
    };
}

void plumb_base_pairs_init(struct plumb_base_pairs *t,
                           struct plumb_budget *budget);
void plumb_base_pairs_release(struct plumb_base_pairs *t);

/* The number of `p`, which is the next free one if it was not there.
 * UINT32_MAX when memory is refused. */
uint32_t plumb_base_pairs_number(struct plumb_base_pairs *t,
                                 struct plumb_base_pair p);

/* The same for another thread: UINT32_MAX if it was not there a moment ago. */
uint32_t plumb_base_pairs_find(const struct plumb_base_pairs *t,
                               struct plumb_base_pair p);

static inline uint64_t plumb_base_pair_hash(struct plumb_base_pair p)
{
    return plumb_base_mix(((uint64_t)p.left << 32) | p.right,
                          0x9fb21c651e98df25u);
}

/* It will be asked for soon; then very soon, with a guess: most likely its
 * number, or UINT32_MAX. */
static inline void plumb_base_pairs_fetch(const struct plumb_base_pairs *t,
                                          struct plumb_base_pair p)
{
    const struct plumb_base_probe probe =
        plumb_base_index_probe(&t->index, plumb_base_pair_hash(p));
    plumb_base_probe_fetch(&t->index, &probe);
}

static inline uint32_t plumb_base_pairs_guess(const struct plumb_base_pairs *t,
                                              struct plumb_base_pair p)
{
    struct plumb_base_probe probe =
        plumb_base_index_probe(&t->index, plumb_base_pair_hash(p));
    const uint32_t number = plumb_base_probe_next(&t->index, &probe);
    if (number != PLUMB_ABSENT)
        __builtin_prefetch(t->pair + number * plumb_base_pair_size(t->wide));
    return number;
}

#endif
