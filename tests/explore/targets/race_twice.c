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
 * writes race with that of main().  A replay tells the first. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int between;
int shared;

static void *twice(void *unused)
{
    shared = 1;
    atomic_fetch_add(&between, 1);
    shared = 3;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, twice, NULL);
    shared = 2;
    pthread_join(thread, NULL);
    return 0;
}
