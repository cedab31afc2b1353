// explore:
// expect: assertion failed
// says: ^  \.\.\. 80 more lines, --verbose for all$
// explore: --verbose
// expect: assertion failed
// says: ^    line 50$
// explore: -- -DLINES=20000
// expect: assertion failed
// says: ^  \.\.\. output beyond 64 KB was not kept$

/* What it printed is shown, but not more than a screen of it. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

#include "threads.h"

#ifndef LINES
#define LINES 100
#endif

static atomic_int done;

static void *talks(void *argument)
{
    atomic_fetch_add(&done, 1);
    return argument;
}

int main(void)
{
    for (int i = 0; i < LINES; i++)
        printf("line %d\n", i);
    run_same(2, talks);
    assert(done != 2);
    return 0;
}
