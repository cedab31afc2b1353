// explore:
// expect: data race
// says: late
// explore: -- -DEARLY
// expect: no violation

/* What is written after the flag is raised is not published by it, although
 * nothing can be seen to come between the two.  EARLY: it is written before. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag, looked;
static int late;

static void *raises(void *unused)
{
#ifdef EARLY
    late = 1;
    atomic_store(&flag, 1);
#else
    atomic_store(&flag, 1);
    late = 1;
#endif
    return unused;
}

static void *reads(void *unused)
{
    if (atomic_load(&flag)) {
        atomic_fetch_add(&looked, 1);
        atomic_fetch_add(&looked, late);
    }
    return unused;
}

int main(void)
{
    RUN_TWO(raises, reads);
    return 0;
}
