// expect: assertion
// Two wait and one is woken: it may be the first.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *waiter(void *number)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&c, &m);
    assert((intptr_t)number != 0);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, waiter, (void *)i);
    pthread_mutex_lock(&m);
    if (waiting == 2)
        pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t[0], NULL);
    return 0;
}
