/* semiqueue.c - a queue that gives its items away in any order.
 *
 * The type is Herlihy & Wing's; Wing & Gong (1990) name it among their ten
 * objects.  Items lie in the slots of a list.  An enqueue fills the first
 * empty slot it meets, or puts a new one in front.  A dequeue walks the list
 * and swaps nothing into each slot until an item comes out; while there is
 * none it waits.  Slots are never unlinked.
 *
 * The semiqueue is what is in the slots.  An enqueue takes effect when it
 * fills its slot or links it, a dequeue with the swap that gave it an item.
 * Nobody has to care about order, so there is nothing more to show.
 *
 * FAULT_NO_SWAP: the dequeue reads the slot and then empties it, by two
 * instructions.  Two of them may read the same item. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdlib.h>

#define NOTHING INT64_MIN

struct slot {
    _Atomic int64_t item;
    struct slot *next; /* never changes once it is linked */
};

static _Atomic(struct slot *) front;

static void setup(void)
{
    atomic_store(&front, NULL);
}

static void teardown(void)
{
    struct slot *s = atomic_load(&front);
    while (s) {
        struct slot *const next = s->next;
        free(s);
        s = next;
    }
}

static bool fill_empty_slot(int64_t x)
{
    for (struct slot *s = atomic_load(&front); s; s = s->next) {
        int64_t nothing = NOTHING;
        if (atomic_compare_exchange_strong(&s->item, &nothing, x))
            return true;
    }
    return false;
}

static void link_slot(int64_t x)
{
    struct slot *const fresh = malloc(sizeof *fresh);
    if (!fresh)
        abort();
    atomic_init(&fresh->item, x);
    fresh->next = atomic_load(&front);
    while (!atomic_compare_exchange_strong(&front, &fresh->next, fresh))
        plumb_retry();
}

static void enq(plumb_invocation *i)
{
    const int64_t x = plumb_arg(i, 0);
    if (!fill_empty_slot(x))
        link_slot(x);
}

static int64_t empty_slot(struct slot *s)
{
#ifdef FAULT_NO_SWAP
    const int64_t x = atomic_load(&s->item);
    if (x != NOTHING)
        atomic_store(&s->item, NOTHING);
    return x;
#else
    return atomic_exchange(&s->item, NOTHING);
#endif
}

static int64_t scan(void)
{
    for (struct slot *s = atomic_load(&front); s; s = s->next) {
        const int64_t x = empty_slot(s);
        if (x != NOTHING)
            return x;
    }
    return NOTHING;
}

static void deq(plumb_invocation *i)
{
    int64_t x;
    while ((x = scan()) == NOTHING)
        try_again();
    plumb_return(i, x);
}

PLUMB_OBJECT(.name = "Q", .spec = "semiqueue:blocking", .setup = setup,
             .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
