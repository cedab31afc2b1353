/* slot.c - a queue of at most one item, with waiting in several ways.
 *
 * put() and take() wait on condition variables.  WAIT_SPIN: on an atomic
 * instead, in a loop.  WAIT_YIELD: in the loop they give way.
 *
 * FAULT_LOST: they look whether they have to wait before they lock, and wait
 * without looking again: a signal may come in between, for nobody. */
#include <plumb/object.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic long item; /* 0: none */

static void setup(void)
{
    atomic_store(&item, 0);
}

#if defined WAIT_SPIN || defined WAIT_YIELD

static long wait_until(bool full)
{
    long now;
    while ((atomic_load(&item) != 0) != full) {
#ifdef WAIT_YIELD
        sched_yield();
#endif
    }
    pthread_mutex_lock(&lock);
    now = atomic_load(&item);
    if ((now != 0) == full)
        return now;
    pthread_mutex_unlock(&lock);
    return wait_until(full);
}

#elif defined FAULT_LOST

static long wait_until(bool full)
{
    const bool wait = (atomic_load(&item) != 0) != full;
    pthread_mutex_lock(&lock);
    if (wait)
        pthread_cond_wait(&changed, &lock);
    return atomic_load(&item);
}

#else

static long wait_until(bool full)
{
    pthread_mutex_lock(&lock);
    while ((atomic_load(&item) != 0) != full)
        pthread_cond_wait(&changed, &lock);
    return atomic_load(&item);
}

#endif

static void put(plumb_invocation *i)
{
    wait_until(false);
    atomic_store(&item, plumb_arg(i, 0));
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void take(plumb_invocation *i)
{
    plumb_return(i, wait_until(true));
    atomic_store(&item, 0);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=1", .setup = setup,
             .operations = { { "put", put, { PLUMB_FRESH } },
                             { "take", take } });
