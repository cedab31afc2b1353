// explore: --test 'inc() | inc()'
// expect: not linearizable
// explore: --test 'inc() | inc()' --preemptions 0
// expect: no violation
// explore: --test 'inc() | inc()' -- -DNO_FINAL
// expect: no violation
// explore: --test 'inc() | inc()' --final 'get()' -- -DNO_FINAL
// expect: not linearizable
// explore: --test 'inc() | inc()' -- -DATOMIC
// expect: no violation
// explore: --init 'inc()' --test 'inc() | inc() get()' -- -DATOMIC
// expect: no violation

/* An increment that is lost is seen by the final get() alone. */
#include <stdatomic.h>

#include <plumb/object.h>

#ifdef NO_FINAL
#define FINAL 0
#else
#define FINAL "get()"
#endif

static _Atomic int64_t count;

static void inc(plumb_invocation *i)
{
    (void)i;
#ifdef ATOMIC
    atomic_fetch_add(&count, 1);
#else
    atomic_store(&count, atomic_load(&count) + 1);
#endif
}

static void get(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&count));
}

PLUMB_OBJECT(.name = "C", .spec = "counter",
             .operations = { { "inc", inc }, { "get", get } }, .final = FINAL);
