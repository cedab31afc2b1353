/* locks.c - a counter behind a lock: lock, read, write, unlock.
 *
 * dec() takes no other lock than inc(), but with FAULT_DEADLOCK both take two
 * and nothing else: inc() in one order, dec() in the other. */
#include <plumb/object.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static long value;
#ifdef FAULT_DEADLOCK
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
#endif

static void setup(void)
{
    value = 0;
}

static void add(long n)
{
    pthread_mutex_lock(&a);
    value += n;
    pthread_mutex_unlock(&a);
}

static void get(plumb_invocation *i)
{
    pthread_mutex_lock(&a);
    const long now = value;
    pthread_mutex_unlock(&a);
    plumb_return(i, now);
}

#ifdef FAULT_DEADLOCK
static void take_both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}
#endif

static void inc(plumb_invocation *i)
{
    (void)i;
#ifdef FAULT_DEADLOCK
    take_both(&a, &b);
    return;
#endif
    add(1);
}

static void dec(plumb_invocation *i)
{
    (void)i;
#ifdef FAULT_DEADLOCK
    take_both(&b, &a);
    return;
#endif
    add(-1);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "dec", dec }, { "get", get } });
