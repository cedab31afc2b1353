/* lazy_list.c - a set that is a sorted list with a lock in every node.
 *
 * Steve Heller, Maurice Herlihy, Victor Luchangco, Mark Moir, William Scherer,
 * Nir Shavit, 2005.  insert and delete walk without locks, lock the two nodes
 * where they stop, and then look whether these are still in the list and next
 * to each other; if not, they begin again.  delete marks the node first, and
 * then unlinks it.  member takes no lock and never waits.
 *
 * Proof sketch.  The set is the keys of the nodes that are reachable from
 * `head` and not marked.  Links and marks change only under the locks of the
 * nodes concerned, and locks are taken in the order of the list.
 * - insert and delete: `before` and `at` are locked, not marked, hence
 *   reachable, and neighbours: the key is in the set iff `at` has it.  insert =
 *   true linearizes where it links the new node, delete = true where it marks,
 *   the others where they have both locks.
 * - member = true linearizes where it finds the mark not set.
 * - member = false.  Every node on the walk was linked at some time during it;
 *   and `next` of a marked node does not change.  If the walk stopped at a
 *   larger key, it had read a link that leads over the key.  If the node of
 *   that link was linked at the time, the key was absent then; if not, it was
 *   absent when the node was last linked with that `next`, during the walk.
 *   If the walk stopped at the key in a marked node, the key was absent at the
 *   later of two times: when the node was marked, and when it was still linked
 *   during the walk; no other node with the key can be linked before it goes.
 * - Reclamation by epochs (smr/epoch.h): member walks through nodes that were
 *   unlinked meanwhile.  delete retires the node it unlinked, once, as it is
 *   marked once.
 *
 * FAULT_NO_VALIDATION: the second look is missing.  Another node may have come
 * in between, or one of the two may be deleted.  (Nodes then stay until
 * teardown, so that all that happens are wrong answers.) */
#include <plumb/object.h>
#include <pthread.h>

static void node_free(void *node);
#define EPOCH_RECLAIM node_free
#include "../smr/epoch.h"

struct node {
    struct epoch_link retired;
    int64_t key;
    pthread_mutex_t lock;
    _Atomic bool marked;
    _Atomic(struct node *) next;
#ifdef FAULT_NO_VALIDATION
    struct node *made_before;
#endif
};

static struct node *head; /* its key is smaller than all, the last one larger */

#ifdef FAULT_NO_VALIDATION
static _Atomic(struct node *) made;
#endif

static struct node *load_next(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_seq_cst);
}

static void store_next(struct node *n, struct node *next)
{
    atomic_store_explicit(&n->next, next, memory_order_seq_cst);
}

static bool is_marked(struct node *n)
{
    return atomic_load_explicit(&n->marked, memory_order_seq_cst);
}

static struct node *node_make(int64_t key, struct node *next)
{
    struct node *const n = malloc(sizeof *n);
    if (!n || pthread_mutex_init(&n->lock, NULL) != 0)
        abort();
    n->key = key;
    atomic_init(&n->marked, false);
    atomic_init(&n->next, next);
#ifdef FAULT_NO_VALIDATION
    n->made_before = atomic_exchange_explicit(&made, n, memory_order_seq_cst);
#endif
    return n;
}

static void node_free(void *node)
{
    struct node *const n = node;
    pthread_mutex_destroy(&n->lock);
    free(n);
}

static void lock(struct node *n)
{
    pthread_mutex_lock(&n->lock);
}

static void unlock(struct node *n)
{
    pthread_mutex_unlock(&n->lock);
}

/* The first node with a key not less, and the one before it. */
static struct node *walk(int64_t key, struct node **before)
{
    struct node *at = head;
    do {
        *before = at;
        at = load_next(at);
    } while (at->key < key);
    return at;
}

static bool is_valid(struct node *before, struct node *at)
{
#ifdef FAULT_NO_VALIDATION
    (void)before, (void)at;
    return true;
#else
    return !is_marked(before) && !is_marked(at) && load_next(before) == at;
#endif
}

/* As walk(), but both are locked. */
static struct node *walk_and_lock(int64_t key, struct node **before)
{
    for (;; plumb_retry()) {
        struct node *const at = walk(key, before);
        lock(*before);
        lock(at);
        if (is_valid(*before, at))
            return at;
        unlock(at);
        unlock(*before);
    }
}

static void insert(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    struct node *before;
    epoch_enter();
    struct node *const at = walk_and_lock(key, &before);
    const bool is_new = at->key != key;
    if (is_new)
        store_next(before, node_make(key, at));
    unlock(at);
    unlock(before);
    epoch_leave();
    plumb_return_bool(i, is_new);
}

static void delete (plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    struct node *before;
    epoch_enter();
    struct node *const at = walk_and_lock(key, &before);
    const bool found = at->key == key;
    if (found) {
        atomic_store_explicit(&at->marked, true, memory_order_seq_cst);
        store_next(before, load_next(at));
    }
    unlock(at);
    unlock(before);
#ifndef FAULT_NO_VALIDATION
    if (found)
        epoch_retire(&at->retired);
#endif
    epoch_leave();
    plumb_return_bool(i, found);
}

static void member(plumb_invocation *i)
{
    const int64_t key = plumb_arg(i, 0);
    struct node *before;
    epoch_enter();
    struct node *const at = walk(key, &before);
    const bool found = at->key == key && !is_marked(at);
    epoch_leave();
    plumb_return_bool(i, found);
}

static void setup(void)
{
    head = node_make(INT64_MIN, node_make(INT64_MAX, NULL));
}

static void teardown(void)
{
#ifdef FAULT_NO_VALIDATION
    struct node *n = atomic_exchange(&made, NULL);
    for (struct node *next; n; n = next) {
        next = n->made_before;
        node_free(n);
    }
#else
    for (struct node *n = head, *next; n; n = next) {
        next = load_next(n);
        node_free(n);
    }
#endif
    epoch_drain();
}

PLUMB_OBJECT(.name = "S", .spec = "set", .setup = setup, .teardown = teardown,
             .operations = { { "insert", insert, { PLUMB_RANGE(1, 4) } },
                             { "delete", delete, { PLUMB_RANGE(1, 4) } },
                             { "member", member, { PLUMB_RANGE(1, 4) } } });
