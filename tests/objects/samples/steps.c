/* steps.c - a counter whose operations take a known number of steps.
 *
 * inc() and get() take one step, add(n) takes n.  FAULT_RACE: inc() takes two,
 * and of two that overlap one may be lost.  FAULT_YIELD: and gives way between
 * them.  FAULT_CHANCE: inc() chooses among three numbers to add.  FAULT_STALE:
 * it does not start with 0 again. */
#include <plumb/object.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic long value, other;

static void setup(void)
{
#ifndef FAULT_STALE
    atomic_store(&value, 0);
#endif
}

static void inc(plumb_invocation *i)
{
    (void)i;
#if defined FAULT_RACE || defined FAULT_YIELD
    const long old = atomic_load(&value);
#ifdef FAULT_YIELD
    sched_yield();
#endif
    atomic_store(&value, old + 1);
#elif defined FAULT_CHANCE
    atomic_fetch_add(&value, (long)plumb_choose(3));
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
             .operations = { { "inc", inc },
                             { "get", get },
                             { "add", add, { PLUMB_RANGE(1, 9) } } });
