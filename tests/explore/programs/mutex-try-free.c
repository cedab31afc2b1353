// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// Somebody tries a mutex that another takes for a while; it can be free: then the assertion fails.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

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
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    const int result = pthread_mutex_trylock(&m);
    if (result == 0)
        pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(result == EBUSY);
    return 0;
}
