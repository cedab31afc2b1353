// explore:
// expect: no violation

/* Each thread leaves a loop from three calls deep, with switches before, in and
 * after the jump. */
#include <assert.h>
#include <setjmp.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int jumps;

static void dive(jmp_buf back, int depth)
{
    if (depth < 0)
        return;
    atomic_fetch_add(&jumps, 1);
    if (depth == 0)
        longjmp(back, 7);
    dive(back, depth - 1);
    atomic_store(&jumps, -100); /* nobody comes here */
}

static void *leaps(void *unused)
{
    jmp_buf back;
    const int from = setjmp(back);
    if (from == 0)
        dive(back, 2);
    assert(from == 7);
    atomic_fetch_add(&jumps, 1);
    return unused;
}

int main(void)
{
    RUN_TWO(leaps, leaps);
    assert(atomic_load(&jumps) == 8);
    return 0;
}
