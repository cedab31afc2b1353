/* counted_consumers.c - a queue of one producer, whose consumers count ahead.
 *
 * As the queue that each producer has for itself in Cameron Desrochers'
 * moodycamel::ConcurrentQueue (2014); there the items of one producer leave in
 * order, those of different producers need not.  Process 0 enqueues.
 *
 * A dequeue first reserves: it adds one to `reserved`.  If more items were
 * enqueued than are reserved, one is there for it, and it takes the next index
 * from `head`.  Else it takes its reservation back, by adding one to `returned`.
 *
 *     head <= reserved - returned        of those some will be taken back
 *     head <= tail
 *
 * Proof sketch.  Who was given an index has reserved, and was one of as many as
 * there are items: so less than `tail` indices are given away, each once, and
 * the slot of each is filled.  An enqueue takes effect with the store of `tail`,
 * a dequeue when it takes its index.
 *
 * Empty is weak, of a kind of its own (weak=scan).  A reservation counts until
 * it is taken back: of two dequeues that come to one item, one gets it, the
 * other one has reserved in vain; if now another item is enqueued, a third
 * dequeue still finds as many reservations as items.  Two answer empty then, and
 * nobody takes the item.
 *
 * FAULT_UNCHECKED: having reserved, it does not look whether an item is there.
 *
 * The array ends: a history may have ENQUEUES of them at most. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENQUEUES = 1024 };

static _Atomic int64_t slot[ENQUEUES];
static _Atomic uint64_t head, tail;
static _Atomic uint64_t reserved, returned;

static void setup(void)
{
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
    atomic_init(&reserved, 0);
    atomic_init(&returned, 0);
}

static void enq(plumb_invocation *i)
{
    /* relaxed: only this process writes it */
    const uint64_t n = atomic_load_explicit(&tail, memory_order_relaxed);
    if (n == ENQUEUES) {
        fprintf(stderr, "counted-consumers: more than %d enqueues\n", ENQUEUES);
        abort();
    }
    /* relaxed: published by the store of `tail` */
    atomic_store_explicit(&slot[n], plumb_arg(i, 0), memory_order_relaxed);
    atomic_store(&tail, n + 1);
}

/* By the counts, is an item there for a reservation with this number? */
static bool is_covered(uint64_t number, uint64_t back)
{
    /* as a difference: `back` may be later than what `number` was read from */
    return (int64_t)(number - back - atomic_load(&tail)) < 0;
}

static bool reserve(void)
{
    const uint64_t back = atomic_load(&returned);
    if (!is_covered(atomic_load(&reserved), back))
        return false;
    const uint64_t mine = atomic_fetch_add(&reserved, 1);
#ifdef FAULT_UNCHECKED
    (void)mine;
    return true;
#else
    if (is_covered(mine, back))
        return true;
    atomic_fetch_add(&returned, 1);
    return false;
#endif
}

static void deq(plumb_invocation *i)
{
    if (!reserve()) {
        plumb_term(i, "empty");
        return;
    }
    const uint64_t n = atomic_fetch_add(&head, 1);
    plumb_return(i, atomic_load_explicit(&slot[n], memory_order_relaxed));
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH }, PLUMB_BY_FIRST },
                             { "deq", deq, .by = PLUMB_BY_ANY } });
