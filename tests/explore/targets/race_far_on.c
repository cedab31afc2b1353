// explore: --steps 100000
// expect: data race
// says: writes it at step 700[0-9][0-9]

/* However many steps lead there, the schedule of a race is kept whole. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int count;
static int total;

static void *adds(void *argument)
{
    total++;
    return argument;
}

int main(void)
{
    for (int i = 0; i < 70000; i++)
        atomic_fetch_add(&count, 1);
    run_same(2, adds);
    return 0;
}
