/* pool_queue.c - a list whose nodes are taken from a fixed pool.
 *
 * Michael & Scott's queue (1996) over an array of nodes, as the queues of fixed
 * size of Boost.Lockfree.  Nodes that are not used hang in a list of their own,
 * a stack with a CAS at its top.  An enqueue that finds none answers full.
 *
 *     head -> x -> 1 -> 2 <- tail        unused -> . -> .
 *
 * A link names a node by its place in the array, and has a count that changes
 * whenever it is written, so that a CAS notices a node that was used again in
 * the meantime.
 *
 * Proof sketch: as michael_scott_counted.c, which frees no node either.  An
 * enqueue takes effect when its node is linked, a dequeue when `head` moves on,
 * empty when NULL was read from the link of a node that is still the first.
 *
 * Full is weak, of a kind of its own (weak=pool).  A dequeue that has taken
 * effect still holds a node until it has put it back, and so does an enqueue
 * whose node is not linked yet: one that finds none is told so although there
 * are fewer items than CAPACITY, even none.
 *
 * FAULT_EARLY: a dequeue puts the node back before it reads the item. */
#include <plumb/object.h>
#include <stdatomic.h>

#ifndef CAPACITY
#define CAPACITY 2
#endif

/* One node more than there are items: the first is a dummy. */
enum { NODES = CAPACITY + 1, NOBODY = NODES };

/* Which node, and a count. */
typedef uint64_t place;

static place place_of(unsigned node, place before)
{
    return (before >> 32 << 32) + ((place)1 << 32) + node;
}

static unsigned node_of(place p)
{
    return (unsigned)(p & UINT32_MAX);
}

struct node {
    _Atomic place next;
    _Atomic int64_t item;
};

static struct node node[NODES];
static _Atomic place head, tail, unused;

static bool change(_Atomic place *at, place from, unsigned to)
{
    return atomic_compare_exchange_strong(at, &from, place_of(to, from));
}

/* ---- the pool ---- */

static void put_back(unsigned n)
{
    place first;
    do {
        first = atomic_load(&unused);
        /* nobody else writes it; the count has to change all the same */
        atomic_store(&node[n].next,
                     place_of(node_of(first), atomic_load(&node[n].next)));
    } while (!change(&unused, first, n));
}

/* A node, or NOBODY. */
static unsigned take_node(void)
{
    for (;; plumb_retry()) {
        const place first = atomic_load(&unused);
        if (node_of(first) == NOBODY)
            return NOBODY;
        const place next = atomic_load(&node[node_of(first)].next);
        if (change(&unused, first, node_of(next)))
            return node_of(first);
    }
}

/* ---- the queue ---- */

static void setup(void)
{
    for (unsigned n = 0; n < NODES; n++)
        atomic_init(&node[n].next, n + 1 < NODES ? n + 1 : (unsigned)NOBODY);
    atomic_init(&node[0].next, NOBODY); /* the dummy */
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
    atomic_init(&unused, 1);
}

/* Link node `n` behind the last one. */
static void append(unsigned n)
{
    for (;; plumb_retry()) {
        const place last = atomic_load(&tail);
        const place next = atomic_load(&node[node_of(last)].next);
        if (last != atomic_load(&tail))
            continue;
        if (node_of(next) != NOBODY) {
            change(&tail, last, node_of(next));
        } else if (change(&node[node_of(last)].next, next, n)) {
            change(&tail, last, n);
            return;
        }
    }
}

static void enq(plumb_invocation *i)
{
    const unsigned n = take_node();
    if (n == NOBODY) {
        plumb_term(i, "full");
        return;
    }
    atomic_store(&node[n].item, plumb_arg(i, 0));
    atomic_store(&node[n].next, place_of(NOBODY, atomic_load(&node[n].next)));
    append(n);
}

/* Move `head` on from `first`; the item is in the node behind it. */
static bool leave(place first, unsigned next, int64_t *item)
{
#ifdef FAULT_EARLY
    if (!change(&head, first, next))
        return false;
    put_back(node_of(first));
    *item = atomic_load(&node[next].item);
#else
    *item = atomic_load(&node[next].item); /* before somebody else takes it */
    if (!change(&head, first, next))
        return false;
    put_back(node_of(first));
#endif
    return true;
}

static void deq(plumb_invocation *i)
{
    for (;; plumb_retry()) {
        int64_t item;
        const place first = atomic_load(&head);
        const place last = atomic_load(&tail);
        const place next = atomic_load(&node[node_of(first)].next);
        if (first != atomic_load(&head))
            continue;
        if (node_of(next) == NOBODY) {
            plumb_term(i, "empty");
            return;
        }
        if (node_of(first) == node_of(last)) {
            change(&tail, last, node_of(next));
        } else if (leave(first, node_of(next), &item)) {
            plumb_return(i, item);
            return;
        }
    }
}

#define TEXT(x)       #x
#define SPEC_OF(size) "queue:cap=" TEXT(size)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(CAPACITY), .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
