/* treap.c - trees of one shape.
 *
 * Recursion is as deep as the tree: O(log n), expected. */
#include "treap.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>

/* A node takes six words. */
enum { KEY_LOW, KEY_HIGH, LOAD, LEFT, RIGHT, TOTAL, WIDTH };

struct node {
    uint64_t key;
    uint32_t load, left, right;
};

void plumb_spec_treap_init(struct plumb_spec_treap *t,
                           struct plumb_budget *budget)
{
    plumb_spec_cells_init(&t->cells, budget, WIDTH);
}

void plumb_spec_treap_release(struct plumb_spec_treap *t)
{
    plumb_spec_cells_release(&t->cells);
}

static struct node node_at(const struct plumb_spec_treap *t, uint32_t root)
{
    assert(root != PLUMB_EMPTY_TREAP && root <= t->cells.count);
    const uint32_t *const w = plumb_spec_cell(&t->cells, root - 1);
    return (struct node){ (uint64_t)w[KEY_HIGH] << 32 | w[KEY_LOW], w[LOAD],
                          w[LEFT], w[RIGHT] };
}

uint32_t plumb_spec_treap_total(const struct plumb_spec_treap *t, uint32_t root)
{
    return root ? plumb_spec_cell(&t->cells, root - 1)[TOTAL] : 0;
}

/* Subtrees that could not be made are passed on. */
static uint32_t make(struct plumb_spec_treap *t, struct node n)
{
    if (n.left == PLUMB_NO_STATE || n.right == PLUMB_NO_STATE)
        return PLUMB_NO_STATE;
    const uint32_t words[WIDTH] = {
        [KEY_LOW] = (uint32_t)n.key,
        [KEY_HIGH] = (uint32_t)(n.key >> 32),
        [LOAD] = n.load,
        [LEFT] = n.left,
        [RIGHT] = n.right,
        [TOTAL] = n.load + plumb_spec_treap_total(t, n.left) +
                  plumb_spec_treap_total(t, n.right),
    };
    const uint32_t cell = plumb_spec_cells_intern(&t->cells, words);
    return cell == UINT32_MAX ? PLUMB_NO_STATE : cell + 1;
}

/* Two keys never have the same priority: the hash is a bijection. */
static bool is_above(uint64_t a, uint64_t b)
{
    return plumb_base_mix1(a) > plumb_base_mix1(b);
}

uint32_t plumb_spec_treap_get(const struct plumb_spec_treap *t, uint32_t root,
                              uint64_t key)
{
    while (root) {
        const struct node n = node_at(t, root);
        if (n.key == key)
            return n.load;
        root = key < n.key ? n.left : n.right;
    }
    return 0;
}

/* The parts of a tree without `key` below and above it. */
static void split(struct plumb_spec_treap *t, uint32_t root, uint64_t key,
                  uint32_t *below, uint32_t *above)
{
    if (!root) {
        *below = *above = PLUMB_EMPTY_TREAP;
        return;
    }
    struct node n = node_at(t, root);
    assert(n.key != key);
    if (n.key < key) {
        split(t, n.right, key, &n.right, above);
        *below = make(t, n);
    } else {
        split(t, n.left, key, below, &n.left);
        *above = make(t, n);
    }
}

/* The union of two trees; all keys of `a` are below those of `b`. */
static uint32_t merge(struct plumb_spec_treap *t, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a ? a : b;
    struct node x = node_at(t, a), y = node_at(t, b);
    if (is_above(x.key, y.key)) {
        x.right = merge(t, x.right, b);
        return make(t, x);
    }
    y.left = merge(t, a, y.left);
    return make(t, y);
}

static uint32_t put(struct plumb_spec_treap *t, uint32_t root, uint64_t key,
                    uint32_t load)
{
    struct node fresh = { key, load, 0, 0 };
    if (!root)
        return make(t, fresh);
    struct node n = node_at(t, root);
    if (n.key == key) {
        n.load = load;
    } else if (is_above(key, n.key)) { /* so it is not in this tree */
        split(t, root, key, &fresh.left, &fresh.right);
        n = fresh;
    } else if (key < n.key) {
        n.left = put(t, n.left, key, load);
    } else {
        n.right = put(t, n.right, key, load);
    }
    return make(t, n);
}

static uint32_t drop(struct plumb_spec_treap *t, uint32_t root, uint64_t key)
{
    if (!root)
        return root;
    struct node n = node_at(t, root);
    if (n.key == key)
        return merge(t, n.left, n.right);
    if (key < n.key)
        n.left = drop(t, n.left, key);
    else
        n.right = drop(t, n.right, key);
    return make(t, n);
}

uint32_t plumb_spec_treap_set(struct plumb_spec_treap *t, uint32_t root,
                              uint64_t key, uint32_t load)
{
    return load ? put(t, root, key, load) : drop(t, root, key);
}

/* The key nearest to *key that is not below it, or not above it. */
static bool nearest(const struct plumb_spec_treap *t, uint32_t root,
                    uint64_t *key, bool up)
{
    const uint64_t wanted = *key;
    bool found = false;
    while (root) {
        const struct node n = node_at(t, root);
        const bool fits = up ? n.key >= wanted : n.key <= wanted;
        root = fits == up ? n.left : n.right;
        if (!fits)
            continue;
        found = true;
        *key = n.key;
    }
    return found;
}

bool plumb_spec_treap_at_least(const struct plumb_spec_treap *t, uint32_t root,
                               uint64_t *key)
{
    return nearest(t, root, key, true);
}

bool plumb_spec_treap_at_most(const struct plumb_spec_treap *t, uint32_t root,
                              uint64_t *key)
{
    return nearest(t, root, key, false);
}

/* ---- states that are trees ---- */

bool plumb_spec_treap_open(struct plumb_spec_space *space)
{
    space->extra =
        plumb_base_arena_alloc(&space->arena, sizeof(struct plumb_spec_treap));
    if (space->extra)
        plumb_spec_treap_init(space->extra, space->arena.budget);
    return space->extra;
}

void plumb_spec_treap_close(struct plumb_spec_space *space)
{
    if (space->extra)
        plumb_spec_treap_release(space->extra);
}

bool plumb_spec_treap_step(struct plumb_spec_space *space, plumb_spec_state s,
                           uint64_t key, int more,
                           struct plumb_spec_states *out)
{
    struct plumb_spec_treap *const t = space->extra;
    const uint32_t load = plumb_spec_treap_get(t, s, key);
    if (more < 0 && !load)
        return true;
    return plumb_spec_states_made(
        out, plumb_spec_treap_set(t, s, key, load + (uint32_t)more));
}

bool plumb_spec_treap_take_any(struct plumb_spec_space *space,
                               plumb_spec_state s, uint64_t first,
                               uint64_t last, struct plumb_spec_states *out)
{
    for (uint64_t key = first;
         plumb_spec_treap_at_least(space->extra, s, &key) && key <= last; key++)
        if (!plumb_spec_treap_step(space, s, key, -1, out))
            return false;
    return true;
}

void plumb_spec_treap_show_as(const struct plumb_spec_space *space,
                              plumb_spec_state s,
                              plumb_spec_treap_show_key *show_key,
                              struct plumb_base_text *out)
{
    const struct plumb_spec_treap *const t = space->extra;
    bool first = true;
    plumb_base_text_add(out, "{");
    for (uint64_t key = 0; plumb_spec_treap_at_least(t, s, &key); key++) {
        for (uint32_t n = plumb_spec_treap_get(t, s, key); n; n--) {
            plumb_base_text_add(out, first ? "" : " ");
            show_key(space, key, out);
            first = false;
        }
    }
    plumb_base_text_add(out, "}");
}

static void show_value(const struct plumb_spec_space *space, uint64_t key,
                       struct plumb_base_text *out)
{
    plumb_spec_vid_show(space, (plumb_spec_vid)key, out);
}

void plumb_spec_treap_show(const struct plumb_spec_space *space,
                           plumb_spec_state s, struct plumb_base_text *out)
{
    plumb_spec_treap_show_as(space, s, show_value, out);
}
