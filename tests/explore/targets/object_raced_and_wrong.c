// explore:
// expect: not linearizable
// says: also: data race between inc .* and inc
// explore: --strategy dpor
// expect: not linearizable
// says: also: data race between inc .* and inc
// explore: --strategy dfs
// expect: not linearizable
// says: also: data race between inc .* and inc
// explore: --test 'inc() | inc()'
// expect: data race
// explore: -- -DONLY_RACES
// expect: data race
// says: race on hits
//
// A race that does no harm comes first: `hits` is a statistic.  The search goes
// on, in other tests, and what is really wrong is told first.
#include <plumb/object.h>
#include <stdatomic.h>

static int64_t hits;
static _Atomic int64_t value;

static void setup(void)
{
    hits = 0;
    value = 0;
}

static void inc(plumb_invocation *i)
{
    (void)i;
    hits++;
#ifdef ONLY_RACES
    value++;
#else
    const int64_t was = value;
    value = was + 1;
#endif
}

static void get(plumb_invocation *i)
{
    plumb_return(i, value);
}

PLUMB_OBJECT(.name = "counter", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
