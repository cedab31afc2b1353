/* countdown_event.c - an event that is set when a count reaches zero.
 *
 * CountdownEvent of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI
 * 2010, table 1), made again from its documented behaviour.  The count begins
 * at 2 and changes by CAS; who brings it to zero sets the event for those that
 * wait.  Once zero it stays: adding to it is refused.
 *
 * An operation takes effect where it changes the count, or reads the value
 * that decides its answer.  A wait that sleeps wakes after the count is
 * zero. */
#include "event.h"

enum { INITIAL = 2 };

static struct event event;
static atomic_int count;

static void setup(void)
{
    event_init(&event);
    atomic_store(&count, INITIAL);
}

static void teardown(void)
{
    event_release(&event);
}

static void is_set(plumb_invocation *i)
{
    plumb_return_bool(i, atomic_load(&count) == 0);
}

static void wait(plumb_invocation *i)
{
    (void)i;
    if (atomic_load(&count) != 0)
        event_wait(&event);
}

static void try_wait(plumb_invocation *i)
{
    plumb_return_bool(i, atomic_load(&count) == 0 || event_is_set(&event));
}

static void current_count(plumb_invocation *i)
{
    plumb_return(i, atomic_load(&count));
}

static void wait_one(plumb_invocation *i)
{
    (void)i;
    event_wait_one(&event);
}

/* Answers whether the count is zero now. */
static void signal(plumb_invocation *i)
{
    const int n = (int)plumb_arg(i, 0);
    int seen = atomic_load(&count);
    for (;;) {
        if (seen < n) {
            plumb_term(i, "invalid");
            return;
        }
        if (atomic_compare_exchange_strong(&count, &seen, seen - n))
            break;
        plumb_retry();
    }
    if (seen == n)
        event_set(&event);
    plumb_return_bool(i, seen == n);
}

static bool add(int n)
{
    int seen = atomic_load(&count);
    while (seen != 0) {
        if (atomic_compare_exchange_strong(&count, &seen, seen + n))
            return true;
        plumb_retry();
    }
    return false;
}

static void add_count(plumb_invocation *i)
{
    if (!add((int)plumb_arg(i, 0)))
        plumb_term(i, "invalid");
}

static void try_add_count(plumb_invocation *i)
{
    plumb_return_bool(i, add((int)plumb_arg(i, 0)));
}

#define BY_ONE_OR_TWO                                                          \
    {                                                                          \
        PLUMB_ONE_OF("1 2")                                                    \
    }

PLUMB_OBJECT(.name = "C", .setup = setup, .teardown = teardown,
             .operations = {
                 { "is_set", is_set },
                 { "wait", wait },
                 { "try_wait", try_wait },
                 { "current_count", current_count },
                 { "wait_one", wait_one },
                 { "signal", signal, BY_ONE_OR_TWO },
                 { "add_count", add_count, BY_ONE_OR_TWO },
                 { "try_add_count", try_add_count, BY_ONE_OR_TWO } });
