/* benign_double_check.c - a semaphore that looks before it takes its lock.
 *
 * Right, but not conflict-serializable: the second of four reasons that section
 * 5.6 of Line-Up (Burckhardt et al., PLDI 2010) gives, seen there in
 * SemaphoreSlim.  The count is read without the lock, so that nobody waits for
 * the lock in vain; under the lock it is read again.  Another operation may
 * change it in between.
 *
 * An operation takes effect when it writes the count; a try_acquire that fails
 * when it reads 0.  (The lock is taken without common/lock.h, which tries first:
 * that would be a second reason.) */
#include <plumb/object.h>
#include <pthread.h>

#include <stdatomic.h>

static pthread_mutex_t mutex;
static atomic_int count;

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    atomic_store(&count, 1);
}

static void teardown(void)
{
    pthread_mutex_destroy(&mutex);
}

static void try_acquire(plumb_invocation *i)
{
    bool got = false;
    if (atomic_load(&count) > 0) {
        pthread_mutex_lock(&mutex);
        got = atomic_load(&count) > 0;
        if (got)
            atomic_fetch_sub(&count, 1);
        pthread_mutex_unlock(&mutex);
    }
    plumb_return_bool(i, got);
}

static void release(plumb_invocation *i)
{
    (void)i;
    pthread_mutex_lock(&mutex);
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&mutex);
}

PLUMB_OBJECT(.name = "S", .setup = setup, .teardown = teardown,
             .operations = { { "try_acquire", try_acquire },
                             { "release", release } });
