/* pair_store.c - chunks of pairs, and open addressing with linear probing.
 *
 * The index is at most five eighths full.  With 2^k slots a number needs k
 * bits; the others hold bits of the pair's hash, so that nearly all pairs that
 * are not the one that is looked for are passed without a look at them.
 *
 * It holds nothing that the pairs do not say: to grow, it is thrown away first,
 * and the old one and the new one are never there together.
 *
 * Not base/pair_index.h: pairs are asked for by the thousand, and their slots
 * are fetched ahead; a power of two of slots makes that a mask. */
#include "pair_store.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>

enum {
    CHUNK = 1 << PLUMB_PAIR_CHUNK_BITS,
    FIRST_SLOTS = 256,
    MOST_AT_ONCE = 1024
};

void plumb_refine_pairs_init(struct plumb_refine_pairs *p,
                             struct plumb_budget *budget)
{
    *p = (struct plumb_refine_pairs){ .budget = budget };
}

void plumb_refine_pairs_release(struct plumb_refine_pairs *p)
{
    for (size_t i = 0; i < p->chunks; i++)
        plumb_base_release(p->budget, p->chunk[i],
                           (i ? CHUNK : p->first_room) * sizeof **p->chunk);
    PLUMB_RELEASE(p->budget, p->chunk, p->chunk_room);
    PLUMB_RELEASE(p->budget, p->slot, p->slots);
    plumb_refine_pairs_init(p, p->budget);
}

/* ---- pairs ---- */

static bool add_chunk(struct plumb_refine_pairs *p, size_t room)
{
    if (!PLUMB_GROW(p->budget, p->chunk, p->chunk_room, p->chunks + 1))
        return false;
    uint64_t *const chunk = plumb_base_alloc(p->budget, room * sizeof *chunk);
    if (!chunk)
        return false;
    p->chunk[p->chunks++] = chunk;
    return true;
}

static bool grow_first(struct plumb_refine_pairs *p)
{
    const size_t room = p->first_room * 4 < CHUNK ? p->first_room * 4 : CHUNK;
    uint64_t *const moved =
        plumb_base_resize(p->budget, p->chunk[0], p->first_room * sizeof *moved,
                          room * sizeof *moved);
    if (!moved)
        return false;
    p->chunk[0] = moved;
    p->first_room = room;
    return true;
}

static bool more_room(struct plumb_refine_pairs *p)
{
    if (p->chunks) {
        if (p->chunks == 1 && p->first_room < CHUNK)
            return grow_first(p);
        return add_chunk(p, CHUNK);
    }
    if (!add_chunk(p, FIRST_SLOTS))
        return false;
    p->first_room = FIRST_SLOTS;
    return true;
}

static size_t room_of(const struct plumb_refine_pairs *p)
{
    return p->chunks ? p->first_room + (p->chunks - 1) * CHUNK : 0;
}

bool plumb_refine_pairs_append(struct plumb_refine_pairs *p, uint64_t pair)
{
    if (p->count == UINT32_MAX - 1 || (p->count == room_of(p) && !more_room(p)))
        return false;
    p->chunk[p->count >> PLUMB_PAIR_CHUNK_BITS][p->count & (CHUNK - 1)] = pair;
    p->count++;
    return true;
}

/* ---- finding ---- */

static uint64_t hash_of(uint64_t pair)
{
    return plumb_base_mix(pair, 0x2545f4914f6cdd1du);
}

static size_t mask_of(const struct plumb_refine_pairs *p)
{
    return p->slots - 1;
}

/* The bits of a slot that numbers do not need. */
static uint32_t tag_of(const struct plumb_refine_pairs *p, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & ~(uint32_t)mask_of(p);
}

static uint32_t number_in(const struct plumb_refine_pairs *p, size_t slot)
{
    return (p->slot[slot] & (uint32_t)mask_of(p)) - 1;
}

/* From `slot` on, the first that is free or has the tag. */
static size_t skip(const struct plumb_refine_pairs *p, size_t slot,
                   uint32_t tag)
{
    const uint32_t others = ~(uint32_t)mask_of(p);
    while (p->slot[slot] && (p->slot[slot] & others) != tag)
        slot = (slot + 1) & mask_of(p);
    return slot;
}

/* Where `pair` is, or where it belongs; nowhere before `slot`. */
static size_t find(const struct plumb_refine_pairs *p, uint64_t pair,
                   size_t slot, uint32_t tag)
{
    for (;;) {
        slot = skip(p, slot, tag);
        if (!p->slot[slot] ||
            plumb_refine_pairs_at(p, number_in(p, slot)) == pair)
            return slot;
        slot = (slot + 1) & mask_of(p);
    }
}

/* All pairs are different: any free slot will do.  Each of the first is in a
 * page that is made for it, so the clock is read often. */
static bool fill(struct plumb_refine_pairs *p)
{
    enum { SOME = 32 };
    for (uint32_t n = 0; n < p->count; n++) {
        if (n % SOME == SOME - 1 && plumb_budget_state(p->budget) != PLUMB_OK)
            return false;
        const uint64_t hash = hash_of(plumb_refine_pairs_at(p, n));
        size_t i = hash & mask_of(p);
        while (p->slot[i])
            i = (i + 1) & mask_of(p);
        p->slot[i] = tag_of(p, hash) | (n + 1);
    }
    return true;
}

static bool make_room(struct plumb_refine_pairs *p, uint32_t more)
{
    const size_t need = (size_t)p->count + more;
    if (8 * need <= 5 * p->slots)
        return true;
    size_t slots = p->slots ? p->slots : FIRST_SLOTS;
    while (8 * need > 5 * slots)
        slots *= 2;
    PLUMB_RELEASE(p->budget, p->slot, p->slots);
    p->slots = 0;
    p->slot = NULL;
    if (slots > (size_t)UINT32_MAX + 1)
        return false;
    p->slot = plumb_base_alloc_zeroed(p->budget, slots * sizeof *p->slot);
    if (!p->slot)
        return false;
    p->slots = slots;
    assert(!(slots & (slots - 1)) && 8 * need <= 5 * slots);
    return fill(p);
}

static void fetch_pair(const struct plumb_refine_pairs *p, uint32_t number)
{
    __builtin_prefetch(p->chunk[number >> PLUMB_PAIR_CHUNK_BITS] +
                       (number & (CHUNK - 1)));
}

struct question {
    size_t slot;
    uint32_t tag;
};

/* Have slots, and then the pairs that are likely the same, on their way. */
static void fetch_all(const struct plumb_refine_pairs *p, const uint64_t *pair,
                      uint32_t count, struct question *ask)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t hash = hash_of(pair[i]);
        ask[i].slot = hash & mask_of(p);
        ask[i].tag = tag_of(p, hash);
        __builtin_prefetch(p->slot + ask[i].slot);
    }
    for (uint32_t i = 0; i < count; i++) {
        ask[i].slot = skip(p, ask[i].slot, ask[i].tag);
        if (p->slot[ask[i].slot])
            fetch_pair(p, number_in(p, ask[i].slot));
    }
}

bool plumb_refine_pairs_add(struct plumb_refine_pairs *p, const uint64_t *pair,
                            uint32_t count, bool *fresh)
{
    struct question ask[MOST_AT_ONCE];
    assert(count <= MOST_AT_ONCE);
    if (!make_room(p, count))
        return false;
    fetch_all(p, pair, count, ask);
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = find(p, pair[i], ask[i].slot, ask[i].tag);
        fresh[i] = !p->slot[at];
        if (!fresh[i])
            continue;
        if (!plumb_refine_pairs_append(p, pair[i]))
            return false;
        p->slot[at] = ask[i].tag | p->count;
    }
    return true;
}
