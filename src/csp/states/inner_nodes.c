/* inner_nodes.c - see inner_nodes.h. */
#include "inner_nodes.h"

#include "base/hash.h"
#include "base/memory.h"
#include "vector_tree.h"
#include <assert.h>
#include <string.h>

/* Not base/index.h, which nobody may look into while it grows: workers look
 * for nodes all the time, in the old index until the new one is published.
 *
 * A slot is a number plus one and, in the bits that numbers do not need, some
 * of the hash; 0 is free.  At most three quarters are used. */
struct plumb_csp_inner_index {
    size_t slots; /* a power of two */
    uint32_t numbers;
    _Atomic uint32_t slot[];
};

struct plumb_csp_inner_block {
    struct plumb_csp_inner_block *next;
    void *block;
    size_t size;
};

static size_t index_size(size_t slots)
{
    return sizeof(struct plumb_csp_inner_index) +
           slots * sizeof(_Atomic uint32_t);
}

static size_t bytes_of(const struct plumb_csp_inner *t, size_t nodes)
{
    return nodes * t->width * sizeof(uint32_t);
}

bool plumb_csp_inner_is_untidy(struct plumb_csp_inner *t)
{
    pthread_mutex_lock(&t->lock);
    const bool yes = t->outgrown != NULL;
    pthread_mutex_unlock(&t->lock);
    return yes;
}

void plumb_csp_inner_tidy(struct plumb_csp_inner *t)
{
    while (t->outgrown) {
        struct plumb_csp_inner_block *const b = t->outgrown;
        t->outgrown = b->next;
        t->bytes -= b->size;
        plumb_base_release(t->budget, b->block, b->size);
        plumb_base_release(t->budget, b, sizeof *b);
    }
}

void plumb_csp_inner_release(struct plumb_csp_inner *t)
{
    struct plumb_csp_inner_index *const ix = atomic_load(&t->index);
    plumb_csp_inner_tidy(t);
    if (ix)
        plumb_base_release(t->budget, ix, index_size(ix->slots));
    plumb_base_release(t->budget, atomic_load(&t->node),
                       bytes_of(t, t->capacity));
    pthread_mutex_destroy(&t->lock);
}

void plumb_csp_inner_share(struct plumb_csp_inner *t)
{
    t->shared = true;
}

/* ---- growing ---- */

/* Somebody may still look at it. */
static bool keep(struct plumb_csp_inner *t, void *block, size_t size)
{
    struct plumb_csp_inner_block *const b =
        plumb_base_alloc(t->budget, sizeof *b);
    if (!b)
        return false;
    *b = (struct plumb_csp_inner_block){ t->outgrown, block, size };
    t->outgrown = b;
    return true;
}

static bool outgrow(struct plumb_csp_inner *t, void *block, size_t size)
{
    if (!block)
        return true;
    if (t->shared)
        return keep(t, block, size);
    plumb_base_release(t->budget, block, size);
    t->bytes -= size;
    return true;
}

static void publish(struct plumb_csp_inner *t, uint32_t *node, size_t capacity)
{
    t->bytes += bytes_of(t, capacity);
    t->capacity = capacity;
    /* release: pairs with the acquire in plumb_csp_inner_node() */
    atomic_store_explicit(&t->node, node, memory_order_release);
}

/* Nobody else looks. */
static bool more_nodes_alone(struct plumb_csp_inner *t)
{
    enum { LARGE = 1 << 12 };
    const size_t wanted =
        t->capacity + t->capacity / (t->capacity < LARGE ? 2 : 16) + 64;
    uint32_t *const moved =
        plumb_base_resize(t->budget, atomic_load(&t->node),
                          bytes_of(t, t->capacity), bytes_of(t, wanted));
    if (!moved)
        return false;
    t->bytes -= bytes_of(t, t->capacity);
    publish(t, moved, wanted);
    return true;
}

static bool more_nodes(struct plumb_csp_inner *t)
{
    const size_t wanted = t->capacity + t->capacity / 2 + 64;
    uint32_t *const before = atomic_load(&t->node);
    uint32_t *const moved = plumb_base_alloc(t->budget, bytes_of(t, wanted));
    if (!moved)
        return false;
    if (before)
        memcpy(moved, before, bytes_of(t, t->count));
    if (!outgrow(t, before, bytes_of(t, t->capacity))) {
        plumb_base_release(t->budget, moved, bytes_of(t, wanted));
        return false;
    }
    publish(t, moved, wanted);
    return true;
}

static inline uint64_t two_of(const uint32_t *node)
{
    uint64_t two;
    memcpy(&two, node, sizeof two);
    return two;
}

static inline uint64_t hash_of(const uint32_t *node, unsigned width)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < width; i += 4)
        hash = plumb_base_mix(hash ^ two_of(node + i), two_of(node + i + 2));
    return hash;
}

static inline bool is_same(const uint32_t *a, const uint32_t *b, unsigned width)
{
    uint64_t differ = 0;
    for (unsigned i = 0; i < width; i += 4)
        differ |= (two_of(a + i) ^ two_of(b + i)) |
                  (two_of(a + i + 2) ^ two_of(b + i + 2));
    return !differ;
}

static void put(struct plumb_csp_inner_index *ix, uint64_t hash,
                uint32_t number)
{
    size_t at = (size_t)(hash >> 32) & (ix->slots - 1);
    while (atomic_load_explicit(&ix->slot[at], memory_order_relaxed))
        at = (at + 1) & (ix->slots - 1);
    /* release: pairs with the acquire in find() */
    atomic_store_explicit(&ix->slot[at],
                          ((uint32_t)hash & ~ix->numbers) | (number + 1),
                          memory_order_release);
}

/* False if time ends meanwhile, and there are so many that it matters. */
static bool put_all(const struct plumb_csp_inner *t,
                    struct plumb_csp_inner_index *ix)
{
    enum { SOME = 32, MANY = 1 << 18 };
    for (uint32_t n = 0; n < t->count; n++) {
        if (t->count >= MANY && n % SOME == 0 &&
            plumb_budget_state(t->budget) != PLUMB_OK)
            return false;
        put(ix, hash_of(plumb_csp_inner_node(t, n), t->width), n);
    }
    return true;
}

static bool more_slots(struct plumb_csp_inner *t)
{
    enum { FEWEST = 256 };
    struct plumb_csp_inner_index *const before = atomic_load(&t->index);
    const size_t slots = before ? 2 * before->slots : FEWEST;
    struct plumb_csp_inner_index *const ix =
        plumb_base_alloc_zeroed(t->budget, index_size(slots));
    if (!ix)
        return false;
    ix->slots = slots;
    ix->numbers = slots < UINT32_MAX ? (uint32_t)slots - 1 : UINT32_MAX;
    if (!put_all(t, ix) ||
        !outgrow(t, before, before ? index_size(before->slots) : 0)) {
        plumb_base_release(t->budget, ix, index_size(slots));
        return false;
    }
    t->bytes += index_size(slots);
    /* release: pairs with the acquire in find() */
    atomic_store_explicit(&t->index, ix, memory_order_release);
    return true;
}

static bool make_room(struct plumb_csp_inner *t)
{
    const struct plumb_csp_inner_index *const ix = atomic_load(&t->index);
    return t->count < UINT32_MAX / 2 &&
           (t->count < t->capacity ||
            (t->shared ? more_nodes(t) : more_nodes_alone(t))) &&
           ((ix && t->count < ix->slots / 4 * 3) || more_slots(t));
}

/* ---- looking up ---- */

static inline uint32_t find(const struct plumb_csp_inner *t,
                            const uint32_t *node, uint64_t hash)
{
    const struct plumb_csp_inner_index *const ix =
        atomic_load_explicit(&t->index, memory_order_acquire);
    if (!ix)
        return UINT32_MAX;
    const uint32_t tag = (uint32_t)hash & ~ix->numbers;
    size_t at = (size_t)(hash >> 32) & (ix->slots - 1);
    for (uint32_t found;
         (found = atomic_load_explicit(&ix->slot[at], memory_order_acquire));) {
        const uint32_t number = (found & ix->numbers) - 1;
        if ((found & ~ix->numbers) == tag &&
            is_same(plumb_csp_inner_node(t, number), node, t->width))
            return number;
        at = (at + 1) & (ix->slots - 1);
    }
    return UINT32_MAX;
}

static uint32_t add(struct plumb_csp_inner *t, const uint32_t *node,
                    uint64_t hash)
{
    const uint32_t found = find(t, node, hash);
    if (found != UINT32_MAX)
        return found;
    if (!make_room(t))
        return UINT32_MAX;
    assert(t->count < t->capacity);
    memcpy(atomic_load(&t->node) + (size_t)t->count * t->width, node,
           bytes_of(t, 1));
    put(atomic_load(&t->index), hash, t->count);
    return t->count++;
}

uint32_t plumb_csp_inner_number(struct plumb_csp_inner *t, const uint32_t *node)
{
    const uint64_t hash = hash_of(node, t->width);
    uint32_t number = find(t, node, hash);
    if (number != UINT32_MAX)
        return number;
    if (!t->shared)
        return add(t, node, hash);
    pthread_mutex_lock(&t->lock);
    number = add(t, node, hash);
    pthread_mutex_unlock(&t->lock);
    return number;
}

/* ---- making one ---- */

bool plumb_csp_inner_init(struct plumb_csp_inner *t, unsigned width,
                          struct plumb_budget *budget)
{
    static const uint32_t zeros[PLUMB_WIDEST];
    assert(width % 4 == 0 && width && width <= PLUMB_WIDEST);
    *t = (struct plumb_csp_inner){ .budget = budget, .width = width };
    pthread_mutex_init(&t->lock, NULL);
    return plumb_csp_inner_number(t, zeros) == 0;
}
