// explore:
// expect: use after return
// explore: --strategy dfs
// expect: use after return
// explore: --strategy dpor --races ignore
// expect: use after return
// explore: -- -DJOINS
// expect: use after return
// explore: -- -DWAITS
// expect: no violation
/* A pointer to a variable of a function is published.  The function returns, or
 * its thread ends, and others still follow the pointer.  With WAITS it does not
 * return before they are done. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) shared;
static atomic_int done, later;

static __attribute__((noinline)) void publish(void)
{
    atomic_int here = 7;
    shared = &here;
#ifdef WAITS
    while (!done)
        sched_yield();
#endif
    here = 8;
}

static void *publisher(void *argument)
{
    publish();
    later = 1; /* it goes on, in another function */
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publisher, NULL);
#ifdef JOINS
    pthread_join(t, NULL);
#endif
    atomic_int *const other = shared;
    if (other)
        *other = 3;
    done = 1;
#ifndef JOINS
    pthread_join(t, NULL);
#endif
    return 0;
}
