/* benign_comparison.c - a flag with a state between off and on.
 *
 * Right, but not conflict-serializable: the third of four reasons that section
 * 5.6 of Line-Up (Burckhardt et al., PLDI 2010) gives, seen there in
 * CancellationTokenSource.  The state is compared by >=.  Whether it is read
 * before or after cancel has gone on from CANCELING to CANCELED makes no
 * difference, but a read between the two is between two writes of one
 * operation.
 *
 * cancel takes effect when its compare-and-swap succeeds or fails, is_canceled
 * when it reads the state. */
#include <plumb/object.h>

#include <stdatomic.h>

enum { NOT_CANCELED, CANCELING, CANCELED };

static atomic_int state;

static void setup(void)
{
    atomic_store(&state, NOT_CANCELED);
}

/* Whether it was this one. */
static void cancel(plumb_invocation *i)
{
    int expected = NOT_CANCELED;
    const bool first =
        atomic_compare_exchange_strong(&state, &expected, CANCELING);
    if (first)
        atomic_store(&state, CANCELED);
    plumb_return_bool(i, first);
}

static void is_canceled(plumb_invocation *i)
{
    plumb_return_bool(i, atomic_load(&state) >= CANCELING);
}

PLUMB_OBJECT(.name = "F", .setup = setup,
             .operations = { { "cancel", cancel },
                             { "is_canceled", is_canceled } });
