// explore: --strategy dpor --no-pruning --preemptions all
// expect: no violation
// traces: 40
// explore: --strategy dpor --no-pruning --preemptions all -- -DTHREADS=3
// expect: no violation
// traces: 25680

/* Treiber's stack.  Each thread pushes a node of its own and pops once.  Only
 * the atomics are events, and a compare-and-swap that fails is a read. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

struct cell {
    struct cell *_Atomic below;
    unsigned item;
};

static struct cell *_Atomic top;
static struct cell cell[THREADS];

static void push(struct cell *c)
{
    struct cell *seen = atomic_load(&top);
    for (;;) {
        atomic_store(&c->below, seen);
        if (atomic_compare_exchange_strong(&top, &seen, c))
            return;
    }
}

static struct cell *pop(void)
{
    struct cell *seen = atomic_load(&top);
    while (seen) {
        struct cell *const below = atomic_load(&seen->below);
        if (atomic_compare_exchange_strong(&top, &seen, below))
            return seen;
    }
    return NULL;
}

static void *pushes_and_pops(void *argument)
{
    struct cell *const own = &cell[number_of(argument)];
    own->item = number_of(argument) + 1;
    push(own);
    const struct cell *const got = pop();
    assert(got && got->item > 0);
    return NULL;
}

int main(void)
{
    run_same(THREADS, pushes_and_pops);
    return 0;
}
