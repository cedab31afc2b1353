// explore: --test 'acquire() | try_acquire() release()' --strategy dpor --preemptions all --no-minimise
// expect: deadlock
// says: P2 makes no further call
// explore: --test 'acquire() | try_acquire() release()' --strategy dpor --no-minimise
// expect: deadlock
// says: P2 makes no further call
// explore: --test 'acquire() | try_acquire() release()' --no-minimise
// expect: deadlock
// says: P2 makes no further call
// explore: --test 'acquire() | try_acquire() | release()' --strategy dpor -- -DGIVEN_BACK
// expect: no violation

/* A try_acquire that meets an acquire returns with the gate locked, and leaves
 * it to the next release of its thread to unlock it: nobody has to call that.
 * There is nothing but locks that anybody waits for.  The acquire comes to the
 * gate when it knows that it was locked; in the same trace, when it is free
 * again, so that dpor does not see it wait. */
#include <pthread.h>
#include <stdatomic.h>

#include <plumb/object.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_int items = 5, busy;
static _Thread_local bool has_gate;

static void acquire(plumb_invocation *i)
{
    (void)i;
    atomic_store(&busy, 1);
    if (atomic_load(&items) < 5)
        pthread_mutex_lock(&gate);
    else
        return;
    atomic_fetch_sub(&items, 1);
    pthread_mutex_unlock(&gate);
}

static void try_acquire(plumb_invocation *i)
{
    pthread_mutex_lock(&gate);
    has_gate = atomic_load(&busy);
#ifdef GIVEN_BACK
    has_gate = false;
#endif
    atomic_fetch_sub(&items, 1);
    if (!has_gate)
        pthread_mutex_unlock(&gate);
    plumb_return_bool(i, true);
}

static void release(plumb_invocation *i)
{
    (void)i;
    if (!has_gate)
        pthread_mutex_lock(&gate);
    has_gate = false;
    atomic_fetch_add(&items, 1);
    pthread_mutex_unlock(&gate);
}

PLUMB_OBJECT(.name = "S", .spec = "semaphore:n=5",
             .operations = { { "acquire", acquire },
                             { "try_acquire", try_acquire },
                             { "release", release } });
