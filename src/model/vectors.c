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

enum { MOST_LEVELS = 33, REMEMBERED = 1 << 12 };

struct pair {
    uint32_t left, right;
};

/* An inner pair that was met not long ago. */
struct memory {
    struct pair pair;
    uint32_t number;
    bool used;
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
    size_t numbers;        /* in each of the two */
    uint32_t current;      /* the vector in `last`, or UINT32_MAX */
    bool same;             /* `now` is as `last` */
    uint32_t *path;        /* places of a level that have changed */
    struct memory *memory; /* REMEMBERED of them, by hash */
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
    plumb_release(v->budget, v->path, v->numbers * sizeof *v->path);
    plumb_release(v->budget, v->memory, REMEMBERED * sizeof *v->memory);
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
    v->path = plumb_alloc_zeroed(budget, v->numbers * sizeof *v->path);
    v->memory = plumb_alloc_zeroed(budget, REMEMBERED * sizeof *v->memory);
    if (!v->last || !v->now || !v->path || !v->memory) {
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

/* A sixteenth more at a time once it is large: that moves pages, not bytes. */
static bool more_pairs(struct table *t, struct plumb_budget *budget)
{
    enum { LARGE = 1 << 16 };
    const size_t more =
        t->capacity < LARGE ? t->capacity / 2 + 64 : t->capacity / 16;
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

/* The number of an inner pair. */
static inline uint32_t inner_number(struct plumb_vectors *v, uint32_t left,
                                    uint32_t right)
{
    const struct pair p = { left, right };
    struct memory *const m = &v->memory[hash_pair(p) % REMEMBERED];
    bool fresh;
    if (m->used && m->pair.left == left && m->pair.right == right)
        return m->number;
    const uint32_t number = number_of(&v->inner, p, v->budget, &fresh);
    if (number != UINT32_MAX)
        *m = (struct memory){ p, number, true };
    return number;
}

/* The level above `level` of `now`.  False when memory is refused. */
static bool fold(struct plumb_vectors *v, unsigned level, bool compare)
{
    const uint32_t size = v->size[level];
    const uint32_t *const now = v->now + v->begin[level];
    const uint32_t *const last = v->last + v->begin[level];
    uint32_t *const up = v->now + v->begin[level + 1];
    const uint32_t *const last_up = v->last + v->begin[level + 1];
    for (uint32_t i = 0; i + 1 < size; i += 2) {
        if (compare && now[i] == last[i] && now[i + 1] == last[i + 1]) {
            up[i / 2] = last_up[i / 2];
            continue;
        }
        up[i / 2] = inner_number(v, now[i], now[i + 1]);
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
    v->same = false;
    memcpy(v->now, vector, v->slots * sizeof *vector);
    for (unsigned level = 0; level < v->levels; level++)
        if (!fold(v, level, compare))
            return UINT32_MAX;
    /* A vector of less than two slots has zeros behind it. */
    return number_of(&v->root, (struct pair){ top[0], top[1] }, v->budget,
                     fresh);
}

/* ---- by what has changed ---- */

static uint64_t root_of(const uint32_t *top)
{
    return (uint64_t)top[0] << 32 | top[1];
}

static struct pair pair_of(uint64_t root)
{
    return (struct pair){ (uint32_t)(root >> 32), (uint32_t)root };
}

static uint32_t put_slots(struct plumb_vectors *v, const uint32_t *vector,
                          const uint32_t *slot, uint32_t slots)
{
    uint32_t changed = 0;
    for (uint32_t k = 0; k < slots; k++) {
        const uint32_t i = slot[k];
        if (vector[i] == v->last[i])
            continue;
        v->now[i] = vector[i];
        v->path[changed++] = i;
    }
    return changed;
}

/* From places of a level, in order, to those above them; `now` of the level is
 * put back.  UINT32_MAX: memory is refused. */
static uint32_t climb(struct plumb_vectors *v, unsigned level, uint32_t count)
{
    const uint32_t size = v->size[level];
    uint32_t *const now = v->now + v->begin[level];
    const uint32_t *const last = v->last + v->begin[level];
    uint32_t *const up = v->now + v->begin[level + 1];
    uint32_t above = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t left = v->path[k] & ~(uint32_t)1;
        if (above && v->path[above - 1] == left / 2)
            continue;
        if (left + 1 == size)
            up[left / 2] = now[left];
        else
            up[left / 2] = inner_number(v, now[left], now[left + 1]);
        if (up[left / 2] == UINT32_MAX)
            return UINT32_MAX;
        now[left] = last[left];
        if (left + 1 < size)
            now[left + 1] = last[left + 1];
        v->path[above++] = left / 2;
    }
    return above;
}

bool plumb_vectors_root(struct plumb_vectors *v, const uint32_t *vector,
                        const uint32_t *slot, uint32_t slots, uint64_t *root)
{
    uint32_t *const top = v->now + v->begin[v->levels];
    const uint32_t *const last = v->last + v->begin[v->levels];
    if (!v->same)
        memcpy(v->now, v->last, v->numbers * sizeof *v->now);
    v->same = false;
    uint32_t count = put_slots(v, vector, slot, slots);
    for (unsigned level = 0; level < v->levels; level++) {
        count = climb(v, level, count);
        if (count == UINT32_MAX)
            return false;
    }
    *root = root_of(top);
    top[0] = last[0];
    top[1] = last[1];
    v->same = true;
    return true;
}

void plumb_vectors_fetch(const struct plumb_vectors *v, uint64_t root)
{
    const struct plumb_probe p =
        plumb_index_probe(&v->root.index, hash_pair(pair_of(root)));
    plumb_probe_fetch(&v->root.index, &p);
}

void plumb_vectors_fetch_pair(const struct plumb_vectors *v, uint64_t root)
{
    struct plumb_probe p =
        plumb_index_probe(&v->root.index, hash_pair(pair_of(root)));
    const uint32_t number = plumb_probe_next(&v->root.index, &p);
    if (number != PLUMB_ABSENT)
        __builtin_prefetch(v->root.pair + number);
}

uint32_t plumb_vectors_number(struct plumb_vectors *v, uint64_t root)
{
    bool fresh;
    return number_of(&v->root, pair_of(root), v->budget, &fresh);
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
        v->same = false;
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
           3 * v->numbers * sizeof *v->last + REMEMBERED * sizeof *v->memory;
}
