// explore:
// expect: no violation

/* A thread-local of one thread is written by the other, who was given its
 * address; its own of that name is another. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static _Thread_local atomic_int own = 1;
static atomic_int *_Atomic published;

static void *publishes(void *unused)
{
    atomic_store(&published, &own);
    while (atomic_load(&own) == 1)
        ;
    assert(atomic_load(&own) == 5);
    return unused;
}

static void *writes(void *unused)
{
    atomic_int *other;
    while (!(other = atomic_load(&published)))
        ;
    assert(other != &own);
    atomic_fetch_add(&own, 10);
    atomic_store(other, 5);
    assert(atomic_load(&own) == 11);
    return unused;
}

int main(void)
{
    RUN_TWO(publishes, writes);
    assert(atomic_load(&own) == 1);
    return 0;
}
