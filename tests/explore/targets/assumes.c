// explore:
// expect: no violation
// says: schedules? ended at an assumption that does not hold
// explore: --strategy dpor
// expect: no violation
// explore: -- -DBLOCKS
// expect: livelock

/* A take assumes that something is there.  Where nothing is it goes no further,
 * which is no deadlock; to wait in vain would be one.  What has returned before
 * is judged. */
#include <plumb/object.h>
#include <stdatomic.h>

static _Atomic int64_t value;

static void inc(plumb_invocation *i)
{
    (void)i;
    atomic_fetch_add(&value, 1);
}

static void get(plumb_invocation *i)
{
    const int64_t now = atomic_load(&value);
#ifdef BLOCKS
    while (!atomic_load(&value))
        ;
#else
    plumb_assume(now > 0);
#endif
    plumb_return(i, now);
}

static void setup(void)
{
    value = 0;
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
