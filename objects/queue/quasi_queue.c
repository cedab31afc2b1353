/* quasi_queue.c - a queue whose items may leave K places early or late.
 *
 * A quasi-linearizable queue (Afek, Korland & Yanovsky, 2010) as in Figure 4 of
 * "Round-Up" (2015): a list of items, and over it windows of K + 1 items that
 * do not move.  A dequeue takes any item of the first window that still has
 * one; the next window has to wait until all of them have left.
 *
 *     windows of K = 1:   | x  2 | 3  4 | 5        2 has to leave first
 *
 * -DK=2 makes larger windows; with K = 0 it is a queue.
 *
 * Proof sketch (marked_list.h has the list).  An enqueue takes effect when its
 * node is linked, a dequeue when it marks one.  The dequeue has walked over the
 * earlier windows and seen all their nodes marked, and marks stay: so at its
 * CAS the item is among the K + 1 of the first window that is not empty.  At
 * most K items before it are there, and nobody overtakes it but the K others of
 * its window: this is segment=K+1, and so k=K.  It answers empty at the end of
 * the list, when all nodes before were marked.
 *
 * The names b1 to b3 are those of the faulty variants in Table I of the paper,
 * which says what they answer; how they come to it is ours.
 *
 * WINDOWLESS: without windows, as the paper warns in section II: any of the
 * first K + 1 items there are.  None leaves more than K early, but the first
 * one may stay for ever.
 *
 * FAULT_FAR (b1): windows are larger by one.
 * FAULT_TAKE_TWICE (b2): an item is marked by a load and a store; an item that
 * has left, leaves again.
 * FAULT_GIVE_UP (b3): who chose an item and did not get it, answers empty. */
#include "marked_list.h"

#ifndef K
#define K 1
#endif

#ifdef FAULT_FAR
enum { WINDOW = K + 2 };
#else
enum { WINDOW = K + 1 };
#endif

/* The items that may leave. */
struct candidates {
    struct node *node[WINDOW];
    unsigned count;
};

/* Are all nodes that may leave before `n`? */
static bool is_beyond(const struct candidates *c, const struct node *n)
{
#ifdef WINDOWLESS
    (void)n;
    return c->count == WINDOW;
#else
    return c->count > 0 &&
           (n->number - 1) / WINDOW > (c->node[0]->number - 1) / WINDOW;
#endif
}

static void look(struct candidates *c, struct node *n)
{
    c->count = 0;
    while ((n = list_next(n)) && !is_beyond(c, n))
        if (!list_is_taken(n))
            c->node[c->count++] = n;
}

/* The node whose item was taken; or NULL. */
static struct node *take_any(void)
{
    for (;; plumb_retry()) {
        struct candidates c;
        struct node *const from = atomic_load(&head);
        look(&c, from);
        if (c.count == 0)
            return NULL;
        struct node *const n = c.node[plumb_choose(c.count)];
        if (list_take(n)) {
            list_advance(from);
            return n;
        }
#ifdef FAULT_GIVE_UP
        return NULL;
#endif
    }
}

static void deq(plumb_invocation *i)
{
    const struct node *const n = take_any();
    if (n)
        plumb_return(i, n->item);
    else
        plumb_term(i, "empty");
}

#define TEXT(x)    #x
#define SPEC_OF(k) "queue:k=" TEXT(k)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(K), .setup = list_setup,
             .teardown = list_teardown,
             .operations = { { "enq", list_append, { PLUMB_FRESH } },
                             { "deq", deq } });
