// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// Somebody waits a while for a mutex that another holds; its time can be up: then the assertion fails.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    struct timespec limit;
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    const int result = pthread_mutex_timedlock(&m, &limit);
    if (result == 0)
        pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(result == 0);
    return 0;
}
