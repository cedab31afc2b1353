// explore: --keep-going --test 'inc() get() | dec() inc()'
// expect: deadlock|use after free
// says: not linearizable
// explore: --keep-going --test 'inc() get() | dec() inc()'
// expect: deadlock|use after free
// says: (also|several_faults): deadlock

/* A counter that loses updates, uses what it has freed, and takes its locks in
 * either order: for keep_going.sh. */
#include <plumb/object.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t a, b;
static atomic_long value;
static _Atomic(long *) shared;

static void setup(void)
{
    atomic_store(&value, 0);
    pthread_mutex_init(&a, NULL);
    pthread_mutex_init(&b, NULL);
    atomic_store(&shared, malloc(sizeof(long)));
}

static void take(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void inc(plumb_invocation *i)
{
    (void)i;
    atomic_store(&value, atomic_load(&value) + 1);
}

static void dec(plumb_invocation *i)
{
    long *const at = atomic_load(&shared);
    (void)i;
    if (at)
        *at = 1;
    take(&a, &b);
    atomic_fetch_sub(&value, 1);
}

static void get(plumb_invocation *i)
{
    free(atomic_exchange(&shared, NULL));
    take(&b, &a);
    plumb_return(i, atomic_load(&value));
}

PLUMB_OBJECT(.spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "dec", dec }, { "get", get } });
