/* michael_scott.c - the queue that is a list with a CAS at each end.
 *
 * Maged Michael and Michael Scott, 1996; here with hazard pointers, as in
 * Michael's paper on them (2004).
 *
 *     head                              tail, or one behind
 *      |                                 |
 *      v                                 v
 *     dummy -> first item -> ... -> last item -> NULL
 *
 * Proof sketch.  The items are those behind the node `head` points to.  Nodes
 * are only ever linked behind the last one, so `next` changes once, from NULL,
 * while a node is in the list; and `tail` does not fall behind `head`, because
 * deq moves `tail` on before it would pass it.
 * - enq linearizes at the CAS of `next`.  The node is protected and was `tail`
 *   after the slot was set, so it was not retired; its `next` being NULL, it
 *   is the last one.
 * - deq = ok linearizes at the CAS of `head`.  `head` was protected since
 *   before `next` was read: it is the same node with the same successor.
 * - deq = empty linearizes where it read NULL from `next`.  The node had been
 *   `head` after the slot was set; `head` does not move past a node without a
 *   successor, so it was `head` still, and the queue was empty.
 * - Reclamation: the deq whose CAS took a node out retires it, once.  enq and
 *   deq read a node only after they saw, with the slot set, that it was `tail`
 *   or `head`.  The first item is safe to read if `head` is where it was after
 *   its slot was set: a node is retired only after `head` moved beyond it.
 *
 * FAULT_NO_HAZARD: deq sets its slot and uses the node without reading `head`
 * again, as if a hazard pointer took effect before it is set: a queue that is
 * empty should be told quickly.  The node may have been reclaimed, and be in
 * use again as the last one of the queue: it has no successor, and deq answers
 * empty.  (Nodes then come from a pool, so that this is all that happens.) */
#include <plumb/object.h>
#ifdef FAULT_NO_HAZARD
#include "../smr/pool.h"
#define HAZARD_RECLAIM pool_give
#endif
#include "../smr/hazard.h"

struct node {
    struct hazard_link retired;
    _Atomic(struct node *) next;
    _Atomic int64_t value; /* changes only while nobody can see the node */
};

typedef _Atomic(struct node *) link;

static link head, tail;

static struct node *node_make(int64_t value)
{
#ifdef FAULT_NO_HAZARD
    struct node *const n = pool_take(sizeof *n);
#else
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
#endif
    /* relaxed: published by the CAS in enq() */
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&n->value, value, memory_order_relaxed);
    return n;
}

static struct node *load(link *from)
{
    return atomic_load_explicit(from, memory_order_seq_cst);
}

static bool cas(link *at, struct node *old, struct node *new)
{
    /* seq_cst: hazard.h asks for it; relaxed if it fails: all is read again */
    return atomic_compare_exchange_strong_explicit(
        at, &old, new, memory_order_seq_cst, memory_order_relaxed);
}

static void enq(plumb_invocation *i)
{
    struct node *const n = node_make(plumb_arg(i, 0));
    for (;; plumb_retry()) {
        struct node *const last = load(&tail);
        hazard_set(0, last);
        if (last != load(&tail))
            continue;
        struct node *const next = load(&last->next);
        if (next)
            cas(&tail, last, next); /* help whoever linked it */
        else if (cas(&last->next, NULL, n)) {
            cas(&tail, last, n);
            hazard_clear();
            return;
        }
    }
}

/* Take out the first item.  The node that was the dummy, NULL if there is
 * none. */
static struct node *take(int64_t *value)
{
    for (;; plumb_retry()) {
        struct node *const first = load(&head);
        hazard_set(0, first);
#ifdef FAULT_NO_HAZARD
        if (!load(&first->next))
            return NULL;
#endif
        if (first != load(&head))
            continue;
        struct node *const last = load(&tail);
        struct node *const next = load(&first->next);
        hazard_set(1, next);
        if (first != load(&head))
            continue;
        if (!next)
            return NULL;
        if (first == last) {
            cas(&tail, last, next);
            continue;
        }
        /* relaxed: the load of `next` acquired it */
        *value = atomic_load_explicit(&next->value, memory_order_relaxed);
        if (cas(&head, first, next))
            return first;
    }
}

static void deq(plumb_invocation *i)
{
    int64_t value;
    struct node *const dummy = take(&value);
    hazard_clear();
    if (dummy) {
        plumb_return(i, value);
        hazard_retire(&dummy->retired);
    } else
        plumb_term(i, "empty");
}

static void setup(void)
{
    struct node *const dummy = node_make(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
}

static void teardown(void)
{
#ifdef FAULT_NO_HAZARD
    hazard_drain();
    pool_drain();
#else
    for (struct node *n = load(&head); n;) {
        struct node *const next = load(&n->next);
        free(n);
        n = next;
    }
    hazard_drain();
#endif
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup, .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
