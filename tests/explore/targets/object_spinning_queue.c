// explore: --test 'take() | put(1)'
// expect: no violation
// explore: --test 'take() | take() | put(1)'
// expect: no violation
// explore: --init 'take()' --test 'put(1) | put(2)'
// expect: undecided
// explore: --test 'take() | put(1)' -- -DWRONG_CELL
// expect: deadlock|livelock

/* The same by spinning: a take that spins for ever on an empty queue is
 * justified.  WRONG_CELL: it spins on something that no put changes. */
#include <stdatomic.h>

#include <plumb/object.h>

static _Atomic int64_t place;
#ifdef WRONG_CELL
extern _Atomic int64_t other; /* who knows who writes it */
_Atomic int64_t other;
#endif

static void put(plumb_invocation *i)
{
    int64_t none = 0;
    while (!atomic_compare_exchange_strong(&place, &none, plumb_arg(i, 0)))
        none = 0;
}

static void take(plumb_invocation *i)
{
#ifdef WRONG_CELL
    while (atomic_load(&other) == 0)
        ;
#endif
    for (;;) {
        int64_t item = atomic_load(&place);
        if (item != 0 && atomic_compare_exchange_strong(&place, &item, 0)) {
            plumb_return(i, item);
            return;
        }
    }
}

PLUMB_OBJECT(.name = "Q", .spec = "queue:cap=1",
             .operations = { { "put", put, { PLUMB_FRESH } },
                             { "take", take } });
