/* exchanger.c - two processes that meet swap items, in one slot.
 *
 * The exchanger of Scherer, Lea and Scott (2005), which java.util.concurrent
 * has, without its arena; an elimination array (Hendler, Shavit and Yerushalmi,
 * 2004) is made of such slots.  Who finds the slot empty puts an offer there and
 * waits; who finds an offer takes it out and answers it.
 *
 * Two calls that meet take effect at once, where the second takes the offer out
 * of the slot: both are under way there, and nobody else can get that offer.
 * Alone neither has an answer, so no serial run explains one: the specification
 * is setlin:exchanger.  A try_exchange that fails takes effect where it takes
 * its own offer out of the slot.
 *
 * The item is read before the offer is answered, and what was answered is not
 * touched again: so the process that made the offer frees it.  An offer that
 * is back in the slot under its old address is as good as the old one, since
 * nothing of it is read before it is taken out.
 *
 * FAULT_TAKE_BACK: a try_exchange that fails empties the slot without looking
 * whether its offer is still there.  Then its partner has an item of somebody
 * who says that nothing was exchanged. */
#include "../common/lock.h"
#ifdef FAULT_TAKE_BACK
#include "../smr/pool.h"
#endif

#include <stdatomic.h>
#include <stdlib.h>

/* Atomic for the sake of FAULT_TAKE_BACK, but for the last. */
struct offer {
    _Atomic int64_t item, answer;
    atomic_bool answered;
};

static _Atomic(struct offer *) slot;

static void setup(void)
{
    atomic_store(&slot, NULL);
}

static void teardown(void)
{
#ifdef FAULT_TAKE_BACK
    pool_drain();
#endif
}

static struct offer *offer_make(int64_t item)
{
#ifdef FAULT_TAKE_BACK
    struct offer *const o = pool_take(sizeof *o);
#else
    struct offer *const o = malloc(sizeof *o);
    if (!o)
        abort();
#endif
    /* relaxed: published by the CAS */
    atomic_store_explicit(&o->item, item, memory_order_relaxed);
    atomic_store_explicit(&o->answered, false, memory_order_relaxed);
    return o;
}

static void offer_free(struct offer *o)
{
#ifdef FAULT_TAKE_BACK
    pool_give(o);
#else
    free(o);
#endif
}

static bool is_answered(struct offer *o)
{
    return atomic_load(&o->answered);
}

/* False: somebody has it already. */
static bool take_back(struct offer *o)
{
#ifdef FAULT_TAKE_BACK
    (void)o;
    atomic_store(&slot, NULL);
    return true;
#else
    struct offer *mine = o;
    return atomic_compare_exchange_strong(&slot, &mine, NULL);
#endif
}

static void wait_for_answer(struct offer *o)
{
    while (!is_answered(o))
        sched_yield();
}

/* False: nobody came. */
static bool is_met(struct offer *o, bool for_ever)
{
    if (!for_ever && !is_answered(o)) {
        sched_yield();
        if (!is_answered(o) && take_back(o))
            return false;
    }
    wait_for_answer(o);
    return true;
}

static void make_offer(plumb_invocation *i, struct offer *o, bool for_ever)
{
    if (is_met(o, for_ever))
        /* relaxed: is_answered() acquired it */
        plumb_return(i, atomic_load_explicit(&o->answer, memory_order_relaxed));
    else
        plumb_term(i, "timeout");
}

static void answer(plumb_invocation *i, struct offer *o, int64_t item)
{
    /* relaxed: meet() acquired it, and the store to `answered` releases it */
    plumb_return(i, atomic_load_explicit(&o->item, memory_order_relaxed));
    atomic_store_explicit(&o->answer, item, memory_order_relaxed);
    atomic_store(&o->answered, true);
}

static void meet(plumb_invocation *i, bool for_ever)
{
    const int64_t item = plumb_arg(i, 0);
    struct offer *const mine = offer_make(item);
    for (;;) {
        struct offer *theirs = atomic_load(&slot);
        /* seq_cst: its release publishes `mine`, its acquire gets `theirs` */
        if (atomic_compare_exchange_strong(&slot, &theirs,
                                           theirs ? NULL : mine)) {
            if (theirs)
                answer(i, theirs, item);
            else
                make_offer(i, mine, for_ever);
            offer_free(mine);
            return;
        }
        plumb_retry();
    }
}

static void exchange(plumb_invocation *i)
{
    meet(i, true);
}

static void try_exchange(plumb_invocation *i)
{
    meet(i, false);
}

PLUMB_OBJECT(.name = "X", .spec = "setlin:exchanger", .setup = setup,
             .teardown = teardown,
             .operations = {
                 { "exchange", exchange, { PLUMB_FRESH } },
                 { "try_exchange", try_exchange, { PLUMB_FRESH } } });
