// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// One hands a value to another, who waits until there is one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int value;

static void *take(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    while (!value)
        assert(pthread_cond_wait(&full, &m) == 0);
    assert(value == 7);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, take, NULL);
    pthread_mutex_lock(&m);
    value = 7;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&full); /* without the mutex: still not lost */
    pthread_join(t, NULL);
    assert(pthread_cond_destroy(&full) == 0);
    return 0;
}
