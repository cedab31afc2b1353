/* cell.c - a register that is a pointer to a cell of the heap.
 *
 * write() fills a cell, puts it in place, and frees the old one.  read() takes
 * two steps: the cell may be freed in between, and is read all the same.  What
 * it holds is right even then. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cell {
    long value;
};

static _Atomic(struct cell *) now;

static void replace(long value)
{
    struct cell *const c = malloc(sizeof *c);
    if (!c)
        abort();
    c->value = value;
    free(atomic_exchange(&now, c));
}

static void setup(void)
{
    replace(0);
}

static void write(plumb_invocation *i)
{
    replace(plumb_arg(i, 0));
}

static void read(plumb_invocation *i)
{
    const struct cell *const c = atomic_load(&now);
    plumb_return(i, c->value);
}

PLUMB_OBJECT(.name = "R", .spec = "register:init=0", .setup = setup,
             .operations = { { "write", write, { PLUMB_FRESH } },
                             { "read", read } });
