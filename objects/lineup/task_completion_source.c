/* task_completion_source.c - a result that is set once.
 *
 * TaskCompletionSource of .NET 4.0, a subject of Line-Up (Burckhardt et al.,
 * PLDI 2010, table 1), made again from its documented behaviour.  Who wants to
 * complete the task reserves it by a CAS, then writes the result or the
 * exception, then publishes by `state` what the task has become, and at last
 * wakes those that wait.  Who comes too late waits until the task is completed
 * before saying so: else that could be seen not to be true yet.
 *
 * The completion takes effect when `state` is published, an attempt that comes
 * too late when it reads that; the others where they read `state`.
 *
 * FAULT_NO_WAIT (F, a re-creation): who comes too late does not wait.
 *
 * FAULT_EARLY_EXCEPTION (G, a re-creation): an exception is kept before the
 * task is reserved, and stays there if another one gets the task.  `exception`
 * shows it, although the task has a result.
 *
 * The paper says of either only that two threads with two operations each show
 * it.  Both are guesses from what the code that was shipped takes care of. */
#include "event.h"

enum { OPEN, RESERVED, CANCELED, FAULTED, SUCCEEDED };

static struct event completed;
static atomic_int state;
static _Atomic int64_t result, kept_exception; /* 0: none */

static void setup(void)
{
    event_init(&completed);
    atomic_store(&state, OPEN);
    atomic_store(&result, 0);
    atomic_store(&kept_exception, 0);
}

static void teardown(void)
{
    event_release(&completed);
}

static bool is_completed(void)
{
    return atomic_load(&state) > RESERVED;
}

/* ---- completing ---- */

/* False, when the task is completed by somebody else. */
static bool reserve(void)
{
    int expected = OPEN;
    if (atomic_compare_exchange_strong(&state, &expected, RESERVED))
        return true;
#ifndef FAULT_NO_WAIT
    while (!is_completed())
        try_again();
#endif
    return false;
}

static void publish(int what)
{
    atomic_store(&state, what);
    event_set(&completed);
}

static bool cancel(const plumb_invocation *i)
{
    (void)i;
    if (!reserve())
        return false;
    publish(CANCELED);
    return true;
}

static bool fail(const plumb_invocation *i)
{
#ifdef FAULT_EARLY_EXCEPTION
    if (is_completed())
        return false;
    atomic_store(&kept_exception, plumb_arg(i, 0));
#endif
    if (!reserve())
        return false;
    atomic_store(&kept_exception, plumb_arg(i, 0));
    publish(FAULTED);
    return true;
}

static bool succeed(const plumb_invocation *i)
{
    if (!reserve())
        return false;
    atomic_store(&result, plumb_arg(i, 0));
    publish(SUCCEEDED);
    return true;
}

static void try_set_canceled(plumb_invocation *i)
{
    plumb_return_bool(i, cancel(i));
}

static void try_set_exception(plumb_invocation *i)
{
    plumb_return_bool(i, fail(i));
}

static void try_set_result(plumb_invocation *i)
{
    plumb_return_bool(i, succeed(i));
}

static void set_canceled(plumb_invocation *i)
{
    if (!cancel(i))
        plumb_term(i, "invalid");
}

static void set_exception(plumb_invocation *i)
{
    if (!fail(i))
        plumb_term(i, "invalid");
}

static void set_result(plumb_invocation *i)
{
    if (!succeed(i))
        plumb_term(i, "invalid");
}

/* ---- looking ---- */

static bool has_exception(void)
{
#ifdef FAULT_EARLY_EXCEPTION
    return atomic_load(&kept_exception) != 0;
#else
    return atomic_load(&state) == FAULTED;
#endif
}

static void exception(plumb_invocation *i)
{
    if (has_exception())
        plumb_return(i, atomic_load(&kept_exception));
    else
        plumb_term(i, "none");
}

static void answer(plumb_invocation *i, int what)
{
    if (what == CANCELED)
        plumb_term(i, "canceled");
    else if (what == FAULTED)
        plumb_term(i, "faulted");
    else if (what == SUCCEEDED)
        plumb_return(i, atomic_load(&result));
    else
        plumb_term(i, "none");
}

static void wait(plumb_invocation *i)
{
    if (!is_completed())
        event_wait(&completed);
    answer(i, atomic_load(&state));
}

static void try_result(plumb_invocation *i)
{
    answer(i, atomic_load(&state));
}

#define FRESH                                                                  \
    {                                                                          \
        PLUMB_FRESH                                                            \
    }

PLUMB_OBJECT(.name = "T", .setup = setup, .teardown = teardown,
             .operations = { { "exception", exception },
                             { "try_set_canceled", try_set_canceled },
                             { "try_set_exception", try_set_exception, FRESH },
                             { "try_set_result", try_set_result, FRESH },
                             { "set_canceled", set_canceled },
                             { "set_exception", set_exception, FRESH },
                             { "set_result", set_result, FRESH },
                             { "wait", wait },
                             { "try_result", try_result } });
