// explore: --test 'deq() deq() | enq(1) enq(2)'
// expect: no violation
// needs: ck_ring.h
// explore: --spec queue:cap=3 --init 'enq(9)' --test 'deq() deq() | enq(1) enq(2) enq(3)' -- -DSIZE=4
// expect: no violation
// needs: ck_ring.h
// explore: --races interleave --spec queue:cap=3 --test 'enq(1) deq() | enq(2) deq()' -- -DMPMC -DSIZE=4
// expect: no violation
// needs: ck_ring.h
// explore: --races interleave --test 'enq(1) | enq(2) deq()' -- -DMPMC
// expect: not linearizable
// needs: ck_ring.h
// explore: --races interleave --spec queue:cap=1,weak=claim --test 'enq(1) | enq(2) deq()' -- -DMPMC
// expect: no violation
// needs: ck_ring.h
// explore: --races interleave --spec queue:cap=3,weak=claim --threads 2 --samples 10 -- -DMPMC -DSIZE=4
// expect: no violation
// needs: ck_ring.h
// explore: --races interleave --spec queue:cap=3 --test 'enq(1) deq() | enq(2) | deq()' -- -DMPMC -DSIZE=4
// expect: no violation
// needs: ck_ring.h
// explore: --test 'deq() deq() | enq(1) enq(2)' -- -DCK_ASSEMBLY
// expect: no violation
// needs: ck_ring.h
// machine: x86_64
// explore: --test 'enq(1) | enq(2) deq()' -- -DMPMC -DCK_ASSEMBLY
// expect: not linearizable
// needs: ck_ring.h
// machine: x86_64
// explore: --spec queue:cap=3 --test 'enq(1) deq() | enq(2) | deq()' -- -DMPMC -DSIZE=4 -DCK_ASSEMBLY
// expect: no violation
// needs: ck_ring.h
// machine: x86_64
// label: full

/* ck_ring of SIZE places, one of which stays free.  With one process at either
 * end it is a bounded queue.  MPMC: with more, an enq takes its place first and
 * shows it later; in between the ring is full for the one who wants to put, and
 * empty for the one who wants to take, and a bounded queue is never both. */
#include "ck.h"

#include <ck_ring.h>
#include <plumb/object.h>

#ifndef SIZE
#define SIZE 2
#endif

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];

static void setup(void)
{
    ck_ring_init(&ring, SIZE);
}

static void enq(plumb_invocation *i)
{
    const void *const value = (void *)(uintptr_t)plumb_arg(i, 0);
#ifdef MPMC
    const bool done = ck_ring_enqueue_mpmc(&ring, buffer, value);
#else
    const bool done = ck_ring_enqueue_spsc(&ring, buffer, value);
#endif
    if (!done)
        plumb_term(i, "full");
}

static void deq(plumb_invocation *i)
{
    void *value = NULL;
#ifdef MPMC
    const bool done = ck_ring_dequeue_mpmc(&ring, buffer, &value);
#else
    const bool done = ck_ring_dequeue_spsc(&ring, buffer, &value);
#endif
    if (done)
        plumb_return(i, (int64_t)(uintptr_t)value);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=1", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
