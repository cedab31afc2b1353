// explore: --spec infer --test 'inc() get() | inc()'
// expect: no violation
// says: 3 serial histories of the object itself; 1 of them waits
// explore: --spec infer --test 'inc() | get()' --final 'inc()'
// expect: no violation
// explore: --test 'inc() get() | inc()'
// expect: deadlock|livelock
// explore: --spec infer --test 'inc() | get() inc()' -- -DWHEN_BUSY
// expect: deadlock|livelock

/* The second counter of Burckhardt et al. ("Line-Up", 2010, section 2.2.2): a
 * get does not give the lock back.  It is what every serial execution shows
 * too, so that a specification may be meant like this; one who knows that
 * counters do not wait knows better.  WHEN_BUSY: only a get that could not have
 * the lock at once, which no serial execution shows. */
#include <pthread.h>

#include <plumb/object.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t value;

static void inc(plumb_invocation *i)
{
    (void)i;
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
}

static void get(plumb_invocation *i)
{
    const bool busy = pthread_mutex_trylock(&lock) != 0;
    if (busy)
        pthread_mutex_lock(&lock);
    plumb_return(i, value);
#ifdef WHEN_BUSY
    if (!busy)
        pthread_mutex_unlock(&lock);
#endif
}

PLUMB_OBJECT(.name = "C", .spec = "counter",
             .operations = { { "inc", inc }, { "get", get } });
