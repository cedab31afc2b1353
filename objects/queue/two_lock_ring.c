/* two_lock_ring.c - a bounded queue, one lock at each end.
 *
 * Wing & Gong (1990) name a bounded FIFO queue but do not print it; this one
 * is Herlihy & Shavit's ("The art of multiprocessor programming", section
 * 10.3) in a ring.  Theirs wait while the queue is full or empty.  Here the
 * operations answer `full` and `empty`: every history comes to an end, and two
 * more answers can be wrong.
 *
 * Enqueues exclude each other, and so do dequeues; an enqueue and a dequeue
 * meet only in `size`.  The queue is the `size` items that begin at `head`:
 * - enq takes effect when it adds to size: its item is stored by then, and
 *   size < CAPACITY still holds, as only enqueues add;
 * - deq takes effect when it subtracts from size: it has read the first item
 *   by then, and only now may that slot be used again;
 * - full and empty when they read size.
 *
 * FAULT_EARLY: deq subtracts before it reads.  An enqueue that has room
 * only by this may overwrite the item. */
#include "../common/lock.h"

#include <stdatomic.h>

enum { CAPACITY = 4 };

static pthread_mutex_t head_lock, tail_lock;
static unsigned head, tail;
static _Atomic unsigned size;
static _Atomic int64_t slot[CAPACITY]; /* relaxed: it is size that orders */

static void setup(void)
{
    pthread_mutex_init(&head_lock, NULL);
    pthread_mutex_init(&tail_lock, NULL);
    head = tail = 0;
    atomic_store(&size, 0);
}

static void teardown(void)
{
    pthread_mutex_destroy(&head_lock);
    pthread_mutex_destroy(&tail_lock);
}

static unsigned items(void)
{
    /* acquire: pairs with the releases below, for what is in the slot, and
     * for having been read from it */
    return atomic_load_explicit(&size, memory_order_acquire);
}

static void enq(plumb_invocation *i)
{
    lock(&tail_lock);
    if (items() == CAPACITY) {
        plumb_term(i, "full");
    } else {
        atomic_store_explicit(&slot[tail], plumb_arg(i, 0),
                              memory_order_relaxed);
        tail = (tail + 1) % CAPACITY;
        atomic_fetch_add_explicit(&size, 1, memory_order_release);
    }
    unlock(&tail_lock);
}

static int64_t take_first(void)
{
#ifdef FAULT_EARLY
    atomic_fetch_sub_explicit(&size, 1, memory_order_release);
#endif
    const int64_t x = atomic_load_explicit(&slot[head], memory_order_relaxed);
    head = (head + 1) % CAPACITY;
#ifndef FAULT_EARLY
    atomic_fetch_sub_explicit(&size, 1, memory_order_release);
#endif
    return x;
}

static void deq(plumb_invocation *i)
{
    lock(&head_lock);
    if (items() == 0)
        plumb_term(i, "empty");
    else
        plumb_return(i, take_first());
    unlock(&head_lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=4", .setup = setup,
             .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
