// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// Of two permits both can be taken: then the assertion fails.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int inside;

static void *enter(void *unused)
{
    sem_wait(&permits);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    sem_post(&permits);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&permits, 0, 2);
    pthread_create(&t, NULL, enter, NULL);
    enter(NULL);
    pthread_join(t, NULL);
    return 0;
}
