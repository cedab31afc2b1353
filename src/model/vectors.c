/* vectors.c - tree compression.
 *
 * The slots of a vector are level 0.  Up to four neighbours of a level become
 * one number of the next, one that is left over is carried up, until two are
 * left: the root pair, whose number is the vector's.
 *
 *     level 0    x   H   L0  L1  t0  t1  t2
 *     level 1          a               b
 *     root                  (a, b)
 *
 * Inner nodes share a table or two: they are few.  A cursor's `last` holds all
 * levels of the vector where it is; what a new vector has in common with it is
 * not looked up again. */
#include "model/vectors.h"

#include "base/memory.h"
#include "model/couples.h"
#include "model/inner_nodes.h"
#include <assert.h>
#include <string.h>

enum { MOST_LEVELS = 17, REMEMBERED = 1 << 12 };

/* An inner node that was met not long ago. */
struct memory {
    uint32_t node[PLUMB_MOST_BELOW];
    uint32_t number;
    uint32_t width; /* of its table; 0: nothing is remembered */
};

struct plumb_cursor {
    struct plumb_vectors *v;
    uint32_t *last, *now;
    bool placed;           /* it was somewhere */
    bool same;             /* `now` is as `last` */
    uint32_t *path;        /* places of levels that have changed */
    struct memory *memory; /* REMEMBERED of them, by hash */
};

struct plumb_vectors {
    struct plumb_budget *budget;
    struct plumb_inner fours, twos; /* where four become one, or two */
    struct plumb_couples root;
    uint32_t slots;
    unsigned levels;             /* below the root                       */
    uint32_t begin[MOST_LEVELS]; /* where each begins in `last` and `now` */
    uint32_t size[MOST_LEVELS];
    uint32_t arity[MOST_LEVELS]; /* numbers that become one of the next */
    size_t numbers;              /* in each of the two */
    uint32_t current;            /* the vector where `own` is, or UINT32_MAX */
    struct plumb_cursor own;
};

static void close_cursor(struct plumb_cursor *c)
{
    const struct plumb_vectors *const v = c->v;
    plumb_release(v->budget, c->last, v->numbers * sizeof *c->last);
    plumb_release(v->budget, c->now, v->numbers * sizeof *c->now);
    plumb_release(v->budget, c->path, v->numbers * sizeof *c->path);
    plumb_release(v->budget, c->memory, REMEMBERED * sizeof *c->memory);
}

/* To be closed in any case. */
static bool open_cursor(struct plumb_cursor *c, struct plumb_vectors *v)
{
    struct plumb_budget *const b = v->budget;
    c->v = v;
    c->last = plumb_alloc_zeroed(b, v->numbers * sizeof *c->last);
    c->now = plumb_alloc_zeroed(b, v->numbers * sizeof *c->now);
    c->path = plumb_alloc_zeroed(b, v->numbers * sizeof *c->path);
    c->memory = plumb_alloc_zeroed(b, REMEMBERED * sizeof *c->memory);
    return c->last && c->now && c->path && c->memory;
}

struct plumb_cursor *plumb_cursor_new(struct plumb_vectors *v)
{
    struct plumb_cursor *const c = plumb_alloc_zeroed(v->budget, sizeof *c);
    if (!c)
        return NULL;
    if (open_cursor(c, v))
        return c;
    plumb_cursor_free(c);
    return NULL;
}

void plumb_cursor_free(struct plumb_cursor *c)
{
    if (!c)
        return;
    close_cursor(c);
    plumb_release(c->v->budget, c, sizeof *c);
}

struct plumb_cursor *plumb_vectors_cursor(struct plumb_vectors *v)
{
    return &v->own;
}

void plumb_vectors_share(struct plumb_vectors *v, struct plumb_gate *gate)
{
    plumb_inner_share(&v->fours);
    plumb_inner_share(&v->twos);
    v->root.gate = gate;
}

void plumb_vectors_tidy(struct plumb_vectors *v)
{
    if (!plumb_inner_is_untidy(&v->fours) && !plumb_inner_is_untidy(&v->twos))
        return;
    plumb_gate_close(v->root.gate);
    plumb_inner_tidy(&v->fours);
    plumb_inner_tidy(&v->twos);
    plumb_gate_open(v->root.gate);
}

void plumb_vectors_free(struct plumb_vectors *v)
{
    if (!v)
        return;
    close_cursor(&v->own);
    plumb_inner_release(&v->fours);
    plumb_inner_release(&v->twos);
    plumb_couples_release(&v->root);
    plumb_release(v->budget, v, sizeof *v);
}

static void lay_out(struct plumb_vectors *v)
{
    uint32_t at = 0, size = v->slots;
    while (size > 2) {
        const uint32_t arity = size > 4 ? PLUMB_MOST_BELOW : 2;
        v->begin[v->levels] = at;
        v->arity[v->levels] = arity;
        v->size[v->levels++] = size;
        at += size;
        size = (size - 1) / arity + 1;
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
    plumb_inner_init(&v->fours, 4, budget);
    plumb_inner_init(&v->twos, 2, budget);
    plumb_couples_init(&v->root, budget);
    lay_out(v);
    if (open_cursor(&v->own, v))
        return v;
    plumb_vectors_free(v);
    return NULL;
}

/* The numbers of a level that become one. */
struct group {
    uint32_t first, count;
};

static inline struct group group_at(const struct plumb_vectors *v,
                                    unsigned level, uint32_t place)
{
    const uint32_t first = place * v->arity[level];
    const uint32_t left = v->size[level] - first;
    return (struct group){ first,
                           left < v->arity[level] ? left : v->arity[level] };
}

/* The nodes that numbers of a level become. */
static inline struct plumb_inner *nodes_of(struct plumb_vectors *v,
                                           unsigned level)
{
    return v->arity[level] > 2 ? &v->fours : &v->twos;
}

/* The number that numbers of a level become. */
static inline uint32_t inner_number(struct plumb_cursor *c, unsigned level,
                                    const uint32_t *at, uint32_t count)
{
    if (count == 1)
        return at[0];
    struct plumb_inner *const t = nodes_of(c->v, level);
    const uint32_t node[PLUMB_MOST_BELOW] = { at[0], at[1],
                                              count > 2 ? at[2] : 0,
                                              count > 3 ? at[3] : 0 };
    struct memory *const m = &c->memory[plumb_inner_hash(node) % REMEMBERED];
    if (m->width == t->width && plumb_inner_same(m->node, node, 4))
        return m->number;
    const uint32_t number = plumb_inner_number(t, node);
    if (number != UINT32_MAX) {
        memcpy(m->node, node, sizeof node);
        m->number = number;
        m->width = t->width;
    }
    return number;
}

/* The level above `level` of `now`.  False when memory is refused. */
static bool fold(struct plumb_cursor *c, unsigned level, bool compare)
{
    const struct plumb_vectors *const v = c->v;
    const uint32_t *const now = c->now + v->begin[level];
    const uint32_t *const last = c->last + v->begin[level];
    uint32_t *const up = c->now + v->begin[level + 1];
    const uint32_t *const last_up = c->last + v->begin[level + 1];
    for (uint32_t i = 0; i < v->size[level + 1]; i++) {
        const struct group g = group_at(v, level, i);
        const size_t bytes = g.count * sizeof *now;
        const bool same =
            compare && memcmp(now + g.first, last + g.first, bytes) == 0;
        up[i] =
            same ? last_up[i] : inner_number(c, level, now + g.first, g.count);
        if (up[i] == UINT32_MAX)
            return false;
    }
    return true;
}

uint32_t plumb_vectors_put(struct plumb_vectors *v, const uint32_t *vector,
                           uint32_t parent, bool *fresh)
{
    struct plumb_cursor *const c = &v->own;
    const bool compare = parent != UINT32_MAX && parent == v->current;
    const uint32_t *const top = c->now + v->begin[v->levels];
    c->same = false;
    memcpy(c->now, vector, v->slots * sizeof *vector);
    for (unsigned level = 0; level < v->levels; level++)
        if (!fold(c, level, compare))
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

static uint32_t put_slots(struct plumb_cursor *c, const uint32_t *vector,
                          const uint32_t *slot, uint32_t slots)
{
    uint32_t changed = 0;
    for (uint32_t k = 0; k < slots; k++) {
        const uint32_t i = slot[k];
        if (vector[i] == c->last[i])
            continue;
        c->now[i] = vector[i];
        c->path[changed++] = i;
    }
    return changed;
}

/* From places of a level, in order, to those above them; `now` of the level is
 * put back.  UINT32_MAX: memory is refused. */
static uint32_t climb(struct plumb_cursor *c, unsigned level, uint32_t count)
{
    const struct plumb_vectors *const v = c->v;
    uint32_t *const now = c->now + v->begin[level];
    const uint32_t *const last = c->last + v->begin[level];
    uint32_t *const up = c->now + v->begin[level + 1];
    uint32_t above = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t place = c->path[k] / v->arity[level];
        const struct group g = group_at(v, level, place);
        if (above && c->path[above - 1] == place)
            continue;
        up[place] = inner_number(c, level, now + g.first, g.count);
        if (up[place] == UINT32_MAX)
            return UINT32_MAX;
        for (uint32_t i = g.first; i < g.first + g.count; i++)
            now[i] = last[i];
        c->path[above++] = place;
    }
    return above;
}

bool plumb_cursor_root(struct plumb_cursor *c, const uint32_t *vector,
                       const uint32_t *slot, uint32_t slots, uint64_t *root)
{
    const struct plumb_vectors *const v = c->v;
    uint32_t *const top = c->now + v->begin[v->levels];
    const uint32_t *const last = c->last + v->begin[v->levels];
    if (!c->same)
        memcpy(c->now, c->last, v->numbers * sizeof *c->now);
    c->same = false;
    uint32_t count = put_slots(c, vector, slot, slots);
    for (unsigned level = 0; level < v->levels; level++) {
        count = climb(c, level, count);
        if (count == UINT32_MAX)
            return false;
    }
    *root = root_of(top);
    top[0] = last[0];
    top[1] = last[1];
    c->same = true;
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

uint32_t plumb_vectors_find(const struct plumb_vectors *v, uint64_t root)
{
    return plumb_couples_find(&v->root, pair_of(root));
}

uint32_t plumb_vectors_number(struct plumb_vectors *v, uint64_t root)
{
    return plumb_couples_number(&v->root, pair_of(root));
}

/* ---- going ---- */

/* A number of `last`, and of `now` if that is the same. */
static inline void set(struct plumb_cursor *c, unsigned level, uint32_t place,
                       uint32_t number, uint32_t *count)
{
    const uint32_t begin = c->v->begin[level];
    uint32_t *const last = &c->last[begin + place];
    if (*last == number && c->placed)
        return;
    *last = c->now[begin + place] = number;
    c->path[begin + (*count)++] = place;
}

/* From `count` places that have changed to those of `level`, below. */
static uint32_t descend(struct plumb_cursor *c, unsigned level, uint32_t count)
{
    const struct plumb_vectors *const v = c->v;
    const struct plumb_inner *const t = nodes_of(c->v, level);
    const uint32_t *const up = c->last + v->begin[level + 1];
    const uint32_t *const path = c->path + v->begin[level + 1];
    uint32_t below = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct group g = group_at(v, level, path[k]);
        const uint32_t *const number =
            g.count == 1 ? &up[path[k]] : plumb_inner_node(t, up[path[k]]);
        for (uint32_t i = 0; i < g.count; i++)
            set(c, level, g.first + i, number[i], &below);
    }
    return below;
}

/* Consecutive states have most in common: only what has not is unfolded. */
static void go(struct plumb_cursor *c, struct plumb_couple root)
{
    const struct plumb_vectors *const v = c->v;
    uint32_t count = 0;
    if (!c->same)
        memcpy(c->now, c->last, v->numbers * sizeof *c->now);
    set(c, v->levels, 0, root.left, &count);
    set(c, v->levels, 1, root.right, &count);
    for (unsigned level = v->levels; level-- > 0;)
        count = descend(c, level, count);
    c->same = c->placed = true;
}

void plumb_cursor_go(struct plumb_cursor *c, uint64_t root, uint32_t *vector)
{
    go(c, pair_of(root));
    memcpy(vector, c->last, c->v->slots * sizeof *vector);
}

void plumb_vectors_get(struct plumb_vectors *v, uint32_t number,
                       uint32_t *vector)
{
    assert(number < v->root.count);
    if (number != v->current)
        go(&v->own, v->root.pair[number]);
    v->current = number;
    memcpy(vector, v->own.last, v->slots * sizeof *vector);
}

uint64_t plumb_vectors_root(const struct plumb_vectors *v, uint32_t number)
{
    const struct plumb_couple p = v->root.pair[number];
    return (uint64_t)p.left << 32 | p.right;
}

uint32_t plumb_vectors_count(const struct plumb_vectors *v)
{
    return v->root.count;
}

size_t plumb_vectors_bytes(const struct plumb_vectors *v)
{
    return sizeof *v + plumb_inner_bytes(&v->fours) +
           plumb_inner_bytes(&v->twos) + plumb_couples_bytes(&v->root) +
           3 * v->numbers * sizeof *v->own.last +
           REMEMBERED * sizeof *v->own.memory;
}
