// explore:
// expect: deadlock
// explore: -- -DWAITER
// expect: no violation
// explore: --preemptions all -- -DTRY
// expect: livelock

/* Three at a table with three forks.  WAITER lets two sit down; TRY puts the
 * first fork back when the second is taken, and begins again. */
#include <semaphore.h>
#include <stdbool.h>

#include "threads.h"

enum { SEATS = 3 };
static pthread_mutex_t table_fork[SEATS] = { PTHREAD_MUTEX_INITIALIZER,
                                             PTHREAD_MUTEX_INITIALIZER,
                                             PTHREAD_MUTEX_INITIALIZER };
static sem_t chairs;

static void take_forks(pthread_mutex_t *left, pthread_mutex_t *right)
{
#ifdef TRY
    for (;;) {
        pthread_mutex_lock(left);
        if (pthread_mutex_trylock(right) == 0)
            return;
        pthread_mutex_unlock(left);
    }
#else
    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
#endif
}

static void *dines(void *argument)
{
    const unsigned seat = number_of(argument);
    pthread_mutex_t *const left = &table_fork[seat];
    pthread_mutex_t *const right = &table_fork[(seat + 1) % SEATS];
#ifdef WAITER
    sem_wait(&chairs);
#endif
    take_forks(left, right);
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
#ifdef WAITER
    sem_post(&chairs);
#endif
    return NULL;
}

int main(void)
{
    sem_init(&chairs, 0, SEATS - 1);
    run_same(SEATS, dines);
    sem_destroy(&chairs);
    return 0;
}
