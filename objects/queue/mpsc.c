/* mpsc.c - many producers, one consumer, one exchange.
 *
 * Dmitry Vyukov's node queue (2007).  An enq exchanges `newest` for its node,
 * and then links the node before to it.  It never repeats anything.  The one
 * consumer walks along the links.
 *
 *     oldest (the consumer's)                          newest
 *        |                                               |
 *        v                                               v
 *      dummy -> item -> item    (gap: not linked yet)   item -> NULL
 *
 * Proof sketch.  enq linearizes at its exchange: that orders all nodes, and
 * each is linked once, behind the one before it in that order.  So the consumer
 * takes the items in the order of the exchanges.
 * - deq = ok linearizes where it reads the link.
 * - deq = empty: no link behind the dummy.  Either nothing was enqueued behind
 *   it, or the enq that comes next is between exchange and link.  Then items
 *   of other enqs, which returned, may already lie behind the gap: this empty
 *   is weak, and fails the queue's specification.
 * - Reclamation: the consumer frees the dummy when it has a link.  The only
 *   other thread that could touch it was the enq that wrote that link, which
 *   was its last access. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int64_t value;
};

static _Atomic(struct node *) newest;
static struct node *oldest; /* touched by the consumer alone */

static struct node *node_make(int64_t value)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    atomic_init(&n->next, NULL);
    n->value = value;
    return n;
}

static void enq(plumb_invocation *i)
{
    struct node *const n = node_make(plumb_arg(i, 0));
    /* acq_rel: its release part pairs with its acquire part in the next enq,
     * which writes into this node */
    struct node *const before =
        atomic_exchange_explicit(&newest, n, memory_order_acq_rel);
    /* release: pairs with the acquire in linked() */
    atomic_store_explicit(&before->next, n, memory_order_release);
}

static struct node *linked(struct node *n)
{
    /* acquire: pairs with the release in enq() */
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

static void deq(plumb_invocation *i)
{
    struct node *const next = linked(oldest);
    if (!next) {
        plumb_term(i, "empty");
        return;
    }
    free(oldest);
    oldest = next;
    plumb_return(i, next->value);
}

static void setup(void)
{
    oldest = node_make(0);
    atomic_init(&newest, oldest);
}

static void teardown(void)
{
    while (oldest) {
        struct node *const next = linked(oldest);
        free(oldest);
        oldest = next;
    }
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup, .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } },
                             { "deq", deq, .by = PLUMB_BY_FIRST } });
