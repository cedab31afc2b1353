/* pair_store.c - chunks of pairs, and open addressing with linear probing.
 *
 * The index is at most five eighths full.  It holds nothing that the pairs do
 * not say, so to grow it is thrown away first: the old one and the new one are
 * never there together. */
#include "model/pair_store.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

enum {
    CHUNK = 1 << PLUMB_PAIR_CHUNK_BITS,
    FIRST_SLOTS = 256,
    MOST_AT_ONCE = 1024
};

void plumb_pairs_init(struct plumb_pairs *p, struct plumb_budget *budget)
{
    *p = (struct plumb_pairs){ .budget = budget };
}

void plumb_pairs_release(struct plumb_pairs *p)
{
    for (size_t i = 0; i < p->chunks; i++)
        plumb_release(p->budget, p->chunk[i],
                      (i ? CHUNK : p->first_room) * sizeof **p->chunk);
    plumb_release(p->budget, p->chunk, p->chunk_room * sizeof *p->chunk);
    plumb_release(p->budget, p->slot, p->slots * sizeof *p->slot);
    plumb_pairs_init(p, p->budget);
}

/* ---- pairs ---- */

static bool add_chunk(struct plumb_pairs *p, size_t room)
{
    if (!plumb_grow(p->budget, (void **)&p->chunk, &p->chunk_room,
                    p->chunks + 1, sizeof *p->chunk))
        return false;
    uint64_t *const chunk = plumb_alloc(p->budget, room * sizeof *chunk);
    if (!chunk)
        return false;
    p->chunk[p->chunks++] = chunk;
    return true;
}

static bool grow_first(struct plumb_pairs *p)
{
    const size_t room = p->first_room * 4 < CHUNK ? p->first_room * 4 : CHUNK;
    uint64_t *const moved =
        plumb_resize(p->budget, p->chunk[0], p->first_room * sizeof *moved,
                     room * sizeof *moved);
    if (!moved)
        return false;
    p->chunk[0] = moved;
    p->first_room = room;
    return true;
}

static bool more_room(struct plumb_pairs *p)
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

static size_t room_of(const struct plumb_pairs *p)
{
    return p->chunks ? p->first_room + (p->chunks - 1) * CHUNK : 0;
}

bool plumb_pairs_append(struct plumb_pairs *p, uint64_t pair)
{
    if (p->count == UINT32_MAX - 1 || (p->count == room_of(p) && !more_room(p)))
        return false;
    p->chunk[p->count >> PLUMB_PAIR_CHUNK_BITS][p->count & (CHUNK - 1)] = pair;
    p->count++;
    return true;
}

/* ---- finding ---- */

static size_t slot_of(const struct plumb_pairs *p, uint64_t pair)
{
    return plumb_mix(pair, 0x2545f4914f6cdd1du) & (p->slots - 1);
}

/* Where `pair` is, or where it belongs. */
static size_t find(const struct plumb_pairs *p, uint64_t pair)
{
    size_t i = slot_of(p, pair);
    while (p->slot[i] && plumb_pairs_at(p, p->slot[i] - 1) != pair)
        i = (i + 1) & (p->slots - 1);
    return i;
}

/* All pairs are different: any free slot will do. */
static void fill(struct plumb_pairs *p)
{
    for (uint32_t n = 0; n < p->count; n++) {
        size_t i = slot_of(p, plumb_pairs_at(p, n));
        while (p->slot[i])
            i = (i + 1) & (p->slots - 1);
        p->slot[i] = n + 1;
    }
}

static bool make_room(struct plumb_pairs *p, uint32_t more)
{
    const size_t need = (size_t)p->count + more;
    if (8 * need <= 5 * p->slots)
        return true;
    size_t slots = p->slots ? p->slots : FIRST_SLOTS;
    while (8 * need > 5 * slots)
        slots *= 2;
    plumb_release(p->budget, p->slot, p->slots * sizeof *p->slot);
    p->slots = 0;
    p->slot = plumb_alloc_zeroed(p->budget, slots * sizeof *p->slot);
    if (!p->slot)
        return false;
    p->slots = slots;
    fill(p);
    return true;
}

static void fetch_pair(const struct plumb_pairs *p, uint32_t number)
{
    __builtin_prefetch(p->chunk[number >> PLUMB_PAIR_CHUNK_BITS] +
                       (number & (CHUNK - 1)));
}

static void fetch_all(const struct plumb_pairs *p, const uint64_t *pair,
                      uint32_t count)
{
    size_t at[MOST_AT_ONCE];
    for (uint32_t i = 0; i < count; i++) {
        at[i] = slot_of(p, pair[i]);
        __builtin_prefetch(p->slot + at[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (p->slot[at[i]])
            fetch_pair(p, p->slot[at[i]] - 1);
}

bool plumb_pairs_add(struct plumb_pairs *p, const uint64_t *pair,
                     uint32_t count, bool *fresh)
{
    assert(count <= MOST_AT_ONCE);
    if (!make_room(p, count))
        return false;
    fetch_all(p, pair, count);
    for (uint32_t i = 0; i < count; i++) {
        const size_t at = find(p, pair[i]);
        fresh[i] = !p->slot[at];
        if (!fresh[i])
            continue;
        if (!plumb_pairs_append(p, pair[i]))
            return false;
        p->slot[at] = p->count;
    }
    return true;
}
