// explore:
// expect: no violation
// explore: -- -DTHREADS=3
// expect: no violation
// explore: --preemptions all -- -DKEEP_NODE
// expect: livelock

/* A queue lock whose waiters spin on the place of the one before, and take that
 * place with them when they leave.  KEEP_NODE uses its own place again: whoever
 * still looks at it may wait for ever. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

struct place {
    atomic_bool busy;
};

static struct place place[THREADS + 1];
static struct place *_Atomic last = &place[THREADS];
static int count;

static void *works(void *argument)
{
    struct place *own = &place[number_of(argument)];
    for (int i = 0; i < 2; i++) {
        atomic_store(&own->busy, true);
        struct place *const before = atomic_exchange(&last, own);
        while (atomic_load(&before->busy))
            ;
        count++;
        atomic_store(&own->busy, false);
#ifndef KEEP_NODE
        own = before;
#endif
    }
    return NULL;
}

int main(void)
{
    run_same(THREADS, works);
    assert(count == 2 * THREADS);
    return 0;
}
