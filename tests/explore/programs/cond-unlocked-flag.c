// explore: --preemptions all
// expect: deadlock
// explore: --preemptions all --strategy dpor
// expect: deadlock
// explore: --strategy dfs
// expect: deadlock
//
// The flag is set without the mutex: between the look and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waker(void *unused)
{
    atomic_store(&ready, 1);
    pthread_cond_signal(&c);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waker, NULL);
    pthread_mutex_lock(&m);
    while (!atomic_load(&ready))
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
