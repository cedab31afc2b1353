// explore:
// expect: not linearizable
// explore: --test 'inc() inc() | inc() get() | get() get()' --preemptions all
// expect: no violation

/* Wrong only if one thread adds three times while another counts: tests whose
 * threads are all alike, with two operations each, do not show it. */
#include <plumb/object.h>
#include <stdatomic.h>

enum { THREADS = 64 };

static _Atomic int64_t value;
static atomic_int open_ones, added[THREADS];

static void setup(void)
{
    value = open_ones = 0;
    for (int t = 0; t < THREADS; t++)
        added[t] = 0;
}

static void inc(plumb_invocation *i)
{
    if (++added[plumb_process(i)] < 3 || open_ones == 0)
        value++;
}

static void get(plumb_invocation *i)
{
    open_ones++;
    plumb_return(i, value);
    open_ones--;
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
