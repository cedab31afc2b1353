// explore:
// expect: no violation
// explore: -- -DTHREADS=3
// expect: no violation
// explore: -- -DTWO_STEPS
// expect: assertion|livelock

/* A ticket lock.  TWO_STEPS draws a ticket by a load and a store: two may have
 * the same, and both get in, or one waits for a number that is gone. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

static atomic_uint next, served;
static int count;

static unsigned draw(void)
{
#ifdef TWO_STEPS
    const unsigned ticket = atomic_load(&next);
    atomic_store(&next, ticket + 1);
    return ticket;
#else
    return atomic_fetch_add(&next, 1);
#endif
}

static void *works(void *unused)
{
    const unsigned ticket = draw();
    while (atomic_load(&served) != ticket)
        ;
    count++;
    atomic_store(&served, ticket + 1);
    return unused;
}

int main(void)
{
    run_same(THREADS, works);
    assert(count == THREADS);
    return 0;
}
