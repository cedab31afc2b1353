/* treiber_cells.c - Treiber's stack as bench/explore.sh measures it: cells of
 * an array, each used once, so that nothing but the algorithm is run.
 *
 * Where a cell is used once there is no ABA, and nothing has to be reclaimed.
 * A push links its cell behind the top it has read; a pop reads the link of the
 * top.  Both take effect by their compare-and-swap of the top. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stddef.h>

enum { PROCESSES = 8, CELLS = 4 };

struct cell {
    struct cell *_Atomic below;
    int64_t item;
};

static struct cell *_Atomic top;
static struct cell cell[PROCESSES][CELLS];
static unsigned used[PROCESSES];

static void setup(void)
{
    atomic_init(&top, NULL);
    for (unsigned p = 0; p < PROCESSES; p++)
        used[p] = 0;
}

static void push(plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    struct cell *const c = &cell[process][used[process]++];
    struct cell *seen = atomic_load(&top);
    c->item = plumb_arg(i, 0);
    do
        atomic_store(&c->below, seen);
    while (!atomic_compare_exchange_strong(&top, &seen, c));
}

static void pop(plumb_invocation *i)
{
    struct cell *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen,
                                                   atomic_load(&seen->below)))
        continue;
    if (seen)
        plumb_return(i, seen->item);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "S", .spec = "stack", .setup = setup,
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
