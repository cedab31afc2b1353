// explore:
// expect: deadlock
// says: wake-up$
// explore: -- -DPREDICATE
// expect: no violation

/* One waits to be signalled, and has nothing else to go by: a signal that came
 * before is lost. */
#include <stdbool.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t happened = PTHREAD_COND_INITIALIZER;
static bool done;

static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
#ifdef PREDICATE
    while (!done)
#endif
        pthread_cond_wait(&happened, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *signals(void *unused)
{
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&happened);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    RUN_TWO(waits, signals);
    return 0;
}
