/* iqueue.c - a queue that takes a slot not yet filled for the end.
 *
 * IQueue, from the exercises on linearizability in Herlihy & Shavit, "The Art
 * of Multiprocessor Programming" (2008).  An enqueue claims a slot by a CAS of
 * `tail` and fills it later.  A dequeue looks into the slot of `head`, and
 * claims it by a CAS if there is an item; if not, it answers empty.
 *
 *     head <= tail;  slots: . . 3 _ 5     5 was enqueued, 3 is the next to go,
 *                           head    tail  the enqueue of _ is under way
 *
 * Why that is no queue: while one enqueue has claimed its slot and not yet
 * filled it, whole items lie behind it, and a dequeue that has come to the gap
 * says that there is nothing.  Order is right, the answer empty is weak: the
 * addition of the next item to leave is open.
 *
 * RECHECK: a dequeue that finds nothing also looks at `tail`.  If that is the
 * slot it looked into, the queue was empty then: `head` is never beyond `tail`.
 * Else somebody fills the slot, or has taken it: again.
 *
 * The array ends: a history may have ENQUEUES of them at most. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENQUEUES = 1024 };
#define NOTHING INT64_MIN

static _Atomic int64_t slot[ENQUEUES];
static _Atomic unsigned head, tail;

static void setup(void)
{
    for (unsigned n = 0; n < ENQUEUES; n++)
        atomic_init(&slot[n], NOTHING);
    atomic_init(&head, 0);
    atomic_init(&tail, 0);
}

static void enq(plumb_invocation *i)
{
    unsigned mine = atomic_load(&tail);
    while (!atomic_compare_exchange_strong(&tail, &mine, mine + 1))
        plumb_retry();
    if (mine >= ENQUEUES) {
        fprintf(stderr, "iqueue: more than %d enqueues\n", ENQUEUES);
        abort();
    }
    atomic_store(&slot[mine], plumb_arg(i, 0));
}

/* Slot `n` had no item. */
static bool is_end(unsigned n)
{
#ifdef RECHECK
    return atomic_load(&tail) == n;
#else
    (void)n;
    return true;
#endif
}

static void deq(plumb_invocation *i)
{
    for (;; try_again()) {
        unsigned n = atomic_load(&head);
        const int64_t x = n < ENQUEUES ? atomic_load(&slot[n]) : NOTHING;
        if (x == NOTHING && is_end(n)) {
            plumb_term(i, "empty");
            return;
        }
        if (x != NOTHING && atomic_compare_exchange_strong(&head, &n, n + 1)) {
            plumb_return(i, x);
            return;
        }
    }
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
