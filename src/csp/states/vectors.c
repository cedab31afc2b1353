/* vectors.c - tree compression.
 *
 * A cursor's `last` has all places of the vector where it is, and so has `now`
 * but while a root is looked for.  The vector that is all 0 has 0 everywhere:
 * that is where a cursor begins. */
#include "vectors.h"

#include "base/memory.h"
#include "vector_store.h"
#include <assert.h>
#include <string.h>

/* ---- making one ---- */

static size_t words_of_marks(const struct plumb_csp_tree *t)
{
    return (size_t)t->places / 64 + 1;
}

/* All arrays of a cursor are one block, marks first. */
static size_t cursor_size(const struct plumb_csp_tree *t)
{
    return words_of_marks(t) * sizeof(uint64_t) +
           (2 * (size_t)t->slots + 3 * (size_t)t->places) * sizeof(uint32_t);
}

static void close_cursor(struct plumb_csp_cursor *c)
{
    plumb_base_release(c->v->budget, c->marks, cursor_size(&c->v->tree));
}

/* To be closed in any case. */
static bool open_cursor(struct plumb_csp_cursor *c, struct plumb_csp_vectors *v)
{
    const struct plumb_csp_tree *const t = &v->tree;
    c->v = v;
    c->marks = plumb_base_alloc_zeroed(v->budget, cursor_size(t));
    if (!c->marks)
        return false;
    c->vector = (uint32_t *)(c->marks + words_of_marks(t));
    c->work = c->vector + t->slots;
    c->last = c->work + t->slots;
    c->now = c->last + t->places;
    c->path = c->now + t->places;
    return true;
}

struct plumb_csp_cursor *plumb_csp_cursor_new(struct plumb_csp_vectors *v)
{
    struct plumb_csp_cursor *const c =
        plumb_base_alloc_zeroed(v->budget, sizeof *c);
    if (!c)
        return NULL;
    if (open_cursor(c, v))
        return c;
    plumb_csp_cursor_free(c);
    return NULL;
}

void plumb_csp_cursor_free(struct plumb_csp_cursor *c)
{
    if (!c)
        return;
    close_cursor(c);
    plumb_base_release(c->v->budget, c, sizeof *c);
}

struct plumb_csp_cursor *plumb_csp_vectors_cursor(struct plumb_csp_vectors *v)
{
    return &v->own;
}

void plumb_csp_vectors_free(struct plumb_csp_vectors *v)
{
    if (!v)
        return;
    close_cursor(&v->own);
    for (unsigned i = 0; i < v->inners; i++)
        plumb_csp_inner_release(&v->inner[i]);
    PLUMB_RELEASE(v->budget, v->inner, v->tree.levels);
    plumb_base_pairs_release(&v->root);
    plumb_csp_tree_release(&v->tree);
    plumb_base_release(v->budget, v, sizeof *v);
}

static bool open_inners(struct plumb_csp_vectors *v)
{
    v->inner = plumb_base_alloc(v->budget, v->tree.levels * sizeof *v->inner);
    bool good = v->inner != NULL;
    while (good && v->inners < v->tree.levels) {
        const unsigned width = v->tree.width[v->inners];
        good = plumb_csp_inner_init(&v->inner[v->inners++], width, v->budget);
    }
    return good;
}

struct plumb_csp_vectors *plumb_csp_vectors_ordered(uint32_t slots,
                                                    const uint32_t *order,
                                                    uint32_t cut,
                                                    struct plumb_budget *budget)
{
    struct plumb_csp_vectors *const v =
        plumb_base_alloc_zeroed(budget, sizeof *v);
    if (!v)
        return NULL;
    v->budget = budget;
    v->own.v = v;
    plumb_base_pairs_init(&v->root, budget);
    if (plumb_csp_tree_init(&v->tree, slots, order, cut, budget) &&
        open_inners(v) && open_cursor(&v->own, v))
        return v;
    plumb_csp_vectors_free(v);
    return NULL;
}

struct plumb_csp_vectors *plumb_csp_vectors_new(uint32_t slots,
                                                struct plumb_budget *budget)
{
    return plumb_csp_vectors_ordered(slots, NULL, (slots + 1) / 2, budget);
}

/* ---- from slots to the root ---- */

static uint64_t root_of(const uint32_t *top)
{
    return (uint64_t)top[0] << 32 | top[1];
}

static struct plumb_base_pair pair_of(uint64_t root)
{
    return (struct plumb_base_pair){ (uint32_t)(root >> 32), (uint32_t)root };
}

/* What stands at `place` will have to be found: once is enough. */
static inline void mark(struct plumb_csp_cursor *c, uint32_t place,
                        uint32_t *count)
{
    uint64_t *const word = &c->marks[place / 64];
    const uint64_t bit = (uint64_t)1 << place % 64;
    if (*word & bit)
        return;
    *word |= bit;
    c->path[(*count)++] = place;
}

void plumb_csp_cursor_set(struct plumb_csp_cursor *c, uint32_t slot,
                          uint32_t value)
{
    const struct plumb_csp_tree *const t = &c->v->tree;
    assert(slot < t->slots);
    const uint32_t place = t->place[slot];
    if (value == c->now[place])
        return;
    c->now[place] = value;
    if (t->levels)
        mark(c, t->above[place], &c->changed);
}

static inline void copy(uint32_t *to, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += 4)
        memcpy(to + i, from + i, 4 * sizeof *to);
}

/* From places above `level` to those above them; `now` of the level is put
 * back.  UINT32_MAX: memory is refused. */
static uint32_t climb(struct plumb_csp_cursor *c, unsigned level,
                      uint32_t count)
{
    const struct plumb_csp_tree *const t = &c->v->tree;
    struct plumb_csp_inner *const inner = &c->v->inner[level];
    uint32_t above = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t place = c->path[k], below = t->below[place];
        c->marks[place / 64] &= ~((uint64_t)1 << place % 64);
        c->now[place] = plumb_csp_inner_number(inner, c->now + below);
        if (c->now[place] == UINT32_MAX)
            return UINT32_MAX;
        copy(c->now + below, c->last + below, t->width[level]);
        if (place < t->top)
            mark(c, t->above[place], &above);
    }
    return above;
}

static void start_again(struct plumb_csp_cursor *c)
{
    const struct plumb_csp_tree *const t = &c->v->tree;
    memcpy(c->now, c->last, t->places * sizeof *c->now);
    memset(c->marks, 0, words_of_marks(t) * sizeof *c->marks);
}

bool plumb_csp_cursor_root(struct plumb_csp_cursor *c, uint64_t *root)
{
    const struct plumb_csp_tree *const t = &c->v->tree;
    uint32_t count = c->changed;
    c->changed = 0;
    for (unsigned level = 0; level < t->levels; level++) {
        count = climb(c, level, count);
        if (count == UINT32_MAX) {
            start_again(c);
            return false;
        }
    }
    assert(!count || !t->levels);
    *root = root_of(c->now + t->top);
    memcpy(c->now + t->top, c->last + t->top, 2 * sizeof *c->now);
    return true;
}

uint32_t *plumb_csp_cursor_work(struct plumb_csp_cursor *c)
{
    return c->work;
}

/* ---- numbers ---- */

uint32_t plumb_csp_vectors_put(struct plumb_csp_vectors *v,
                               const uint32_t *vector)
{
    struct plumb_csp_cursor *const c = &v->own;
    uint64_t root;
    for (uint32_t i = 0; i < v->tree.slots; i++)
        if (vector[i] != c->vector[i])
            plumb_csp_cursor_set(c, i, vector[i]);
    return plumb_csp_cursor_root(c, &root) ? plumb_csp_vectors_number(v, root)
                                           : UINT32_MAX;
}

static void expect(const struct plumb_csp_inner *t, uint32_t number)
{
    const uint32_t *const node = plumb_csp_inner_node(t, number);
    __builtin_prefetch(node);
    __builtin_prefetch(node + t->width - 1);
}

void plumb_csp_vectors_expect(const struct plumb_csp_vectors *v, uint64_t root)
{
    const struct plumb_base_pair pair = pair_of(root);
    if (v->inners == 0)
        return;
    expect(&v->inner[v->inners - 1], pair.left);
    expect(&v->inner[v->inners - 1], pair.right);
}

void plumb_csp_vectors_fetch(const struct plumb_csp_vectors *v, uint64_t root)
{
    plumb_base_pairs_fetch(&v->root, pair_of(root));
}

uint32_t plumb_csp_vectors_guess(const struct plumb_csp_vectors *v,
                                 uint64_t root)
{
    return plumb_base_pairs_guess(&v->root, pair_of(root));
}

bool plumb_csp_vectors_is(const struct plumb_csp_vectors *v, uint32_t number,
                          uint64_t root)
{
    return plumb_csp_vectors_root(v, number) == root;
}

uint32_t plumb_csp_vectors_find(const struct plumb_csp_vectors *v,
                                uint64_t root)
{
    return plumb_base_pairs_find(&v->root, pair_of(root));
}

uint32_t plumb_csp_vectors_number(struct plumb_csp_vectors *v, uint64_t root)
{
    return plumb_base_pairs_number(&v->root, pair_of(root));
}

/* ---- going ---- */

static inline void set(struct plumb_csp_cursor *c, uint32_t place,
                       uint32_t number, uint32_t *path, uint32_t *count)
{
    if (c->last[place] == number)
        return;
    c->last[place] = c->now[place] = number;
    path[(*count)++] = place;
}

/* From places above `level` that have changed, in `path` up to its end, to
 * those of the level: they are put behind them. */
static uint32_t descend(struct plumb_csp_cursor *c, unsigned level,
                        uint32_t *path, uint32_t count)
{
    const struct plumb_csp_tree *const t = &c->v->tree;
    uint32_t below = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *const node =
            plumb_csp_inner_node(&c->v->inner[level], c->last[path[k]]);
        for (uint32_t i = 0; i < t->width[level]; i++)
            set(c, t->below[path[k]] + i, node[i], path + count, &below);
    }
    return below;
}

/* Consecutive states have most in common: only what has not is unfolded. */
const uint32_t *plumb_csp_cursor_go(struct plumb_csp_cursor *c, uint64_t root)
{
    const struct plumb_csp_tree *const t = &c->v->tree;
    const struct plumb_base_pair pair = pair_of(root);
    uint32_t *path = c->path, count = 0;
    set(c, t->top, pair.left, path, &count);
    set(c, t->top + 1, pair.right, path, &count);
    for (unsigned level = t->levels; level-- > 0;) {
        const uint32_t below = descend(c, level, path, count);
        path += count;
        count = below;
    }
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t slot = t->slot[path[k]];
        c->vector[slot] = c->work[slot] = c->last[path[k]];
    }
    return c->vector;
}

void plumb_csp_vectors_get(struct plumb_csp_vectors *v, uint32_t number,
                           uint32_t *vector)
{
    assert(number < v->root.count);
    memcpy(vector,
           plumb_csp_cursor_go(&v->own, plumb_csp_vectors_root(v, number)),
           v->tree.slots * sizeof *vector);
}

uint64_t plumb_csp_vectors_root(const struct plumb_csp_vectors *v,
                                uint32_t number)
{
    const struct plumb_base_pair p = plumb_base_pairs_at(&v->root, number);
    return (uint64_t)p.left << 32 | p.right;
}

/* ---- several threads ---- */

void plumb_csp_vectors_share(struct plumb_csp_vectors *v,
                             struct plumb_base_gate *gate)
{
    for (unsigned i = 0; i < v->inners; i++)
        plumb_csp_inner_share(&v->inner[i]);
    v->root.gate = gate;
}

static bool is_untidy(struct plumb_csp_vectors *v)
{
    bool untidy = false;
    for (unsigned i = 0; i < v->inners; i++)
        untidy |= plumb_csp_inner_is_untidy(&v->inner[i]);
    return untidy;
}

void plumb_csp_vectors_tidy(struct plumb_csp_vectors *v)
{
    if (!is_untidy(v))
        return;
    plumb_base_gate_close(v->root.gate);
    for (unsigned i = 0; i < v->inners; i++)
        plumb_csp_inner_tidy(&v->inner[i]);
    plumb_base_gate_open(v->root.gate);
}

/* ---- how much ---- */

uint32_t plumb_csp_vectors_count(const struct plumb_csp_vectors *v)
{
    return v->root.count;
}
