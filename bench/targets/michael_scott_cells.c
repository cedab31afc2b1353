/* michael_scott_cells.c - Michael and Scott's queue as bench/explore.sh
 * measures it: cells of an array, each used once, so that nothing but the
 * algorithm is run.
 *
 * `first` is the cell before the first item; `last` is the last cell or one
 * behind, and who finds it behind moves it on.  An enq takes effect where it
 * links its cell, a deq where it moves `first`. */
#include <plumb/object.h>
#include <stdatomic.h>
#include <stddef.h>

enum { PROCESSES = 8, CELLS = 4 };

struct cell {
    struct cell *_Atomic next;
    int64_t item;
};

static struct cell before_all, cell[PROCESSES][CELLS];
static unsigned used[PROCESSES];
static struct cell *_Atomic first, *_Atomic last;

static void setup(void)
{
    atomic_init(&before_all.next, NULL);
    atomic_init(&first, &before_all);
    atomic_init(&last, &before_all);
    for (unsigned p = 0; p < PROCESSES; p++)
        used[p] = 0;
}

static bool cas(struct cell *_Atomic *at, struct cell *old, struct cell *new)
{
    return atomic_compare_exchange_strong(at, &old, new);
}

static void enq(plumb_invocation *i)
{
    const unsigned process = plumb_process(i);
    struct cell *const c = &cell[process][used[process]++];
    c->item = plumb_arg(i, 0);
    atomic_init(&c->next, NULL);
    for (;;) {
        struct cell *const at = atomic_load(&last);
        struct cell *const next = atomic_load(&at->next);
        if (at != atomic_load(&last))
            continue;
        if (next)
            cas(&last, at, next);
        else if (cas(&at->next, NULL, c)) {
            cas(&last, at, c);
            return;
        }
    }
}

static void deq(plumb_invocation *i)
{
    for (;;) {
        struct cell *const at = atomic_load(&first);
        struct cell *const end = atomic_load(&last);
        struct cell *const next = atomic_load(&at->next);
        if (at != atomic_load(&first))
            continue;
        if (!next) {
            plumb_term(i, "empty");
            return;
        }
        if (at == end)
            cas(&last, end, next);
        else if (cas(&first, at, next)) {
            plumb_return(i, next->item);
            return;
        }
    }
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
