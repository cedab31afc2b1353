// explore:
// expect: assertion
// explore: -- -DWHOLE -mcx16
// expect: no violation
// explore: -- -DPLAIN
// expect: assertion
// says: also: data race

/* A value of 16 bytes, of two equal halves.  Written half by half, a reader
 * may see one half of either; WHOLE: by one access of 16 bytes. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifdef WHOLE
__extension__ typedef unsigned __int128 pair;
static pair value;

static pair get(void)
{
    return __sync_val_compare_and_swap(&value, 0, 0);
}

static void *writes(void *unused)
{
    const pair old = get();
    __sync_bool_compare_and_swap(&value, old, ((pair)7 << 64) | 7);
    return unused;
}

static void *reads(void *unused)
{
    const pair seen = get();
    assert((uint64_t)seen == (uint64_t)(seen >> 64));
    return unused;
}
#else
#ifdef PLAIN
static uint64_t low, high;
#else
static _Atomic uint64_t low, high;
#endif

static void *writes(void *unused)
{
    low = 7;
    high = 7;
    return unused;
}

static void *reads(void *unused)
{
    const uint64_t l = low, h = high;
    assert(l == h);
    return unused;
}
#endif

int main(void)
{
    RUN_TWO(writes, reads);
    return 0;
}
