// explore: --preemptions all
// expect: no violation \(all schedules\)
// explore: --strategy dpor --preemptions all
// expect: no violation \(all schedules\)
// explore: --strategy dfs
// expect: no violation \(every schedule with at most 2 preemptions\)
// explore: -- -DSIGNAL -DWAITERS=2
// expect: misuse
/* Who has woken all that wait for a condition may destroy and free it at once,
 * says POSIX.  SIGNAL: it wakes one of two. */
#include <pthread.h>
#include <stdlib.h>

#if !defined(WAITERS)
#define WAITERS 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *free_again;

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&lock);
    if (free_again)
        pthread_cond_wait(free_again, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void end(void)
{
    pthread_cond_t *const gone = free_again;
    pthread_mutex_lock(&lock);
    free_again = NULL;
#if defined(SIGNAL)
    pthread_cond_signal(gone);
#else
    pthread_cond_broadcast(gone);
#endif
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(gone);
    free(gone);
}

int main(void)
{
    pthread_t waiter[WAITERS];
    free_again = malloc(sizeof *free_again);
    pthread_cond_init(free_again, NULL);
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&waiter[i], NULL, wait_for_it, NULL);
    end();
    for (int i = 0; i < WAITERS; i++)
        pthread_join(waiter[i], NULL);
    return 0;
}
