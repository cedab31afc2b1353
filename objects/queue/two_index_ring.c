/* two_index_ring.c - a ring with a claimed and a done index on each side.
 *
 * As rte_ring of the DPDK, for many producers and consumers (there `head` is
 * what is claimed, `tail` what is done).  buf_ring.c has the same four indices;
 * here free slots and items are counted by differences, and what was counted
 * with an index that is out of date fails at the CAS.
 *
 *     consumers.done <= consumers.claimed <= producers.done
 *                                         <= producers.claimed
 *
 * An operation claims an index by a CAS, copies the item, waits until all who
 * claimed before it are done, and moves `done` on.
 *
 * Proof sketch.  Indices count up for ever.  An operation takes effect when it
 * claims its index; they are claimed and done in order, so the n-th dequeue has
 * the n-th enqueue's item.
 * - enq: `claimed` was p when it was read, and is p at the CAS, so nobody
 *   claimed in between; `consumers.done`, read between the two, can only have
 *   grown since: the slot is free.  deq likewise.
 * - full: `consumers.done` was p - CAPACITY.  `claimed` cannot be beyond p then,
 *   and was p before.  But of the dequeues some may have claimed and not be
 *   done: then it is full although items have left.  empty: all items that are
 *   there may be claimed and not done.  Both are weak; as indices are done in
 *   order, behind an operation that is open all are open (weak=claim).
 *
 * FAULT_NO_WAIT: does not wait for those before it.  `done` then covers slots
 * that they have not written yet, or goes back. */
#include "../common/lock.h"

#include <stdatomic.h>

#ifndef CAPACITY
#define CAPACITY 2
#endif

struct side {
    _Atomic uint64_t claimed, done;
};

static struct side producers, consumers;
static _Atomic int64_t ring[CAPACITY];

static void setup(void)
{
    atomic_init(&producers.claimed, 0);
    atomic_init(&producers.done, 0);
    atomic_init(&consumers.claimed, 0);
    atomic_init(&consumers.done, 0);
}

/* Claim an index of `mine` when, by the done index of the `others`, there is
 * something to be had; `ahead` is how much at the start. */
static bool claim(struct side *mine, struct side *others, uint64_t ahead,
                  uint64_t *index)
{
    *index = atomic_load(&mine->claimed);
    do {
        /* More than `ahead` only if the index is out of date. */
        if (atomic_load(&others->done) + ahead == *index)
            return false;
    } while (
        !atomic_compare_exchange_strong(&mine->claimed, index, *index + 1));
    return true;
}

static void finish(struct side *mine, uint64_t index)
{
#ifndef FAULT_NO_WAIT
    while (atomic_load(&mine->done) != index)
        try_again();
#endif
    atomic_store(&mine->done, index + 1);
}

static void enq(plumb_invocation *i)
{
    uint64_t n;
    if (!claim(&producers, &consumers, CAPACITY, &n)) {
        plumb_term(i, "full");
        return;
    }
    /* relaxed: published by finish() */
    atomic_store_explicit(&ring[n % CAPACITY], plumb_arg(i, 0),
                          memory_order_relaxed);
    finish(&producers, n);
}

static void deq(plumb_invocation *i)
{
    uint64_t n;
    if (!claim(&consumers, &producers, 0, &n)) {
        plumb_term(i, "empty");
        return;
    }
    /* relaxed: the load of `done` acquired it */
    plumb_return(
        i, atomic_load_explicit(&ring[n % CAPACITY], memory_order_relaxed));
    finish(&consumers, n);
}

#define TEXT(x)       #x
#define SPEC_OF(size) "queue:cap=" TEXT(size)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(CAPACITY), .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
