// explore:
// expect: no violation
// explore: -- -DTURN_FIRST
// expect: assertion
// explore: --preemptions all -- -DNO_TURN
// expect: livelock

/* Peterson's lock for two, twice each.  TURN_FIRST gives way before it says
 * that it wants to enter, and lets both in; NO_TURN gives way to nobody, and
 * both may wait for ever. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static atomic_bool wants[2];
static atomic_uint turn;
static atomic_uint inside;
#if !defined(TURN_FIRST)
static int count; /* plain: the lock is all that orders it */
#endif

static bool has_to_wait(unsigned other)
{
#ifdef NO_TURN
    return atomic_load(&wants[other]);
#else
    return atomic_load(&wants[other]) && atomic_load(&turn) == other;
#endif
}

static void enter(unsigned self)
{
#ifdef TURN_FIRST
    atomic_store(&turn, 1 - self);
    atomic_store(&wants[self], true);
#else
    atomic_store(&wants[self], true);
    atomic_store(&turn, 1 - self);
#endif
    while (has_to_wait(1 - self))
        ;
}

static void *works(void *argument)
{
    const unsigned self = number_of(argument);
    for (int i = 0; i < 2; i++) {
        enter(self);
        assert(atomic_fetch_add(&inside, 1) == 0);
#if !defined(TURN_FIRST)
        count++;
#endif
        atomic_fetch_sub(&inside, 1);
        atomic_store(&wants[self], false);
    }
    return NULL;
}

int main(void)
{
    run_same(2, works);
    return 0;
}
