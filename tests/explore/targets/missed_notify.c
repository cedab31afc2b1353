// explore:
// expect: deadlock
// explore: -- -DINSIDE
// expect: no violation

/* Whether to wait is decided before the lock is taken; the signal may come in
 * between. */
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_bool is_ready;

static void *waits(void *unused)
{
#ifdef INSIDE
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_ready))
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
#else
    if (!atomic_load(&is_ready)) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
    return unused;
}

static void *notifies(void *unused)
{
    pthread_mutex_lock(&lock);
    atomic_store(&is_ready, true);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    RUN_TWO(waits, notifies);
    return 0;
}
