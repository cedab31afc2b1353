/* vectors.c - tree compression.
 *
 * The slots of a vector are level 0.  Two neighbours of a level become one
 * number of the next, an odd one is carried up, until two are left: the root
 * pair, whose number is the vector's.
 *
 *     level 0    x   H   L0  L1  t0  t1
 *     level 1      a       b       c
 *     level 2          d           c
 *     root               (d, c)
 *
 * Inner pairs share one table: they are few.  `last` holds all levels of the
 * vector that was got last; what a new vector has in common with it is not
 * looked up again. */
#include "model/vectors.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

enum { MOST_LEVELS = 33 };

struct pair {
    uint32_t left, right;
};

struct table {
    struct plumb_index index;
    struct pair *pair;
    size_t capacity;
    uint32_t count;
};

struct plumb_vectors {
    struct plumb_budget *budget;
    struct table inner, root;
    uint32_t slots;
    unsigned levels;             /* below the root                       */
    uint32_t begin[MOST_LEVELS]; /* where each begins in `last` and `now` */
    uint32_t size[MOST_LEVELS];
    uint32_t *last, *now;
    size_t numbers;   /* in each of the two */
    uint32_t current; /* the vector in `last`, or UINT32_MAX */
};

static void release_table(struct table *t, struct plumb_budget *budget)
{
    plumb_index_release(&t->index);
    plumb_release(budget, t->pair, t->capacity * sizeof *t->pair);
}

void plumb_vectors_free(struct plumb_vectors *v)
{
    if (!v)
        return;
    release_table(&v->inner, v->budget);
    release_table(&v->root, v->budget);
    plumb_release(v->budget, v->last, v->numbers * sizeof *v->last);
    plumb_release(v->budget, v->now, v->numbers * sizeof *v->now);
    plumb_release(v->budget, v, sizeof *v);
}

static void lay_out(struct plumb_vectors *v)
{
    uint32_t at = 0, size = v->slots;
    while (size > 2) {
        v->begin[v->levels] = at;
        v->size[v->levels++] = size;
        at += size;
        size = (size + 1) / 2;
    }
    v->begin[v->levels] = at;
    v->size[v->levels] = size;
    v->numbers = (size_t)at + 2;
}

struct plumb_vectors *plumb_vectors_new(uint32_t slots,
                                        struct plumb_budget *budget)
{
    struct plumb_vectors *const v = plumb_alloc_zeroed(budget, sizeof *v);
    if (!v)
        return NULL;
    v->budget = budget;
    v->slots = slots;
    v->current = UINT32_MAX;
    plumb_index_init(&v->inner.index, budget);
    plumb_index_init(&v->root.index, budget);
    lay_out(v);
    v->last = plumb_alloc_zeroed(budget, v->numbers * sizeof *v->last);
    v->now = plumb_alloc_zeroed(budget, v->numbers * sizeof *v->now);
    if (!v->last || !v->now) {
        plumb_vectors_free(v);
        return NULL;
    }
    return v;
}

static uint64_t hash_pair(struct pair p)
{
    return plumb_mix(((uint64_t)p.left << 32) | p.right, 0x9fb21c651e98df25u);
}

static uint64_t hash_number(const void *context, uint32_t number)
{
    const struct table *const t = context;
    return hash_pair(t->pair[number]);
}

/* An eighth more at a time once it is large: that is moved by changing page
 * tables. */
static bool more_pairs(struct table *t, struct plumb_budget *budget)
{
    enum { LARGE = 1 << 16 };
    const size_t more =
        t->capacity < LARGE ? t->capacity + 64 : t->capacity / 8;
    struct pair *const moved =
        plumb_resize(budget, t->pair, t->capacity * sizeof *t->pair,
                     (t->capacity + more) * sizeof *t->pair);
    if (!moved)
        return false;
    t->pair = moved;
    t->capacity += more;
    return true;
}

static uint32_t number_of(struct table *t, struct pair p,
                          struct plumb_budget *budget, bool *fresh)
{
    *fresh = false;
    if (!plumb_index_room(&t->index, hash_number, t))
        return UINT32_MAX;
    struct plumb_probe probe = plumb_index_probe(&t->index, hash_pair(p));
    for (uint32_t n; (n = plumb_probe_next(&t->index, &probe)) != PLUMB_ABSENT;)
        if (t->pair[n].left == p.left && t->pair[n].right == p.right)
            return n;
    if (t->count == UINT32_MAX - 1 ||
        (t->count == t->capacity && !more_pairs(t, budget)))
        return UINT32_MAX;
    *fresh = true;
    t->pair[t->count] = p;
    plumb_index_put(&t->index, &probe, t->count);
    return t->count++;
}

/* The level above `level` of `now`.  False when memory is refused. */
static bool fold(struct plumb_vectors *v, unsigned level, bool compare)
{
    const uint32_t size = v->size[level];
    const uint32_t *const now = v->now + v->begin[level];
    const uint32_t *const last = v->last + v->begin[level];
    uint32_t *const up = v->now + v->begin[level + 1];
    const uint32_t *const last_up = v->last + v->begin[level + 1];
    bool fresh;
    for (uint32_t i = 0; i + 1 < size; i += 2) {
        if (compare && now[i] == last[i] && now[i + 1] == last[i + 1]) {
            up[i / 2] = last_up[i / 2];
            continue;
        }
        up[i / 2] = number_of(&v->inner, (struct pair){ now[i], now[i + 1] },
                              v->budget, &fresh);
        if (up[i / 2] == UINT32_MAX)
            return false;
    }
    if (size % 2)
        up[size / 2] = now[size - 1];
    return true;
}

uint32_t plumb_vectors_put(struct plumb_vectors *v, const uint32_t *vector,
                           uint32_t parent, bool *fresh)
{
    const bool compare = parent != UINT32_MAX && parent == v->current;
    const uint32_t *const top = v->now + v->begin[v->levels];
    memcpy(v->now, vector, v->slots * sizeof *vector);
    for (unsigned level = 0; level < v->levels; level++)
        if (!fold(v, level, compare))
            return UINT32_MAX;
    /* A vector of less than two slots has zeros behind it. */
    return number_of(&v->root, (struct pair){ top[0], top[1] }, v->budget,
                     fresh);
}

/* The level below `level` of `last`. */
static void unfold(struct plumb_vectors *v, unsigned level)
{
    const uint32_t size = v->size[level - 1];
    uint32_t *const down = v->last + v->begin[level - 1];
    const uint32_t *const up = v->last + v->begin[level];
    for (uint32_t i = 0; i + 1 < size; i += 2) {
        const struct pair p = v->inner.pair[up[i / 2]];
        down[i] = p.left;
        down[i + 1] = p.right;
    }
    if (size % 2)
        down[size - 1] = up[size / 2];
}

void plumb_vectors_get(struct plumb_vectors *v, uint32_t number,
                       uint32_t *vector)
{
    assert(number < v->root.count);
    if (number != v->current) {
        uint32_t *const top = v->last + v->begin[v->levels];
        top[0] = v->root.pair[number].left;
        top[1] = v->root.pair[number].right;
        for (unsigned level = v->levels; level > 0; level--)
            unfold(v, level);
        v->current = number;
    }
    memcpy(vector, v->last, v->slots * sizeof *vector);
}

uint32_t plumb_vectors_count(const struct plumb_vectors *v)
{
    return v->root.count;
}

static size_t table_bytes(const struct table *t)
{
    return t->capacity * sizeof *t->pair + plumb_index_bytes(&t->index);
}

size_t plumb_vectors_bytes(const struct plumb_vectors *v)
{
    return sizeof *v + table_bytes(&v->inner) + table_bytes(&v->root) +
           2 * v->numbers * sizeof *v->last;
}
