// explore:
// expect: no violation
// explore: -- -DONE_FLAG
// expect: assertion

/* Old code has volatile where atomics belong; Peterson's lock of them.
 * ONE_FLAG: one flag, looked at and raised in two steps. */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static volatile int wants[2], turn;
static atomic_int inside;

static void enter(unsigned self)
{
#ifdef ONE_FLAG
    while (wants[0])
        ;
    wants[0] = 1;
    (void)self;
    (void)turn;
#else
    wants[self] = 1;
    turn = (int)(1 - self);
    while (wants[1 - self] && turn == (int)(1 - self))
        ;
#endif
}

static void *works(void *argument)
{
    enter(number_of(argument));
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
#ifdef ONE_FLAG
    wants[0] = 0;
#else
    wants[number_of(argument)] = 0;
#endif
    return NULL;
}

int main(void)
{
    run_same(2, works);
    return 0;
}
