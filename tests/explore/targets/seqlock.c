// explore:
// expect: no violation
// explore: -- -DNO_RECHECK
// expect: assertion
// explore: -- -DNO_ODD
// expect: assertion

/* A pair that is read without a lock, and read again if it was written in the
 * meantime.  NO_RECHECK looks at the number before only; NO_ODD counts when
 * both are written, and not when it begins. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static atomic_uint sequence;
static atomic_int left, right;

static void *writes(void *unused)
{
    for (int i = 1; i <= 2; i++) {
#ifndef NO_ODD
        atomic_fetch_add(&sequence, 1);
#endif
        atomic_store(&left, i);
        atomic_store(&right, i);
        atomic_fetch_add(&sequence, 1);
    }
    return unused;
}

static bool is_being_written(unsigned at)
{
#ifdef NO_ODD
    (void)at;
    return false;
#else
    return at % 2 != 0;
#endif
}

static bool is_stable(unsigned since)
{
#ifdef NO_RECHECK
    (void)since;
    return true;
#else
    return atomic_load(&sequence) == since;
#endif
}

static void *reads(void *unused)
{
    for (;;) {
        const unsigned before = atomic_load(&sequence);
        if (is_being_written(before))
            continue;
        const int l = atomic_load(&left), r = atomic_load(&right);
        if (is_stable(before)) {
            assert(l == r);
            return unused;
        }
    }
}

int main(void)
{
    RUN_TWO(writes, reads);
    return 0;
}
