/* marked_list.h - a list of items that are marked when they leave.
 *
 * What the relaxed queues of lists have in common.  Items are linked at the end
 * as in Michael & Scott's queue (1996), and numbered 1, 2, ... in that order.
 * They leave in another: who takes an item marks its node by a CAS.
 *
 *     head -> x -> 2 -> x -> 4 -> 5 <- tail      x: taken
 *
 * Two facts make it simple to argue about.  A link, once set, and a mark, once
 * set, stay.  And all nodes up to `head` are marked: it is moved over marked
 * nodes alone.  So who has walked from a `head` to a node, has seen everything
 * that was before it; and who came to the end past marked nodes only, saw the
 * queue empty at the moment it read NULL.
 *
 * An item is in the queue from the CAS that links it to the CAS that marks it.
 *
 * Nodes stay until teardown.  Reclaiming them is not what these objects are
 * about; michael_scott.c shows how. */
#ifndef OBJECTS_QUEUE_MARKED_LIST_H
#define OBJECTS_QUEUE_MARKED_LIST_H

#include <plumb/object.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    _Atomic bool taken;
    uint64_t number; /* these two do not change once the node is linked */
    int64_t item;
};

static struct node *oldest; /* of all nodes, for teardown */
static _Atomic(struct node *) head, tail;

static inline struct node *list_node(int64_t item)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    atomic_init(&n->next, NULL);
    atomic_init(&n->taken, false);
    n->number = 0;
    n->item = item;
    return n;
}

static void list_setup(void)
{
    oldest = list_node(0);
    atomic_init(&oldest->taken, true);
    atomic_init(&head, oldest);
    atomic_init(&tail, oldest);
}

static void list_teardown(void)
{
    for (struct node *n = oldest, *next; n; n = next) {
        next = atomic_load(&n->next);
        free(n);
    }
}

static void list_append(plumb_invocation *i)
{
    struct node *const fresh = list_node(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        struct node *last = atomic_load(&tail), *next = NULL;
        fresh->number = last->number + 1;
        const bool linked =
            atomic_compare_exchange_strong(&last->next, &next, fresh);
        /* if it fails, somebody else moved it */
        atomic_compare_exchange_strong(&tail, &last, linked ? fresh : next);
        if (linked)
            return;
    }
}

static inline struct node *list_next(struct node *n)
{
    return atomic_load(&n->next);
}

static inline bool list_is_taken(struct node *n)
{
    return atomic_load(&n->taken);
}

/* Take the item; false if it has left. */
static inline bool list_take(struct node *n)
{
#ifdef FAULT_TAKE_TWICE
    const bool taken = list_is_taken(n);
    atomic_store(&n->taken, true);
#else
    bool taken = false;
    atomic_compare_exchange_strong(&n->taken, &taken, true);
#endif
    return !taken;
}

/* Move `head`, if it is still `from`, over the nodes that are taken. */
static inline void list_advance(struct node *from)
{
    struct node *to = from, *next;
    while ((next = list_next(to)) && list_is_taken(next))
        to = next;
    if (to != from)
        atomic_compare_exchange_strong(&head, &from, to);
}

#endif
