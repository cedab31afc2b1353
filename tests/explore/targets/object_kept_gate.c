// explore: --test 'acquire() | try_acquire() | release()' --preemptions all
// expect: no violation
// explore: --test 'acquire() | try_acquire() | release()' --strategy dpor
// expect: no violation
// explore: --test 'acquire() | try_acquire() | release()' -- -DKEPT
// expect: deadlock
// says: Found after .* reduced from 3 operations to 2
// explore: --test 'acquire() | try_acquire() | release()' --no-minimise --preemptions 0 -- -DKEPT
// expect: deadlock
// says: P3 makes no further call
// explore: --test 'acquire() | release() | try_acquire()' --no-minimise --preemptions 0 -- -DKEPT
// expect: deadlock
// says: P2 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy dfs --no-minimise -- -DKEPT
// expect: deadlock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy dpor --no-minimise -- -DKEPT
// expect: deadlock
// says: P3 makes no further call
// explore: --test 'acquire() | release() | try_acquire()' --strategy dpor --preemptions all --no-minimise -- -DKEPT
// expect: deadlock
// says: P2 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy random --executions 2000 --no-minimise -- -DKEPT
// expect: deadlock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy random --seed 2 --executions 200000 --no-minimise -- -DKEPT -DRARE
// expect: deadlock
// says: Found after [1-9][0-9][0-9][0-9][0-9]* schedules
// explore: --test 'acquire() | try_acquire() | release()' --strategy pct --executions 2000 --no-minimise -- -DKEPT
// expect: deadlock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --spec infer -- -DKEPT
// expect: deadlock
// explore: --init 'try_acquire()' --test 'acquire() | try_acquire() | release()' --final 'try_acquire()' --no-minimise -- -DKEPT
// expect: deadlock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --preemptions all -- -DSPINS
// expect: no violation
// explore: --test 'acquire() | try_acquire() | release()' --strategy dpor --preemptions all -- -DSPINS
// expect: no violation
// explore: --test 'acquire() | try_acquire() | release()' --no-minimise -- -DSPINS -DKEPT
// expect: livelock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy dfs --no-minimise -- -DSPINS -DKEPT
// expect: livelock
// says: P3 makes no further call
// explore: --test 'acquire() | release() | try_acquire()' --strategy dpor --preemptions all --no-minimise -- -DSPINS -DKEPT
// expect: livelock
// says: P2 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy dfs -k -- -DSPINS -DKEPT
// expect: livelock
// explore: --test 'acquire() | try_acquire() | release()' --no-minimise -- -DSPINS -DPOLITE -DKEPT
// expect: livelock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --no-minimise -- -DTIMED -DKEPT
// expect: livelock
// says: P3 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' -- -DTIMED
// expect: no violation
// explore: --test 'acquire() | try_acquire() try_acquire() try_acquire() release()' --no-minimise -- -DSPINS -DLOST
// expect: livelock

/* An acquire that waits may keep the gate, so that a try_acquire waits, too,
 * until there is a release: nobody has to call that.  RARE: both take so
 * long that by chance a release was almost always called before.  LOST: what is
 * released after three tries in vain is lost, which only the fifth of the loops
 * that wait for ever shows. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include <plumb/object.h>

#ifdef KEPT
enum { KEEPS = 1 };
#else
enum { KEEPS = 0 };
#endif
#ifdef RARE
enum { STEPS = 9 };
#else
enum { STEPS = 0 };
#endif

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static atomic_int items;
static int tries;

static void take_time(void)
{
    static atomic_int clock;
    for (int i = 0; i < STEPS; i++)
        atomic_fetch_add(&clock, 1);
}

static bool take(void)
{
    int n = atomic_load(&items);
    return n > 0 && atomic_compare_exchange_strong(&items, &n, n - 1);
}

static void acquire(plumb_invocation *i)
{
    (void)i;
    take_time();
    if (KEEPS)
        pthread_mutex_lock(&gate);
#ifdef SPINS
    while (!take())
#ifdef POLITE
        sched_yield();
#else
        ;
#endif
#else
    pthread_mutex_lock(&m);
    while (!take()) {
#ifdef TIMED
        const struct timespec soon = { .tv_nsec = 1 };
        pthread_cond_timedwait(&more, &m, &soon);
#else
        pthread_cond_wait(&more, &m);
#endif
    }
    pthread_mutex_unlock(&m);
#endif
    if (KEEPS)
        pthread_mutex_unlock(&gate);
}

static void try_acquire(plumb_invocation *i)
{
    take_time();
    pthread_mutex_lock(&gate);
    const bool took = take();
    tries += !took;
    pthread_mutex_unlock(&gate);
    plumb_return_bool(i, took);
}

static void release(plumb_invocation *i)
{
    (void)i;
#ifdef LOST
    pthread_mutex_lock(&gate);
    const bool lost = tries == 3;
    pthread_mutex_unlock(&gate);
    if (lost)
        return;
#endif
    pthread_mutex_lock(&m);
    atomic_fetch_add(&items, 1);
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
}

PLUMB_OBJECT(.name = "S", .spec = "semaphore:n=0",
             .operations = { { "acquire", acquire },
                             { "try_acquire", try_acquire },
                             { "release", release } });
