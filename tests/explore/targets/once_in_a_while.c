// explore: -- -DABORT
// expect: abort
// explore: -- -DNULL_POINTER
// expect: crash
// explore: -- -DDIVIDE
// expect: crash
// machine: x86_64
// explore: -- -DDEEP
// expect: out of stack
// explore: -- -DENDLESS
// expect: undecided .(thread T. loops at (looks|happen) .once_in_a_while.c:[0-9]+. without|a step does not end)
// explore: -- -DEXIT
// expect: no violation
// explore: -- -DRECURSE
// expect: no violation

/* One schedule of two small threads comes to a place where something happens,
 * which the flags choose. */
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static atomic_int step;

#if defined(DEEP) || defined(RECURSE)
/* Not a tail call: what it returns is used, and its memory too. */
static int down(int depth, const volatile char *above)
{
    volatile char here[2048];
    here[0] = (char)(above[0] + 1);
    if (depth == 0)
        return here[0];
    return down(depth - 1, here) + here[0];
}
#endif

static void happen(void)
{
#if defined(ABORT)
    abort();
#elif defined(NULL_POINTER)
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
#elif defined(DIVIDE)
    volatile int zero = 0;
    atomic_store(&step, 7 / zero);
#elif defined(DEEP)
    const volatile char start[1] = { 0 };
    atomic_store(&step, down(1 << 24, start));
#elif defined(RECURSE)
    const volatile char start[1] = { 0 };
    atomic_store(&step, down(20, start));
#elif defined(ENDLESS)
    for (;;)
        ;
#elif defined(EXIT)
    exit(0);
#endif
}

static void *steps(void *unused)
{
    atomic_store(&step, 1);
    atomic_store(&step, 2);
    return unused;
}

static void *looks(void *unused)
{
    if (atomic_load(&step) == 1 && atomic_load(&step) == 2)
        happen();
    return unused;
}

int main(void)
{
    RUN_TWO(steps, looks);
    return 0;
}
