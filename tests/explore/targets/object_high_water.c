// explore: --spec high_water_spec.c --test 'raise(1) | raise(2) read()'
// expect: no violation
// explore: --spec high_water_spec.c --test 'raise(1) | raise(2) read()' -- -DTWO_STEPS
// expect: not linearizable

/* A mark that only rises, judged by a specification of ours.  TWO_STEPS looks
 * and writes apart, and may lower it. */
#include <stdatomic.h>

#include <plumb/object.h>

static _Atomic int64_t mark;

static void raise_it(plumb_invocation *i)
{
    const int64_t x = plumb_arg(i, 0);
    int64_t seen = atomic_load(&mark);
#ifdef TWO_STEPS
    if (x > seen)
        atomic_store(&mark, x);
#else
    while (x > seen && !atomic_compare_exchange_strong(&mark, &seen, x))
        ;
#endif
}

static void read_it(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&mark));
}

PLUMB_OBJECT(.name = "H",
             .operations = { { "raise", raise_it, { PLUMB_RANGE(1, 3) } },
                             { "read", read_it } });
