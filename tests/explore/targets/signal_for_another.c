// explore:
// expect: deadlock
// says: the only signal came at step [0-9]+ \(.*\) and woke T1$
// explore: -- -DAGAIN
// expect: deadlock
// says: ^      again$
/* A signal wakes the first who waits before another one does, or the same again
 * (AGAIN).  It was not lost: there is one too few. */
#include "threads.h"

#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open = PTHREAD_COND_INITIALIZER;
static bool is_waiting, signalled, gone;

static void *wait_first(void *unused)
{
    pthread_mutex_lock(&lock);
    is_waiting = true;
    while (!signalled && !gone)
        pthread_cond_wait(&open, &lock);
#if defined(AGAIN)
    if (signalled)
        pthread_cond_wait(&open, &lock);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *signal_and_wait(void *unused)
{
    pthread_mutex_lock(&lock);
    gone = !is_waiting;
    if (is_waiting) {
        signalled = true;
        pthread_cond_signal(&open);
#if !defined(AGAIN)
        pthread_cond_wait(&open, &lock);
#endif
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    RUN_TWO(wait_first, signal_and_wait);
    return 0;
}
