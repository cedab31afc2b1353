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

#include "base/memory.h"
#include "model/couples.h"
#include <assert.h>
#include <string.h>

enum { MOST_LEVELS = 33, REMEMBERED = 1 << 12 };

/* An inner pair that was met not long ago. */
struct memory {
    struct plumb_couple pair;
    uint32_t number;
    bool used;
};

struct plumb_vectors {
    struct plumb_budget *budget;
    struct plumb_couples inner, root;
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

void plumb_vectors_free(struct plumb_vectors *v)
{
    if (!v)
        return;
    plumb_couples_release(&v->inner);
    plumb_couples_release(&v->root);
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
    plumb_couples_init(&v->inner, budget);
    plumb_couples_init(&v->root, budget);
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

/* The number of an inner pair. */
static inline uint32_t inner_number(struct plumb_vectors *v, uint32_t left,
                                    uint32_t right)
{
    const struct plumb_couple p = { left, right };
    struct memory *const m = &v->memory[plumb_couple_hash(p) % REMEMBERED];
    if (m->used && m->pair.left == left && m->pair.right == right)
        return m->number;
    const uint32_t number = plumb_couples_number(&v->inner, p);
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
    const uint32_t known = v->root.count;
    const uint32_t number =
        plumb_couples_number(&v->root, (struct plumb_couple){ top[0], top[1] });
    *fresh = number == known;
    return number;
}

/* ---- by what has changed ---- */

static uint64_t root_of(const uint32_t *top)
{
    return (uint64_t)top[0] << 32 | top[1];
}

static struct plumb_couple pair_of(uint64_t root)
{
    return (struct plumb_couple){ (uint32_t)(root >> 32), (uint32_t)root };
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
    plumb_couples_fetch(&v->root, pair_of(root));
}

void plumb_vectors_fetch_pair(const struct plumb_vectors *v, uint64_t root)
{
    plumb_couples_fetch_pair(&v->root, pair_of(root));
}

uint32_t plumb_vectors_number(struct plumb_vectors *v, uint64_t root)
{
    return plumb_couples_number(&v->root, pair_of(root));
}

/* The level below `level` of `last`. */
static void unfold(struct plumb_vectors *v, unsigned level)
{
    const uint32_t size = v->size[level - 1];
    uint32_t *const down = v->last + v->begin[level - 1];
    const uint32_t *const up = v->last + v->begin[level];
    for (uint32_t i = 0; i + 1 < size; i += 2) {
        const struct plumb_couple p = v->inner.pair[up[i / 2]];
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

size_t plumb_vectors_bytes(const struct plumb_vectors *v)
{
    return sizeof *v + plumb_couples_bytes(&v->inner) +
           plumb_couples_bytes(&v->root) + 3 * v->numbers * sizeof *v->last +
           REMEMBERED * sizeof *v->memory;
}
