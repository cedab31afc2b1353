/* lock.h - waiting, and saying so.
 *
 * How often the processes of an object stand in each other's way is worth
 * counting.  So the objects of this library take their locks and repeat their
 * attempts through these. */
#ifndef OBJECTS_COMMON_LOCK_H
#define OBJECTS_COMMON_LOCK_H

#include <plumb/object.h>
#include <pthread.h>
#include <sched.h>

static inline void lock(pthread_mutex_t *m)
{
    if (pthread_mutex_trylock(m) == 0)
        return;
    plumb_contend();
    pthread_mutex_lock(m);
}

static inline void unlock(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
}

/* Before an attempt that can succeed only if somebody else gets on. */
static inline void try_again(void)
{
    plumb_retry();
    sched_yield();
}

#endif
