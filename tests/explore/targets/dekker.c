// explore:
// expect: no violation

/* Dekker's lock: who has not the turn takes back its wish and waits for it. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static atomic_bool wants[2];
static atomic_uint turn;
static int count;

static void enter(unsigned self)
{
    const unsigned other = 1 - self;
    atomic_store(&wants[self], true);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == self)
            continue;
        atomic_store(&wants[self], false);
        while (atomic_load(&turn) != self)
            ;
        atomic_store(&wants[self], true);
    }
}

static void leave(unsigned self)
{
    atomic_store(&turn, 1 - self);
    atomic_store(&wants[self], false);
}

static void *works(void *argument)
{
    enter(number_of(argument));
    count++;
    leave(number_of(argument));
    return NULL;
}

int main(void)
{
    run_same(2, works);
    assert(count == 2);
    return 0;
}
