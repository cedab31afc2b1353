/* wing_gong_unbounded.c - a list of slots that are filled and emptied by
 * single instructions.
 *
 * Wing & Gong, "A simulator for concurrent objects" (1990), appendix B; the
 * idea is Herlihy & Wing's.  An enqueue first gets itself a slot at the end of
 * the list and later stores its item there.  A dequeue walks over the slots
 * that existed when it began, swaps nothing into each, and answers the first
 * item that comes out; if none does it begins again, so on an empty queue it
 * waits for ever.
 *
 *     head                             tail
 *      |                                |
 *     [ ] -> [x] -> [ ] -> [y] -> [ ] -> [ ]        back = 6
 *    taken         not yet stored         next to be given away
 *
 * It is a queue, though the instruction at which an enqueue takes effect
 * depends on the dequeues to come.  A swap gives an item to one dequeue only.
 * So (Henzinger, Sezgin, Vafeiadis 2013) it remains to show: if enq(x) returns
 * before enq(y) is called and some dequeue answers y, then x leaves too, and
 * not by a dequeue that is called after that one has returned.  Item x was
 * stored in its slot, before y's slot existed.  The dequeue of y read `back`
 * after y's slot existed, and passed x's slot after that.  It found it empty:
 * x had already been swapped out, by a dequeue that was running by then.
 *
 * FAULT_REREAD: `back` is read again after each slot, as printed in section
 * 4.3.  A dequeue may pass x's slot before x is stored, and then go on to a
 * slot that did not exist at that time. */
#include "../common/lock.h"

#include <stdatomic.h>
#include <stdlib.h>

#define NOTHING INT64_MIN

struct slot {
    _Atomic int64_t item;
    struct slot *next; /* written before `back` counts the next slot */
};

static struct slot *head, *tail; /* the lock protects tail */
static _Atomic long back;        /* the number of slots */
static pthread_mutex_t tail_lock;

static struct slot *new_slot(void)
{
    struct slot *const s = malloc(sizeof *s);
    if (!s)
        abort();
    atomic_init(&s->item, NOTHING);
    s->next = NULL;
    return s;
}

static void setup(void)
{
    pthread_mutex_init(&tail_lock, NULL);
    head = tail = new_slot();
    atomic_store(&back, 1);
}

static void teardown(void)
{
    while (head) {
        struct slot *const s = head;
        head = s->next;
        free(s);
    }
    pthread_mutex_destroy(&tail_lock);
}

/* FETCH_AND_ADD: append a slot, and get the one that was the last. */
static struct slot *claim_slot(void)
{
    struct slot *const fresh = new_slot();
    lock(&tail_lock);
    struct slot *const mine = tail;
    mine->next = fresh;
    tail = fresh;
    /* release: pairs with the acquire in range(), which permits to follow
     * the links of that many slots */
    atomic_fetch_add_explicit(&back, 1, memory_order_release);
    unlock(&tail_lock);
    return mine;
}

static long range(void)
{
    return atomic_load_explicit(&back, memory_order_acquire) - 1;
}

static void enq(plumb_invocation *i)
{
    struct slot *const mine = claim_slot();
    atomic_store(&mine->item, plumb_arg(i, 0));
}

/* The first item among the slots, or NOTHING. */
static int64_t scan(void)
{
    struct slot *current = head;
    long end = range();
    for (long n = 1; n <= end; n++) {
        if (n > 1)
            current = current->next;
        const int64_t x = atomic_exchange(&current->item, NOTHING);
        if (x != NOTHING)
            return x;
#ifdef FAULT_REREAD
        end = range();
#endif
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

PLUMB_OBJECT(.name = "Q", .spec = "queue:blocking", .setup = setup,
             .teardown = teardown,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
