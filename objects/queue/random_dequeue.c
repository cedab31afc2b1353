/* random_dequeue.c - a list from whose first nodes any item may leave.
 *
 * The random-dequeued queue of Afek, Korland & Yanovsky (2010), rd-queue in
 * Scal and Round-Up.  A dequeue draws one of the first K + 1 nodes behind
 * `head`, and takes the first item it finds from there on, around to the nodes
 * before it.  `head` moves over nodes that are taken.
 *
 *     head -> 1 -> x -> 3 -> 4      K = 2: 1 or 3 may leave, 4 not yet
 *
 * Nodes whose item has left count, until `head` has passed them: that is what
 * holds the window, and the queue of quasi_queue.c with -DWINDOWLESS lacks.
 *
 * Proof sketch (marked_list.h has the list).  An enqueue takes effect when its
 * node is linked, a dequeue when it marks one.  All nodes up to `head` are
 * marked, so the item it takes is among the first K + 1 that are there: at most
 * K early.  And while an item is there `head` is before it, so that only the
 * K nodes behind it can overtake it: at most K late.  Together, k=K.  Empty:
 * all nodes up to some node were marked, and no link led on from there.
 *
 * FAULT_FAR: the window is larger by one. */
#include "marked_list.h"

#ifndef K
#define K 1
#endif

#ifdef FAULT_FAR
enum { WINDOW = K + 2 };
#else
enum { WINDOW = K + 1 };
#endif

/* The first nodes of the list. */
struct window {
    struct node *node[WINDOW];
    unsigned count;
};

static void look(struct window *w, struct node *from)
{
    struct node *n = from;
    w->count = 0;
    while (w->count < WINDOW && (n = list_next(n)))
        w->node[w->count++] = n;
}

/* The node whose item was taken; NULL if all have left. */
static struct node *take_any(const struct window *w)
{
    const unsigned first = w->count ? plumb_choose(w->count) : 0;
    for (unsigned c = 0; c < w->count; c++) {
        struct node *const n = w->node[(first + c) % w->count];
        if (!list_is_taken(n) && list_take(n))
            return n;
    }
    return NULL;
}

static void deq(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        struct window w;
        struct node *const from = atomic_load(&head);
        look(&w, from);
        const struct node *const n = take_any(&w);
        list_advance(from);
        if (n) {
            plumb_return(i, n->item);
            return;
        }
        if (!list_next(w.count ? w.node[w.count - 1] : from)) {
            plumb_term(i, "empty");
            return;
        }
    }
}

#define TEXT(x)    #x
#define SPEC_OF(k) "queue:k=" TEXT(k)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(K), .setup = list_setup,
             .teardown = list_teardown,
             .operations = { { "enq", list_append, { PLUMB_FRESH } },
                             { "deq", deq } });
