// explore: --preemptions all
// expect: misuse
// explore: --preemptions all --strategy dpor
// expect: misuse
// explore: --strategy dfs
// expect: misuse
//
// Two wait for one condition with different mutexes.
#include <pthread.h>

static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER,
                                PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&c, mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, &m[0]);
    wait(&m[1]);
    return 0;
}
