/* semaphore_slim.c - a semaphore that spins before it sleeps.
 *
 * SemaphoreSlim of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI
 * 2010, table 1), made again from its documented behaviour.  `count` changes
 * only under the lock, and is read without it: by current_count, by a wait
 * that looks whether sleeping is needed, and by try_wait, which does not take
 * the lock if there is nothing to get.  (The last is what makes the class look
 * wrong to a checker of conflict-serializability: section 5.6.)
 *
 * release, wait and a try_wait that succeeds take effect when they write
 * count; the others when they read it. */
#include "../common/lock.h"

#include <stdatomic.h>

static pthread_mutex_t mutex;
static pthread_cond_t released;
static atomic_int count;
static int sleepers; /* under the lock */

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&released, NULL);
    atomic_store(&count, 0);
    sleepers = 0;
}

static void teardown(void)
{
    pthread_cond_destroy(&released);
    pthread_mutex_destroy(&mutex);
}

static void current_count(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&count));
}

/* Answers what the count was. */
static void release(plumb_invocation *i)
{
    lock(&mutex);
    const int before = atomic_load(&count);
    const int after = before + (int)plumb_arg(i, 0);
    atomic_store(&count, after);
    if (sleepers == 1 || after == 1)
        pthread_cond_signal(&released);
    else if (sleepers > 1)
        pthread_cond_broadcast(&released);
    unlock(&mutex);
    plumb_return(i, before);
}

static void wait(plumb_invocation *i)
{
    (void)i;
    if (atomic_load(&count) == 0)
        sched_yield(); /* spinning */
    lock(&mutex);
    sleepers++;
    while (atomic_load(&count) == 0)
        pthread_cond_wait(&released, &mutex);
    sleepers--;
    atomic_fetch_sub(&count, 1);
    unlock(&mutex);
}

static void try_wait(plumb_invocation *i)
{
    bool got = false;
    if (atomic_load(&count) != 0) {
        lock(&mutex);
        got = atomic_load(&count) != 0;
        if (got)
            atomic_fetch_sub(&count, 1);
        unlock(&mutex);
    }
    plumb_return_bool(i, got);
}

PLUMB_OBJECT(.name = "S", .setup = setup, .teardown = teardown,
             .operations = { { "current_count", current_count },
                             { "release", release, { PLUMB_ONE_OF("1 2") } },
                             { "wait", wait },
                             { "try_wait", try_wait } });
