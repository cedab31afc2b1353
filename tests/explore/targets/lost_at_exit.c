// explore: --leaks
// expect: leak
// says: 1 preemption\)
// explore: --leaks --preemptions all
// expect: leak
// explore: --leaks --preemptions all -- -DEXCHANGE
// expect: no violation
/* Of two cells the last one is freed before the end, and the other by whoever
 * comes later, if he has seen it.  Ends that differ in what is lost alone. */
#include "threads.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) last;

static void *put(void *unused)
{
    int *const mine = malloc(sizeof *mine);
#if defined(EXCHANGE)
    free(atomic_exchange(&last, mine));
#else
    int *const before = atomic_load(&last);
    atomic_store(&last, mine);
    free(before);
#endif
    return unused;
}

int main(void)
{
    run_same(2, put);
    free(atomic_load(&last));
    return 0;
}
