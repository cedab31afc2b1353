/* counter.c - a number behind one lock, and two ways to get that wrong.
 *
 * The counters with which Burckhardt et al. ("Line-Up", 2010, section 2.2)
 * explain what linearizability asks.  With the lock every operation takes
 * effect inside its critical region.
 *
 * FAULT_RACE: no lock.  Of two increments that read the same number one is
 * lost.
 *
 * FAULT_KEPT: a get that had to wait for the lock does not give it back.  (In
 * the paper no get does; then one process alone would notice.)  No answer is
 * ever wrong, but whoever comes next waits for ever. */
#include "../common/lock.h"

#include <stdatomic.h>

static pthread_mutex_t mutex;
static _Atomic int64_t value;

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    atomic_store(&value, 0);
}

static void teardown(void)
{
    pthread_mutex_destroy(&mutex);
}

/* relaxed: it is the lock that orders them. */
static void add(int64_t n)
{
    const int64_t v = atomic_load_explicit(&value, memory_order_relaxed);
    atomic_store_explicit(&value, v + n, memory_order_relaxed);
}

static void locked_add(int64_t n)
{
#ifdef FAULT_RACE
    add(n);
#else
    lock(&mutex);
    add(n);
    unlock(&mutex);
#endif
}

static void inc(plumb_invocation *i)
{
    (void)i;
    locked_add(1);
}

static void dec(plumb_invocation *i)
{
    (void)i;
    locked_add(-1);
}

static void get(plumb_invocation *i)
{
    const bool free_at_once = pthread_mutex_trylock(&mutex) == 0;
    if (!free_at_once)
        lock(&mutex);
    plumb_return(i, atomic_load_explicit(&value, memory_order_relaxed));
#ifdef FAULT_KEPT
    if (!free_at_once)
        return;
#endif
    unlock(&mutex);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .teardown = teardown,
             .operations = { { "inc", inc }, { "dec", dec }, { "get", get } });
