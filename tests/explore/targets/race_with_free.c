// explore: --preemptions all
// expect: use after free
// explore: --preemptions all -- -DCOUNTED
// expect: no violation

/* The reader is done with the block when it says so, but looks at it once more;
 * the other frees it then.  COUNTED: it says so after its last look. */
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static int *block;
static atomic_int done, sum;

static void *reads(void *unused)
{
    atomic_fetch_add(&sum, block[0]);
#ifdef COUNTED
    atomic_fetch_add(&sum, block[1]);
    atomic_store(&done, 1);
#else
    atomic_store(&done, 1);
    const int last = block[1];
    return last > 100 ? NULL : unused;
#endif
    return unused;
}

static void *frees(void *unused)
{
    if (atomic_load(&done))
        free(block);
    return unused;
}

int main(void)
{
    block = calloc(2, sizeof *block);
    RUN_TWO(reads, frees);
    return 0;
}
