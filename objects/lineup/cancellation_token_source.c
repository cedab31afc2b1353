/* cancellation_token_source.c - callbacks that run when something is cancelled.
 *
 * CancellationTokenSource of .NET 4.0, a subject of Line-Up (Burckhardt et al.,
 * PLDI 2010, table 1), made again from its documented behaviour.  The table has
 * two operations, and the paper does not say what `Increment` is.  Here it
 * registers a callback that increments a number: it answers ok, or `canceled`
 * if the callback ran at once.  `cancel` runs all callbacks and answers how
 * often the number was incremented by that.
 *
 * A callback is put into a list without a lock, then the state is read again.
 * If the source was cancelled in between, the canceller may or may not have
 * found the callback: who claims it by an exchange runs it.
 *
 * cancel takes effect when it changes `state`, a later one when it reads that.
 * increment takes effect when it claims its callback or reads that it is too
 * late (canceled), or when it is called, which is before `state` changed (ok).
 * State is compared by >=, as in the class (section 5.6). */
#include "../common/lock.h"
#include "collected.h"

#include <stdatomic.h>

enum { NOT_CANCELED, NOTIFYING, NOTIFIED };

struct callback {
    atomic_bool claimed;
    struct callback *next;
};

static atomic_int state;
static atomic_int number;
static _Atomic(struct callback *) callbacks;

static void setup(void)
{
    atomic_store(&state, NOT_CANCELED);
    atomic_store(&number, 0);
    atomic_store(&callbacks, NULL);
}

static bool is_canceled(void)
{
    return atomic_load(&state) >= NOTIFYING;
}

/* Whether it is this thread that has run it. */
static bool run(struct callback *c)
{
    if (atomic_exchange(&c->claimed, true))
        return false;
    atomic_fetch_add(&number, 1);
    return true;
}

static void put(struct callback *c)
{
    c->next = atomic_load(&callbacks);
    while (!atomic_compare_exchange_strong(&callbacks, &c->next, c))
        plumb_retry();
}

static void increment(plumb_invocation *i)
{
    bool late = is_canceled();
    if (late) {
        atomic_fetch_add(&number, 1);
    } else {
        struct callback *const c = collected_new(i, sizeof *c);
        put(c);
        late = is_canceled() && run(c);
    }
    if (late)
        plumb_term(i, "canceled");
}

static void cancel(plumb_invocation *i)
{
    int64_t ran = 0;
    int expected = NOT_CANCELED;
    if (atomic_compare_exchange_strong(&state, &expected, NOTIFYING)) {
        for (struct callback *c = atomic_load(&callbacks); c; c = c->next)
            ran += run(c);
        atomic_store(&state, NOTIFIED);
    }
    plumb_return(i, ran);
}

PLUMB_OBJECT(.name = "C", .setup = setup, .teardown = collected_free_all,
             .operations = { { "increment", increment },
                             { "cancel", cancel } });
