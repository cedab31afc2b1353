/* skew_heap.c - a heap whose operations follow each other down the tree.
 *
 * Wing & Gong (1990) name an unbounded priority queue but do not print it;
 * this is the skew heap of Sleator & Tarjan (1986), which Jones ("Concurrent
 * operations on priority queues", 1989) made concurrent.  No node is larger
 * than those below it.  To insert, and to merge the two halves that are left
 * of a heap without its root, one walks down from the root, and exchanges the
 * children of every node on the way: that balances well enough on the average,
 * and nothing ever has to be repaired on the way back up.
 *
 *      anchor -> 1          delmin: 2 becomes the root; its left child
 *               / \         will be the merger of its right subtree, 5,
 *              2   3        with the other heap, 3; its right child is 4
 *             / \
 *            4   5
 *
 * Each node has a lock, and the anchor has one.  Whoever is to write a link
 * holds the lock of the node it is in; whoever goes down locks the child, then
 * unlocks the parent.  So an operation never overtakes one that was at the
 * anchor before it, and it finds every node as that one left it: this is the
 * tree protocol of Silberschatz & Kedem (1980).  All together they do what
 * they would do one after the other in the order in which they locked the
 * anchor, and that is where each takes effect.  One waits only for those
 * before it in that order, so there is always one that can go on.
 *
 * The root is freed at once: to reach it one has to hold the anchor's lock. */
#include "../common/lock.h"

#include <stdlib.h>

struct node {
    pthread_mutex_t mutex; /* of the links */
    int64_t key;
    struct node *left, *right;
};

static pthread_mutex_t anchor;
static struct node *root; /* the anchor's link */

static struct node *new_node(int64_t key)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    pthread_mutex_init(&n->mutex, NULL);
    n->key = key;
    n->left = n->right = NULL;
    return n;
}

static void free_node(struct node *n)
{
    pthread_mutex_destroy(&n->mutex);
    free(n);
}

static void setup(void)
{
    pthread_mutex_init(&anchor, NULL);
    root = NULL;
}

/* Rotates what is on the left to the right, until nothing is on the left. */
static void teardown(void)
{
    while (root) {
        struct node *const n = root;
        struct node *const l = n->left;
        root = l ? l : n->right;
        if (l) {
            n->left = l->right;
            l->right = n;
        } else {
            free_node(n);
        }
    }
    pthread_mutex_destroy(&anchor);
}

/* A link that one may write: its place, and the lock that it is under. */
struct place {
    struct node **link;
    pthread_mutex_t *mutex;
};

/* From a place to the node that it points to, whose lock we have: exchange the
 * node's children.  Gives what was on its right; to be written is its left. */
static struct node *go_down(struct place *at, struct node *n)
{
    struct node *const rest = n->right;
    n->right = n->left;
    unlock(at->mutex);
    *at = (struct place){ &n->left, &n->mutex };
    return rest;
}

static struct node *locked(struct node *n)
{
    if (n)
        lock(&n->mutex);
    return n;
}

static void insert(plumb_invocation *i)
{
    struct node *const fresh = new_node(plumb_arg(i, 0));
    struct place at = { &root, &anchor };
    lock(&anchor);
    struct node *n = locked(root);
    while (n && n->key <= fresh->key) {
        *at.link = n;
        n = locked(go_down(&at, n));
    }
    fresh->left = n;
    *at.link = fresh;
    if (n)
        unlock(&n->mutex);
    unlock(at.mutex);
}

/* Two heaps become one, at a place.  All three are locked, and then not. */
static void merge(struct place at, struct node *a, struct node *b)
{
    while (a && b) {
        struct node *const smaller = a->key <= b->key ? a : b;
        b = smaller == a ? b : a;
        *at.link = smaller;
        a = locked(go_down(&at, smaller));
    }
    struct node *const rest = a ? a : b;
    *at.link = rest;
    if (rest)
        unlock(&rest->mutex);
    unlock(at.mutex);
}

static void delmin(plumb_invocation *i)
{
    lock(&anchor);
    struct node *const n = locked(root);
    if (!n) {
        plumb_term(i, "empty");
        unlock(&anchor);
        return;
    }
    plumb_return(i, n->key);
    struct node *const left = locked(n->left);
    struct node *const right = locked(n->right);
    unlock(&n->mutex);
    free_node(n);
    merge((struct place){ &root, &anchor }, left, right);
}

PLUMB_OBJECT(.name = "P", .spec = "priority-queue", .setup = setup,
             .teardown = teardown,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 20) } },
                             { "delmin", delmin } });
