// explore: --strategy dfs --steps 6
// expect: no violation found
// says: incomplete: schedules of too many steps were given up .--steps.
// explore: --preemptions all
// expect: livelock

/* Two who step aside for each other, at the same time, for ever. */
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static atomic_bool wants[2];

static void *passes(void *argument)
{
    const unsigned self = number_of(argument);
    for (;;) {
        atomic_store(&wants[self], true);
        if (!atomic_load(&wants[1 - self]))
            break;
        atomic_store(&wants[self], false);
    }
    atomic_store(&wants[self], false);
    return NULL;
}

int main(void)
{
    run_same(2, passes);
    return 0;
}
