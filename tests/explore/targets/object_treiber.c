// explore: --test 'push(1) pop() | push(2)'
// expect: no violation
// explore: --test 'push(1) pop() | push(2) pop()'
// expect: no violation
// explore: --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)'
// expect: no violation
// explore: --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -DREUSE
// expect: not linearizable
// explore: --test 'pop() | pop() pop() push(3)' --final 'pop() pop()' -- -DREUSE
// expect: no violation

/* Treiber's stack over an array of cells.  With REUSE the first cell that was
 * popped is the next to be pushed: harmless on an empty stack, and not on one
 * of two. */
#include <stdatomic.h>
#include <stddef.h>

#include <plumb/object.h>

struct cell {
    struct cell *_Atomic below;
    _Atomic int64_t item;
};

enum { CELLS = 8 };
static struct cell cell[CELLS];
static atomic_uint used;
static struct cell *_Atomic top;
#ifdef REUSE
static struct cell *_Atomic spare;
#endif

static struct cell *get_cell(void)
{
#ifdef REUSE
    struct cell *const c = atomic_exchange(&spare, NULL);
    if (c)
        return c;
#endif
    return &cell[atomic_fetch_add(&used, 1)];
}

static void push(plumb_invocation *i)
{
    struct cell *const c = get_cell();
    atomic_store(&c->item, plumb_arg(i, 0));
    struct cell *seen = atomic_load(&top);
    do
        atomic_store(&c->below, seen);
    while (!atomic_compare_exchange_strong(&top, &seen, c));
}

static void pop(plumb_invocation *i)
{
    struct cell *seen = atomic_load(&top);
    while (seen) {
        struct cell *const below = atomic_load(&seen->below);
        if (!atomic_compare_exchange_strong(&top, &seen, below))
            continue;
        plumb_return(i, atomic_load(&seen->item));
#ifdef REUSE
        struct cell *none = NULL;
        atomic_compare_exchange_strong(&spare, &none, seen);
#endif
        return;
    }
    plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "S", .spec = "stack",
             .operations = { { "push", push, { PLUMB_FRESH } },
                             { "pop", pop } });
