/* concurrent_linked_list.c - a list with two ends and a lock in every node.
 *
 * ConcurrentLinkedList of the preview of .NET 4.0, a subject of Line-Up
 * (Burckhardt et al., PLDI 2010, table 1).  The class was never shipped; this
 * one is made from the names of its operations.  ("RemoveList" in the table is
 * taken for RemoveLast.)
 *
 * The items lie between two nodes that stay, `head` and `tail`.  Whoever
 * changes a link holds the locks of both nodes that it connects, taken from
 * head to tail.  From the front that is easy: the lock of a node keeps its
 * successor in place.  From the back the predecessors have to be read first,
 * then locked, then compared with what they are now.
 *
 * Operations at the two ends need no lock in common.  Each takes effect when
 * it changes `items` while it has its locks; nobody sees its links before it
 * gives them back.  A removal that finds nothing holds the head, whose link
 * then says that the list is empty.
 *
 * FAULT_STALE_LAST (C, a re-creation): the paper says only that two threads
 * with two operations each show the fault.  Here a removal at the back does not
 * look, when it has its locks, whether its node is still the last.  If the node
 * was removed in between, its item is removed twice; if something was added
 * behind it, that is lost. */
#include "../common/lock.h"
#include "collected.h"

#include <stdatomic.h>

struct node {
    pthread_mutex_t mutex;
    int64_t item;
    _Atomic(struct node *) prev, next;
};

static struct node head, tail;
static atomic_int items;

static void setup(void)
{
    pthread_mutex_init(&head.mutex, NULL);
    pthread_mutex_init(&tail.mutex, NULL);
    atomic_store(&head.next, &tail);
    atomic_store(&tail.prev, &head);
    atomic_store(&items, 0);
}

static void teardown(void)
{
    pthread_mutex_destroy(&head.mutex);
    pthread_mutex_destroy(&tail.mutex);
    collected_free_all();
}

static void count(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&items));
}

/* ---- adding ---- */

static struct node *new_node(const plumb_invocation *i)
{
    struct node *const n = collected_new(i, sizeof *n);
    pthread_mutex_init(&n->mutex, NULL);
    n->item = plumb_arg(i, 0);
    return n;
}

/* Between two neighbours that are locked. */
static void insert(struct node *a, struct node *n, struct node *b)
{
    atomic_store(&n->prev, a);
    atomic_store(&n->next, b);
    atomic_store(&a->next, n);
    atomic_store(&b->prev, n);
    atomic_fetch_add(&items, 1);
}

static void add_first(plumb_invocation *i)
{
    struct node *const n = new_node(i);
    lock(&head.mutex);
    struct node *const next = atomic_load(&head.next);
    lock(&next->mutex);
    insert(&head, n, next);
    unlock(&next->mutex);
    unlock(&head.mutex);
}

/* The last node, or the head; it and the tail are locked. */
static struct node *lock_last(void)
{
    for (;;) {
        struct node *const last = atomic_load(&tail.prev);
        lock(&last->mutex);
        lock(&tail.mutex);
        if (last == atomic_load(&tail.prev))
            return last;
        unlock(&tail.mutex);
        unlock(&last->mutex);
        try_again();
    }
}

static void add_last(plumb_invocation *i)
{
    struct node *const n = new_node(i);
    struct node *const last = lock_last();
    insert(last, n, &tail);
    unlock(&tail.mutex);
    unlock(&last->mutex);
}

/* ---- removing ---- */

/* A node between two others; all three are locked, and are not afterwards. */
static void take_out(struct node *a, struct node *n, struct node *b)
{
    atomic_store(&a->next, b);
    atomic_store(&b->prev, a);
    atomic_fetch_sub(&items, 1);
    unlock(&b->mutex);
    unlock(&n->mutex);
    unlock(&a->mutex);
}

/* The node that is out, or NULL. */
static const struct node *take_first(void)
{
    lock(&head.mutex);
    struct node *const n = atomic_load(&head.next);
    if (n == &tail) {
        unlock(&head.mutex);
        return NULL;
    }
    lock(&n->mutex);
    struct node *const next = atomic_load(&n->next);
    lock(&next->mutex);
    take_out(&head, n, next);
    return n;
}

static bool is_empty(void)
{
    lock(&head.mutex);
    const bool empty = atomic_load(&head.next) == &tail;
    unlock(&head.mutex);
    return empty;
}

static bool is_last(struct node *prev, struct node *n)
{
#ifdef FAULT_STALE_LAST
    return atomic_load(&n->prev) == prev;
#else
    return atomic_load(&n->prev) == prev && atomic_load(&tail.prev) == n;
#endif
}

/* False if they have changed since they were read; then none is locked. */
static bool lock_three(struct node *prev, struct node *n)
{
    lock(&prev->mutex);
    lock(&n->mutex);
    lock(&tail.mutex);
    if (is_last(prev, n))
        return true;
    unlock(&tail.mutex);
    unlock(&n->mutex);
    unlock(&prev->mutex);
    return false;
}

static const struct node *take_last(void)
{
    for (;;) {
        struct node *const n = atomic_load(&tail.prev);
        if (n == &head) {
            if (is_empty())
                return NULL;
        } else {
            struct node *const prev = atomic_load(&n->prev);
            if (lock_three(prev, n)) {
                take_out(prev, n, &tail);
                return n;
            }
        }
        try_again();
    }
}

static void remove_first(plumb_invocation *i)
{
    plumb_return_bool(i, take_first());
}

static void remove_last(plumb_invocation *i)
{
    plumb_return_bool(i, take_last());
}

static void answer(plumb_invocation *i, const struct node *n)
{
    if (n)
        plumb_return(i, n->item);
    else
        plumb_term(i, "empty");
}

static void remove_first_value(plumb_invocation *i)
{
    answer(i, take_first());
}

static void remove_last_value(plumb_invocation *i)
{
    answer(i, take_last());
}

PLUMB_OBJECT(.name = "L", .setup = setup, .teardown = teardown,
             .operations = { { "count", count },
                             { "add_first", add_first, { PLUMB_FRESH } },
                             { "add_last", add_last, { PLUMB_FRESH } },
                             { "remove_first", remove_first },
                             { "remove_first_value", remove_first_value },
                             { "remove_last", remove_last },
                             { "remove_last_value", remove_last_value } });
