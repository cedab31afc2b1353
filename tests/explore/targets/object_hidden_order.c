// explore: --test 'read() | write(1)'
// expect: no violation
// explore: --test 'read() | write(1)' -- -DAPART
// expect: not linearizable
// explore: --strategy dpor --preemptions all --test 'read() | write(1)' -- -DAPART
// expect: not linearizable
// explore: --strategy dfs --preemptions all --test 'read() | write(1)' -- -DAPART
// expect: not linearizable

/* A register.  APART: what is read is another cell than what is written, so the
 * two accesses are independent, and every schedule reads the same.  Only those
 * in which the write returns before the read is called are wrong: a reduction
 * that looks at memory alone runs one schedule and may miss them. */
#include <stdatomic.h>

#include <plumb/object.h>

static _Atomic int64_t written;
#ifdef APART
static _Atomic int64_t shown;
#else
#define shown written
#endif

static void write_it(plumb_invocation *i)
{
    atomic_store(&written, plumb_arg(i, 0));
}

static void read_it(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&shown));
}

PLUMB_OBJECT(.name = "R", .spec = "register:init=0",
             .operations = { { "write", write_it, { PLUMB_FRESH } },
                             { "read", read_it } });
