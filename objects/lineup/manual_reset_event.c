/* manual_reset_event.c - an event that stays set until it is reset.
 *
 * ManualResetEventSlim of .NET 4.0, a subject of Line-Up (Burckhardt et al.,
 * PLDI 2010, table 1).  event.h has the algorithm, why it is right, and
 * FAULT_SECOND_READ.
 *
 * The fault is documented: section 5.2.1 of the paper prints the lines, and
 * figure 9 the test.  The lines around them are made again from the layout of
 * the class as it was shipped. */
#include "event.h"

static struct event event;

static void setup(void)
{
    event_init(&event);
}

static void teardown(void)
{
    event_release(&event);
}

static void set(plumb_invocation *i)
{
    (void)i;
    event_set(&event);
}

static void wait(plumb_invocation *i)
{
    (void)i;
    event_wait(&event);
}

static void reset(plumb_invocation *i)
{
    (void)i;
    event_reset(&event);
}

static void is_set(plumb_invocation *i)
{
    plumb_return_bool(i, event_is_set(&event));
}

static void wait_one(plumb_invocation *i)
{
    (void)i;
    event_wait_one(&event);
}

PLUMB_OBJECT(.name = "E", .setup = setup, .teardown = teardown,
             .operations = { { "set", set },
                             { "wait", wait },
                             { "reset", reset },
                             { "is_set", is_set },
                             { "wait_one", wait_one } });
