// explore: --preemptions all
// expect: no violation
// explore: --preemptions all --strategy dpor
// expect: no violation
// explore: --strategy dfs
// expect: no violation
//
// Each thread has its own value; at its end the destructor gets it, and again
// if it sets a new one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_key_t key, plain;
static atomic_int sum;

static void destroy(void *value)
{
    assert(pthread_getspecific(key) == NULL);
    atomic_fetch_add(&sum, (int)(intptr_t)value);
    if ((intptr_t)value == 100)
        pthread_setspecific(key, (void *)1000);
}

static void *live(void *value)
{
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_setspecific(key, value) == 0);
    assert(pthread_setspecific(plain, value) == 0);
    assert(pthread_getspecific(key) == value);
    if ((intptr_t)value == 10)
        pthread_exit(NULL);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    assert(pthread_key_create(&key, destroy) == 0);
    assert(pthread_key_create(&plain, NULL) == 0);
    pthread_setspecific(key, (void *)1);
    pthread_create(&t[0], NULL, live, (void *)10);
    pthread_create(&t[1], NULL, live, (void *)100);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(atomic_load(&sum) == 1110);
    assert(pthread_getspecific(key) == (void *)1);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_key_delete(key) == EINVAL);
    assert(pthread_setspecific(key, NULL) == EINVAL);
    return 0;
}
