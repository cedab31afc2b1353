// explore: --preemptions all
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// Two wait and one is woken: it may be the second.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, woken;

static void *waiter(void *number)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&c, &m);
    woken = (int)(intptr_t)number + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, waiter, (void *)i);
    pthread_mutex_lock(&m);
    if (waiting < 2)
        exit(0);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(woken != 2);
    exit(0);
}
