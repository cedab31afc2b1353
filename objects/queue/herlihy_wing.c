/* herlihy_wing.c - a queue of two instructions in an array.
 *
 * Herlihy & Wing, "Linearizability: a correctness condition for concurrent
 * objects" (1990).  An enqueue adds one to `back` and stores its
 * item in the slot of that number.  A dequeue swaps nothing into the slots
 * before `back`, one after the other, until an item comes out.  On an empty
 * queue it waits for ever.
 *
 * Why it is a queue: see wing_gong_unbounded.c, which has a list where this has
 * an array.  The array ends: a history may have ENQUEUES of them at most. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENQUEUES = 1024 };
#define NOTHING INT64_MIN

static _Atomic int64_t slot[ENQUEUES];
static _Atomic unsigned back; /* slots from here on are not given away */

static void setup(void)
{
    for (unsigned n = 0; n < ENQUEUES; n++)
        atomic_init(&slot[n], NOTHING);
    atomic_store(&back, 0);
}

static void enq(plumb_invocation *i)
{
    const unsigned mine = atomic_fetch_add(&back, 1);
    if (mine >= ENQUEUES) {
        fprintf(stderr, "herlihy-wing: more than %d enqueues\n", ENQUEUES);
        abort();
    }
    atomic_store(&slot[mine], plumb_arg(i, 0));
}

/* The first item among the slots, or NOTHING. */
static int64_t scan(void)
{
    const unsigned end = atomic_load(&back);
    for (unsigned n = 0; n < end; n++) {
        const int64_t x = atomic_exchange(&slot[n], NOTHING);
        if (x != NOTHING)
            return x;
    }
    return NOTHING;
}

static void deq(plumb_invocation *i)
{
    int64_t x;
    while ((x = scan()) == NOTHING)
        try_again();
    plumb_return(i, x);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:blocking", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
