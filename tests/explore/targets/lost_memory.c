// explore: --leaks
// expect: leak
// says: leak: cell#[12] was never freed, and nothing points to it
// explore:
// expect: no violation
// explore: --leaks --preemptions 0
// expect: no violation
// explore: --leaks -- -DEXCHANGE
// expect: no violation
// explore: --leaks --strategy dpor --preemptions all
// expect: leak
// explore: --leaks --strategy random --executions 5000 --races ignore
// expect: leak
/* Two threads put a new cell in the same place.  Who reads what was there and
 * then writes may lose the cell of the other. */
#include "threads.h"

#include <stdatomic.h>
#include <stdlib.h>

struct cell {
    struct cell *next; /* of a chain that is kept: no leak */
    int number;
};

static _Atomic(struct cell *) last;

static struct cell *new_cell(void)
{
    struct cell *const c = malloc(sizeof *c);
    c->next = NULL;
    return c;
}

static void *put(void *unused)
{
    struct cell *const c = new_cell();
#if defined(EXCHANGE)
    c->next = atomic_exchange(&last, c);
#else
    c->next = atomic_load(&last);
    atomic_store(&last, c);
#endif
    return unused;
}

int main(void)
{
    run_same(2, put);
    return 0;
}
