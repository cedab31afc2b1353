// explore: --test 'inc() | get()'
// expect: crash
// says: [Ss]egmentation fault
// explore: --test 'inc() | get()' -- -DHOW=1
// expect: crash
// explore: --test 'inc() | get()' -- -DHOW=2
// expect: crash
// explore: --test 'inc() | get()' -- -DHOW=3
// expect: crash
// explore: --test 'inc() | get()' -- -DHOW=4
// expect: crash
// explore: --test 'inc() | get()' --strategy dfs
// expect: crash
// explore: --test 'inc() | get()' --strategy dpor -- -DHOW=1
// expect: crash
// explore: --test 'inc() | get()' --strategy random --executions 1000
// expect: crash
// explore: --test 'inc() | get()' --strategy pct --executions 1000 -- -DHOW=2
// expect: crash
// explore: --test 'inc() | get()' --races ignore -- -DHOW=1
// expect: crash
// explore: --test 'inc() | get()' --races interleave -- -DHOW=3
// expect: crash
/* A pointer to the last byte there is: what it points to would go on at
 * address 0.  However it is used, that is a crash. */
#include <plumb/object.h>
#include <stdint.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif

static int64_t x;
static int64_t *p = &x;

static void lose(plumb_invocation *i)
{
    (void)i;
    __atomic_store_n(&p, (int64_t *)(UINTPTR_MAX - HOW % 2), __ATOMIC_SEQ_CST);
}

static void use(plumb_invocation *i)
{
    int64_t *const at = __atomic_load_n(&p, __ATOMIC_SEQ_CST);
#if HOW == 0
    plumb_return(i, *(volatile int64_t *)at);
#elif HOW == 1
    plumb_return(i, __atomic_fetch_add(at, 0, __ATOMIC_RELAXED));
#elif HOW == 2
    plumb_return(i, *at);
#elif HOW == 3
    memset(at, 0, sizeof *at);
    plumb_return(i, 0);
#else
    *(volatile int64_t *)at = 0;
    plumb_return(i, 0);
#endif
}

PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", lose }, { "get", use } });
