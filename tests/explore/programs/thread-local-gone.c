// explore:
// expect: use after return
// explore: --strategy dpor
// expect: use after return
// explore: -- -DEARLY
// expect: no violation
/* A pointer to a thread-local variable is followed after its thread has ended;
 * with EARLY before that. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local atomic_int mine;
static _Atomic(atomic_int *) shared;
static atomic_int done;

static void *publisher(void *argument)
{
    mine = 5;
    shared = &mine;
#ifdef EARLY
    while (!done)
        ;
#endif
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publisher, NULL);
#ifndef EARLY
    pthread_join(t, NULL);
#endif
    atomic_int *const other = shared;
    if (other)
        *other = 7;
    done = 1;
#ifdef EARLY
    pthread_join(t, NULL);
#endif
    return 0;
}
