// explore: --preemptions all
// expect: data race
// explore: --preemptions all --strategy dpor
// expect: data race
//
// A try that fails has learned nothing: what follows races.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *other(void *unused)
{
    pthread_mutex_lock(&m);
    value = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    if (pthread_mutex_trylock(&m))
        value = 2;
    else
        pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(value);
    return 0;
}
