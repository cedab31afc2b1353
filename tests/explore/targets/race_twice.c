// explore: --preemptions all --keep-going
// expect: data race
// says: also: data race
// explore: --preemptions all --keep-going --no-minimise -j 2
// expect: data race
// says: also: data race
// explore: --strategy dfs --preemptions all --keep-going
// expect: data race
// says: also: data race
// explore: --strategy dpor --preemptions all --keep-going
// expect: data race

/* A thread writes a variable twice, and what is between orders nothing: both
 * writes race with that of the other thread.  A replay tells the first. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int between;
int shared;

static void *twice(void *unused)
{
    shared = 1;
    atomic_load(&between);
    shared = 3;
    return unused;
}

static void *once(void *unused)
{
    shared = 2;
    return unused;
}

int main(void)
{
    RUN_TWO(twice, once);
    return 0;
}
