/* stuttering_queue.c - a queue whose first item may be given away twice.
 *
 * The type is Herlihy & Wing's; Wing & Gong (1990) name it among their ten
 * objects.  A dequeue reads the first item, says at its node that it takes it,
 * moves `head` past it and answers it.  If it finds that another dequeue has
 * moved `head` already it does *not* begin again: that is the stutter.  Only
 * those who come too late, MORE others being served, have to.
 *
 *     head -> [.] -> [x, taken 2] -> [y, taken 0] -> NULL
 *
 * Enqueues take turns by a lock and take effect when they link their node.
 * A dequeue that answers `empty` takes effect when it reads a link that is
 * NULL: head cannot have left that node.  Else there was, since the call, a
 * moment at which the node it took was the first.  Let t be the time at which
 * head moves past the node; all these moments are before it.
 * - If a dequeue that answers x moved head, it takes effect at t and removes
 *   x.  The others, at most MORE, take effect at their moments and leave it.
 * - If one that came too late did so, then 1 + MORE dequeues have taken x and
 *   have not tried to move head before t, else it had moved.  So all of them
 *   are still running at t: choose one to remove x at t.
 *
 * FAULT_UNCOUNTED: nobody comes too late. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { MORE = 1 }; /* the j of the specification */

struct node {
    _Atomic(struct node *) next;
    int64_t item;
    _Atomic int taken;
};

static pthread_mutex_t tail_lock;
static struct node *tail;
static _Atomic(struct node *) head; /* the node before the first item */
static struct node *oldest;         /* of all nodes: they stay until the end */

static struct node *new_node(int64_t item)
{
    struct node *const n = malloc(sizeof *n);
    if (!n)
        abort();
    atomic_init(&n->next, NULL);
    n->item = item;
    atomic_init(&n->taken, 0);
    return n;
}

static void setup(void)
{
    pthread_mutex_init(&tail_lock, NULL);
    oldest = tail = new_node(0);
    atomic_store(&head, oldest);
}

static void teardown(void)
{
    while (oldest) {
        struct node *const n = oldest;
        oldest = atomic_load(&n->next);
        free(n);
    }
    pthread_mutex_destroy(&tail_lock);
}

static void enq(plumb_invocation *i)
{
    struct node *const n = new_node(plumb_arg(i, 0));
    lock(&tail_lock);
    atomic_store(&tail->next, n);
    tail = n;
    unlock(&tail_lock);
}

static bool too_late(int taken_before)
{
#ifdef FAULT_UNCOUNTED
    (void)taken_before;
    return false;
#else
    return taken_before > MORE;
#endif
}

static void deq(plumb_invocation *i)
{
    for (;;) {
        struct node *before = atomic_load(&head);
        struct node *const first = atomic_load(&before->next);
        if (!first) {
            plumb_term(i, "empty");
            return;
        }
        const int taken_before = atomic_fetch_add(&first->taken, 1);
        atomic_compare_exchange_strong(&head, &before, first);
        if (!too_late(taken_before)) {
            plumb_return(i, first->item);
            return;
        }
        plumb_retry();
    }
}

PLUMB_OBJECT(.name = "Q", .spec = "stuttering-queue:j=1", .setup = setup,
             .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
