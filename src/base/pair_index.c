/* pair_index.c - a table of pairs and an index from pairs to their numbers. */
#include "pair_index.h"

#include "memory.h"

void plumb_base_pairs_init(struct plumb_base_pairs *t,
                           struct plumb_budget *budget)
{
    *t = (struct plumb_base_pairs){ .budget = budget };
    plumb_base_index_init(&t->index, budget);
}

void plumb_base_pairs_release(struct plumb_base_pairs *t)
{
    plumb_base_index_release(&t->index);
    plumb_base_release(t->budget, t->pair,
                       t->capacity * plumb_base_pair_size(t->wide));
}

static uint64_t hash_number(const void *context, uint32_t number)
{
    const struct plumb_base_pairs *const t = context;
    return plumb_base_pair_hash(plumb_base_pairs_at(t, number));
}

/* A little more at a time once it is large: that moves pages, not bytes. */
static bool more_pairs(struct plumb_base_pairs *t)
{
    enum { LARGE = 1 << 16, MAPPED = 1 << 19 };
    const size_t more = t->capacity < LARGE    ? t->capacity / 2 + 64
                        : t->capacity < MAPPED ? t->capacity / 16
                                               : t->capacity / 64;
    const size_t size = plumb_base_pair_size(t->wide);
    unsigned char *const moved = plumb_base_resize(
        t->budget, t->pair, t->capacity * size, (t->capacity + more) * size);
    if (!moved)
        return false;
    t->pair = moved;
    t->capacity += more;
    return true;
}

/* ---- how a pair is kept ---- */

static bool fits(const struct plumb_base_pairs *t, struct plumb_base_pair p)
{
    return t->wide || (p.left | p.right) >> 24 == 0;
}

static uint64_t word_of(const struct plumb_base_pairs *t,
                        struct plumb_base_pair p)
{
    return (uint64_t)p.left << (t->wide ? 32 : 24) | p.right;
}

static void put_word(struct plumb_base_pairs *t, uint32_t number, uint64_t word)
{
    const uint32_t low = (uint32_t)word;
    const uint16_t high = (uint16_t)(word >> 32);
    if (t->wide) {
        memcpy(t->pair + (size_t)number * 8, &word, 8);
        return;
    }
    memcpy(t->pair + (size_t)number * 6, &low, 4);
    memcpy(t->pair + (size_t)number * 6 + 4, &high, 2);
}

/* From the last to the first: a pair goes where none is that is still needed. */
static bool widen(struct plumb_base_pairs *t)
{
    unsigned char *const moved =
        plumb_base_resize(t->budget, t->pair, t->capacity * 6, t->capacity * 8);
    if (!moved)
        return false;
    t->pair = moved;
    for (uint32_t n = t->count; n-- > 0;) {
        t->wide = false;
        const struct plumb_base_pair p = plumb_base_pairs_at(t, n);
        t->wide = true;
        put_word(t, n, word_of(t, p));
    }
    t->wide = true;
    return true;
}

static bool make_room(struct plumb_base_pairs *t)
{
    plumb_base_gate_close(t->gate);
    const bool good = plumb_base_index_room(&t->index, hash_number, t) &&
                      (t->count < t->capacity || more_pairs(t));
    plumb_base_gate_open(t->gate);
    return good;
}

static bool widen_for_all(struct plumb_base_pairs *t)
{
    plumb_base_gate_close(t->gate);
    const bool good = widen(t);
    plumb_base_gate_open(t->gate);
    return good;
}

uint32_t plumb_base_pairs_find(const struct plumb_base_pairs *t,
                               struct plumb_base_pair p)
{
    const uint64_t word = word_of(t, p);
    if (!fits(t, p))
        return UINT32_MAX;
    struct plumb_base_probe probe =
        plumb_base_index_probe(&t->index, plumb_base_pair_hash(p));
    PLUMB_FOR_CANDIDATES(&t->index, &probe, n)
        if (plumb_base_pairs_word(t, n) == word)
            return n;
    return UINT32_MAX;
}

uint32_t plumb_base_pairs_number(struct plumb_base_pairs *t,
                                 struct plumb_base_pair p)
{
    if ((plumb_base_index_is_full(&t->index) || t->count == t->capacity) &&
        !make_room(t))
        return UINT32_MAX;
    if (!fits(t, p) && !widen_for_all(t))
        return UINT32_MAX;
    const uint64_t word = word_of(t, p);
    struct plumb_base_probe probe =
        plumb_base_index_probe(&t->index, plumb_base_pair_hash(p));
    PLUMB_FOR_CANDIDATES(&t->index, &probe, n)
        if (plumb_base_pairs_word(t, n) == word)
            return n;
    if (t->count == UINT32_MAX - 1)
        return UINT32_MAX;
    put_word(t, t->count, word);
    plumb_base_index_put(&t->index, &probe, t->count);
    return t->count++;
}
