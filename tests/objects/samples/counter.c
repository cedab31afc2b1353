/* counter.c - a counter whose operations take a known number of steps.
 *
 * inc() and get() of the faulty one are a read and a write, and a read; of the
 * correct one, one step each.  steps2() and steps3() take two and three steps
 * that nobody notices. */
#include <plumb/object.h>
#include <stdatomic.h>

static _Atomic long value, other;

static void setup(void)
{
    atomic_store(&value, 0);
}

static void inc(plumb_invocation *i)
{
    (void)i;
#ifdef FAULT_RACE
    const long old = atomic_load(&value);
    atomic_store(&value, old + 1);
#else
    atomic_fetch_add(&value, 1);
#endif
}

static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&value));
}

static void add(plumb_invocation *i)
{
    for (long n = plumb_arg(i, 0); n > 1; n--)
        atomic_load(&other);
    atomic_fetch_add(&value, plumb_arg(i, 0));
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc, { { 0 } }, 0, 0 },
                             { "get", get, { { 0 } }, 0, 0 },
                             { "add", add, { PLUMB_RANGE(1, 9) }, 0, 0 } });
