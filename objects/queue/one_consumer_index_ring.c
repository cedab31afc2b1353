/* one_consumer_index_ring.c - a ring whose consumers have one index.
 *
 * As the ring of the Concurrency Kit (ck_ring), for many producers and
 * consumers.  Producers claim an index by a CAS, write, wait for those before
 * them, and move `done` on, as in two_index_ring.c.  A consumer first copies
 * the item and then claims its index by a CAS: after that it is done.  If it
 * loses, the copy is worth nothing.
 *
 *     consumed <= produced.done <= produced.claimed <= consumed + CAPACITY
 *
 * Proof sketch.  Indices count up for ever, and an operation takes effect when
 * it claims its index.
 * - deq: `consumed` was n since it was read, so the slot of n, filled before
 *   `done` passed n, was not free for item n + CAPACITY: the copy is item n.
 * - full: `claimed` was the same before and after `consumed` was read.
 * - empty: all items that are there are claimed and not done.  That is weak; as
 *   indices are done in order, behind an enqueue that is open all are open
 *   (weak=claim).
 *
 * FAULT_STALE_FULL: the second look is missing.  `consumed` may be beyond an
 * index that was read long ago: the difference is huge, and the ring full. */
#include "../common/lock.h"

#include <stdatomic.h>

#ifndef CAPACITY
#define CAPACITY 2
#endif

static _Atomic uint64_t claimed, done, consumed;
static _Atomic int64_t ring[CAPACITY];

static void setup(void)
{
    atomic_init(&claimed, 0);
    atomic_init(&done, 0);
    atomic_init(&consumed, 0);
}

/* `index` is what `claimed` was before. */
static bool is_full(uint64_t index)
{
    if (index - atomic_load(&consumed) < CAPACITY)
        return false;
#ifdef FAULT_STALE_FULL
    return true;
#else
    return atomic_load(&claimed) == index;
#endif
}

static void enq(plumb_invocation *i)
{
    uint64_t n;
    do {
        n = atomic_load(&claimed);
        if (is_full(n)) {
            plumb_term(i, "full");
            return;
        }
    } while (!atomic_compare_exchange_strong(&claimed, &n, n + 1));
    /* relaxed: published by the store of `done` */
    atomic_store_explicit(&ring[n % CAPACITY], plumb_arg(i, 0),
                          memory_order_relaxed);
    while (atomic_load(&done) != n)
        try_again();
    atomic_store(&done, n + 1);
}

static void deq(plumb_invocation *i)
{
    uint64_t n = atomic_load(&consumed);
    int64_t item;
    do {
        if (atomic_load(&done) == n) {
            plumb_term(i, "empty");
            return;
        }
        /* relaxed: acquired with `done`; if it is not, the CAS fails */
        item = atomic_load_explicit(&ring[n % CAPACITY], memory_order_relaxed);
    } while (!atomic_compare_exchange_strong(&consumed, &n, n + 1));
    plumb_return(i, item);
}

#define TEXT(x)       #x
#define SPEC_OF(size) "queue:cap=" TEXT(size)

PLUMB_OBJECT(.name = "Q", .spec = SPEC_OF(CAPACITY), .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
