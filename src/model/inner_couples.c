/* inner_couples.c - see inner_couples.h. */
#include "model/inner_couples.h"

#include "base/memory.h"
#include <string.h>

/* A slot is a number plus one and, in the bits that numbers do not need, some
 * of the hash; 0 is free.  At most three quarters are used. */
struct plumb_inner_index {
    size_t slots; /* a power of two */
    uint32_t numbers;
    _Atomic uint32_t slot[];
};

struct plumb_inner_block {
    struct plumb_inner_block *next;
    void *block;
    size_t size;
};

void plumb_inner_init(struct plumb_inner *t, struct plumb_budget *budget)
{
    *t = (struct plumb_inner){ .budget = budget };
    pthread_mutex_init(&t->lock, NULL);
}

static size_t index_size(size_t slots)
{
    return sizeof(struct plumb_inner_index) + slots * sizeof(_Atomic uint32_t);
}

void plumb_inner_release(struct plumb_inner *t)
{
    struct plumb_inner_index *const ix = atomic_load(&t->index);
    while (t->outgrown) {
        struct plumb_inner_block *const b = t->outgrown;
        t->outgrown = b->next;
        plumb_release(t->budget, b->block, b->size);
        plumb_release(t->budget, b, sizeof *b);
    }
    if (ix)
        plumb_release(t->budget, ix, index_size(ix->slots));
    plumb_release(t->budget, atomic_load(&t->pair),
                  t->capacity * sizeof(struct plumb_couple));
    pthread_mutex_destroy(&t->lock);
}

void plumb_inner_share(struct plumb_inner *t)
{
    t->shared = true;
}

size_t plumb_inner_bytes(const struct plumb_inner *t)
{
    return t->bytes;
}

/* ---- growing ---- */

/* Somebody may still look at it. */
static bool keep(struct plumb_inner *t, void *block, size_t size)
{
    struct plumb_inner_block *const b = plumb_alloc(t->budget, sizeof *b);
    if (!b)
        return false;
    *b = (struct plumb_inner_block){ t->outgrown, block, size };
    t->outgrown = b;
    return true;
}

static bool outgrow(struct plumb_inner *t, void *block, size_t size)
{
    if (!block)
        return true;
    if (t->shared)
        return keep(t, block, size);
    plumb_release(t->budget, block, size);
    t->bytes -= size;
    return true;
}

static bool more_pairs(struct plumb_inner *t)
{
    const size_t size = t->capacity * sizeof(struct plumb_couple);
    const size_t wanted = t->capacity + t->capacity / 2 + 64;
    struct plumb_couple *const before = atomic_load(&t->pair);
    struct plumb_couple *const moved =
        plumb_alloc(t->budget, wanted * sizeof *moved);
    if (!moved)
        return false;
    if (before)
        memcpy(moved, before, t->count * sizeof *moved);
    if (!outgrow(t, before, size)) {
        plumb_release(t->budget, moved, wanted * sizeof *moved);
        return false;
    }
    t->capacity = wanted;
    t->bytes += wanted * sizeof *moved;
    /* release: pairs with the acquire in plumb_inner_pairs() */
    atomic_store_explicit(&t->pair, moved, memory_order_release);
    return true;
}

static void put(struct plumb_inner_index *ix, uint64_t hash, uint32_t number)
{
    size_t at = (size_t)(hash >> 32) & (ix->slots - 1);
    while (atomic_load_explicit(&ix->slot[at], memory_order_relaxed))
        at = (at + 1) & (ix->slots - 1);
    /* release: pairs with the acquire in find() */
    atomic_store_explicit(&ix->slot[at],
                          ((uint32_t)hash & ~ix->numbers) | (number + 1),
                          memory_order_release);
}

static bool more_slots(struct plumb_inner *t)
{
    enum { FEWEST = 256 };
    struct plumb_inner_index *const before = atomic_load(&t->index);
    const size_t slots = before ? 2 * before->slots : FEWEST;
    const struct plumb_couple *const pair = atomic_load(&t->pair);
    struct plumb_inner_index *const ix =
        plumb_alloc_zeroed(t->budget, index_size(slots));
    if (!ix)
        return false;
    ix->slots = slots;
    ix->numbers = slots < UINT32_MAX ? (uint32_t)slots - 1 : UINT32_MAX;
    for (uint32_t n = 0; n < t->count; n++)
        put(ix, plumb_couple_hash(pair[n]), n);
    if (!outgrow(t, before, before ? index_size(before->slots) : 0)) {
        plumb_release(t->budget, ix, index_size(slots));
        return false;
    }
    t->bytes += index_size(slots);
    /* release: pairs with the acquire in find() */
    atomic_store_explicit(&t->index, ix, memory_order_release);
    return true;
}

static bool make_room(struct plumb_inner *t)
{
    const struct plumb_inner_index *const ix = atomic_load(&t->index);
    return t->count < UINT32_MAX / 2 &&
           (t->count < t->capacity || more_pairs(t)) &&
           ((ix && t->count < ix->slots / 4 * 3) || more_slots(t));
}

/* ---- looking up ---- */

static inline uint32_t find(const struct plumb_inner *t, struct plumb_couple p,
                            uint64_t hash)
{
    const struct plumb_inner_index *const ix =
        atomic_load_explicit(&t->index, memory_order_acquire);
    if (!ix)
        return UINT32_MAX;
    const uint32_t tag = (uint32_t)hash & ~ix->numbers;
    size_t at = (size_t)(hash >> 32) & (ix->slots - 1);
    for (uint32_t found;
         (found = atomic_load_explicit(&ix->slot[at], memory_order_acquire));) {
        const uint32_t number = (found & ix->numbers) - 1;
        const struct plumb_couple *const pair = plumb_inner_pairs(t) + number;
        if ((found & ~ix->numbers) == tag && pair->left == p.left &&
            pair->right == p.right)
            return number;
        at = (at + 1) & (ix->slots - 1);
    }
    return UINT32_MAX;
}

static uint32_t add(struct plumb_inner *t, struct plumb_couple p, uint64_t hash)
{
    const uint32_t found = find(t, p, hash);
    if (found != UINT32_MAX)
        return found;
    if (!make_room(t))
        return UINT32_MAX;
    atomic_load(&t->pair)[t->count] = p;
    put(atomic_load(&t->index), hash, t->count);
    return t->count++;
}

uint32_t plumb_inner_number(struct plumb_inner *t, struct plumb_couple p)
{
    const uint64_t hash = plumb_couple_hash(p);
    uint32_t number = find(t, p, hash);
    if (number != UINT32_MAX)
        return number;
    if (!t->shared)
        return add(t, p, hash);
    pthread_mutex_lock(&t->lock);
    number = add(t, p, hash);
    pthread_mutex_unlock(&t->lock);
    return number;
}
