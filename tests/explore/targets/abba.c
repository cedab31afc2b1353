// explore:
// expect: deadlock
// says: T1 holds fork_lock .* waits for knife_lock, held by T2

/* Two locks, taken in either order. */
#include "threads.h"

static pthread_mutex_t fork_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t knife_lock = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void *fork_first(void *unused)
{
    take_both(&fork_lock, &knife_lock);
    return unused;
}

static void *knife_first(void *unused)
{
    take_both(&knife_lock, &fork_lock);
    return unused;
}

int main(void)
{
    RUN_TWO(fork_first, knife_first);
    return 0;
}
