// explore:
// expect: assertion
// explore: --preemptions 0
// expect: no violation
// explore: --preemptions 1
// expect: assertion
// explore: --strategy dfs --preemptions all
// expect: assertion
// explore: --strategy dpor --preemptions all
// expect: assertion
// explore: --strategy random --executions 1000 --seed 1
// expect: assertion
// explore: --strategy pct --executions 1000 --seed 1
// expect: assertion
// explore: --strategy states
// expect: assertion

/* A counter of a load and a store, both atomic. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int count;

static void *counts(void *unused)
{
    atomic_store(&count, atomic_load(&count) + 1);
    return unused;
}

int main(void)
{
    RUN_TWO(counts, counts);
    assert(atomic_load(&count) == 2);
    return 0;
}
