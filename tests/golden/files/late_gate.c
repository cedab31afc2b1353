/* A gate that closes when the last visitor has left: close() does not wait for
 * that.  REOPENS: who enters does not look whether it was closed meanwhile. */
#include <plumb/object.h>
#include <stdatomic.h>

enum { CLOSING = 100 }; /* more than there are visitors */

static atomic_int visitors, visits;

static void setup(void)
{
    atomic_store(&visitors, 0);
    atomic_store(&visits, 0);
}

static void visit(plumb_invocation *i)
{
    int seen = atomic_load(&visitors);
#ifdef REOPENS
    if (seen != CLOSING)
        atomic_fetch_add(&visitors, 1);
#else
    while (seen != CLOSING &&
           !atomic_compare_exchange_strong(&visitors, &seen, seen + 1))
        plumb_retry();
#endif
    if (seen == CLOSING) {
        plumb_term(i, "closed");
        return;
    }
    plumb_return(i, atomic_fetch_add(&visits, 1));
    atomic_fetch_sub(&visitors, 1);
}

static void close(plumb_invocation *i)
{
    (void)i;
    int seen = atomic_load(&visitors);
    while (seen < CLOSING && !atomic_compare_exchange_strong(&visitors, &seen,
                                                             seen + CLOSING))
        plumb_retry();
}

static void is_closed(plumb_invocation *i)
{
    plumb_return_bool(i, atomic_load(&visitors) == CLOSING);
}

PLUMB_OBJECT(.name = "gate", .setup = setup,
             .operations = { { "visit", visit },
                             { "close", close },
                             { "is_closed", is_closed } });
