// explore:
// expect: out of bounds
// says: index 8 is outside of '.*[[]8[]]', at take \(index.c:[0-9]+\)
// explore: -- -DINNER
// expect: out of bounds
// says: index -1 is outside of '.*[[]4[]]'
// explore: -- -DENOUGH
// expect: no violation
/* An index that only some schedules drive out of an array, into what lies behind
 * it: no block of the heap ends there.  INNER: in a member, the other way. */
#include "threads.h"

#include <stdatomic.h>

#ifdef ENOUGH
enum { ROOM = 16 };
#else
enum { ROOM = 8 };
#endif
static struct {
    int before[4], slot[ROOM], behind;
} pool;
static atomic_int used = 6, inner = 1;

static void *take(void *unused)
{
#ifdef INNER
    if (atomic_load(&used) == 6)
        pool.before[atomic_fetch_sub(&inner, 1)]++;
#else
    const int n = atomic_fetch_add(&used, 1);
    pool.slot[n] = n;
#endif
    return unused;
}

int main(void)
{
    run_same(3, take);
}
