// explore:
// expect: use after free

/* Treiber's pop frees what it has popped, while another may still be about to
 * read the link of it. */
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

struct cell {
    struct cell *_Atomic below;
};

static struct cell *_Atomic top;

static void push(void)
{
    struct cell *const c = malloc(sizeof *c);
    if (!c)
        abort();
    struct cell *seen = atomic_load(&top);
    do
        atomic_store(&c->below, seen);
    while (!atomic_compare_exchange_weak(&top, &seen, c));
}

static void *pops(void *unused)
{
    struct cell *seen = atomic_load(&top);
    while (seen) {
        struct cell *const below = atomic_load(&seen->below);
        if (atomic_compare_exchange_weak(&top, &seen, below))
            break;
    }
    free(seen);
    return unused;
}

int main(void)
{
    push();
    push();
    RUN_TWO(pops, pops);
    return 0;
}
