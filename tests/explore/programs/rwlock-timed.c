// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// A limit ends the wait of readers and of writers.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *other(void *unused)
{
    const struct timespec limit = { .tv_sec = 1 };
    int error = pthread_rwlock_timedrdlock(&l, &limit);
    assert(error == ETIMEDOUT);
    error = pthread_rwlock_timedwrlock(&l, &limit);
    assert(error == ETIMEDOUT);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_wrlock(&l);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&l);
    return 0;
}
