// explore: --test 'read() | write(1)'
// expect: not linearizable
// explore: --test 'read() | write(1)' --strategy dfs
// expect: not linearizable
// explore: --test 'read() | write(1)' -- -DONCE_FOR_ALL
// expect: not linearizable

/* A register that shows what was written before the last write.  Wrong only if
 * the read begins after the write has ended, so that operations must begin no
 * sooner than they have to: also where the setup chooses, and is therefore part
 * of every execution. */
#include <plumb/object.h>
#include <stdatomic.h>

static atomic_int now, shown;

static void setup(void)
{
#ifndef ONCE_FOR_ALL
    plumb_choose(2);
#endif
    atomic_store(&now, 0);
    atomic_store(&shown, 0);
}

static void writes(plumb_invocation *i)
{
    atomic_store(&shown, atomic_exchange(&now, (int)plumb_arg(i, 0)));
}

static void reads(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&shown));
}

PLUMB_OBJECT(.name = "R", .spec = "register:init=0", .setup = setup,
             .operations = { { "write", writes, { PLUMB_RANGE(1, 2) } },
                             { "read", reads } });
