/* b_link_tree.c - a B-tree in which everybody holds one latch at a time.
 *
 * Wing & Gong (1990) name a B-tree but do not print it; this is Lehman & Yao's
 * ("Efficient locking for concurrent operations on B-trees", 1981), with the
 * improvement of Sagiv (1986).  Every node knows its right neighbour, and the
 * least key that belongs there, its `high`.  A full node is split in two steps:
 * first its upper half moves to a new right neighbour; later, with the node
 * unlatched in between, the parent hears of it.  Whoever arrives at a node and
 * finds that its key is too high for it follows the link.
 *
 *               [ 3 | . ]
 *              /         \
 *        [ 1 2 ] -3-> [ 3 4 ] -5-> [ 5 6 ]     the parent does not know of
 *                                              [ 5 6 ] yet
 *
 * The keys of a node are from its low (inclusive, written nowhere) to its high.
 * Low never changes, high only falls, nodes never vanish, and a child's low is
 * known to its parent before anybody goes there.  So whoever looks for k is
 * always at a node whose low is at most k, and gets, by going right and down,
 * to the one leaf whose keys would include k.  Every operation takes effect
 * while it has that leaf latched and k is below its high; a split changes where
 * the keys are but not which.  Since a process holds one latch at a time there
 * is no deadlock.  (A new root is made before the old one is unlatched: whoever
 * finds the old root split also finds its parent.)
 *
 * A remove takes the key from its leaf and leaves the nodes as they are, as in
 * the paper.  Nodes are freed by teardown.
 *
 * FAULT_NO_RIGHT: nobody follows the right links. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { KEYS = 2 }; /* in a node, at most: so that few inserts split much */

struct node {
    pthread_mutex_t latch;
    int level; /* 0: a leaf */
    int count;
    int64_t key[KEYS + 1]; /* one too many until the node is split */
    int64_t value[KEYS + 1];
    struct node *child[KEYS + 2]; /* child[n + 1] begins at key[n] */
    struct node *right;
    int64_t high; /* if there is a right neighbour */
};

/* Changed by who has latched the node that was the root. */
static _Atomic(struct node *) root;

static struct node *new_node(int level)
{
    struct node *const n = calloc(1, sizeof *n);
    if (!n)
        abort();
    pthread_mutex_init(&n->latch, NULL);
    n->level = level;
    return n;
}

static void setup(void)
{
    atomic_store(&root, new_node(0));
}

static void free_level(struct node *n)
{
    while (n) {
        struct node *const right = n->right;
        pthread_mutex_destroy(&n->latch);
        free(n);
        n = right;
    }
}

static void teardown(void)
{
    struct node *n = atomic_load(&root);
    while (n) {
        struct node *const leftmost_below = n->child[0];
        free_level(n);
        n = leftmost_below;
    }
}

/* ---- one node, latched ---- */

static bool is_too_high(const struct node *n, int64_t key)
{
#ifdef FAULT_NO_RIGHT
    (void)n, (void)key;
    return false;
#else
    return n->right && key >= n->high;
#endif
}

/* The number of keys below this one: its place, be it there or not. */
static int place_of(const struct node *n, int64_t key)
{
    int at = 0;
    while (at < n->count && n->key[at] < key)
        at++;
    return at;
}

static bool has(const struct node *n, int at, int64_t key)
{
    return at < n->count && n->key[at] == key;
}

static struct node *child_for(const struct node *n, int64_t key)
{
    const int at = place_of(n, key);
    return n->child[has(n, at, key) ? at + 1 : at];
}

/* Insert a key with its value, or with the child that begins there. */
static void put_at(struct node *n, int at, int64_t key, int64_t value,
                   struct node *child)
{
    for (int m = n->count; m > at; m--) {
        n->key[m] = n->key[m - 1];
        n->value[m] = n->value[m - 1];
        n->child[m + 1] = n->child[m];
    }
    n->key[at] = key;
    n->value[at] = value;
    n->child[at + 1] = child;
    n->count++;
}

static void take_at(struct node *n, int at)
{
    n->count--;
    for (int m = at; m < n->count; m++) {
        n->key[m] = n->key[m + 1];
        n->value[m] = n->value[m + 1];
    }
}

/* Move the upper half to a new right neighbour.  Its least key is a leaf's
 * first key; the one of an inner node goes up and stays in neither half. */
static struct node *split(struct node *n, int64_t *separator)
{
    struct node *const half = new_node(n->level);
    const int keep = n->count / 2;
    const int from = n->level == 0 ? keep : keep + 1;
    *separator = n->key[keep];
    half->child[0] = n->child[from];
    for (int m = from; m < n->count; m++)
        put_at(half, m - from, n->key[m], n->value[m], n->child[m + 1]);
    half->right = n->right;
    half->high = n->high;
    n->count = keep;
    n->right = half;
    n->high = *separator;
    return half;
}

/* ---- the tree ---- */

/* The node of that level where the key belongs, latched. */
static struct node *descend(int64_t key, int level)
{
    struct node *n = atomic_load(&root);
    lock(&n->latch);
    while (is_too_high(n, key) || n->level > level) {
        struct node *const next =
            is_too_high(n, key) ? n->right : child_for(n, key);
        unlock(&n->latch);
        lock(&next->latch);
        n = next;
    }
    return n;
}

static void grow(struct node *old, int64_t separator, struct node *half)
{
    struct node *const top = new_node(old->level + 1);
    top->child[0] = old;
    put_at(top, 0, separator, 0, half);
    atomic_store(&root, top);
}

/* Unlatches n, after splitting it and those above it if they are too full. */
static void settle(struct node *n)
{
    while (n->count > KEYS) {
        const int level = n->level;
        int64_t separator;
        struct node *const half = split(n, &separator);
        if (n == atomic_load(&root)) {
            grow(n, separator, half);
            break;
        }
        unlock(&n->latch);
        n = descend(separator, level + 1);
        put_at(n, place_of(n, separator), separator, 0, half);
    }
    unlock(&n->latch);
}

static void insert(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    struct node *const leaf = descend(key, 0);
    const int at = place_of(leaf, key);
    const bool absent = !has(leaf, at, key);
    if (absent)
        put_at(leaf, at, key, plumb_arg(i, 1), NULL);
    settle(leaf);
    plumb_return_bool(i, absent);
}

/* What get and remove have in common. */
static void find(plumb_invocation *i, bool take)
{
    const int64_t key = plumb_arg(i, 0);
    struct node *const leaf = descend(key, 0);
    const int at = place_of(leaf, key);
    if (has(leaf, at, key)) {
        plumb_return(i, leaf->value[at]);
        if (take)
            take_at(leaf, at);
    } else {
        plumb_term(i, "none");
    }
    unlock(&leaf->latch);
}

static void get(plumb_invocation *i)
{
    find(i, false);
}

static void remove_op(plumb_invocation *i)
{
    find(i, true);
}

PLUMB_OBJECT(.name = "T", .spec = "map", .setup = setup, .teardown = teardown,
             .operations = {
                 { "insert", insert, { PLUMB_RANGE(1, 6), PLUMB_FRESH } },
                 { "get", get, { PLUMB_RANGE(1, 6) } },
                 { "remove", remove_op, { PLUMB_RANGE(1, 6) } } });
