/* busy.c - answers GOOD alone, and BAD while another call is open. */
#include <plumb/object.h>
#include <stdatomic.h>

static atomic_int busy;

static void hit(plumb_invocation *i)
{
    if (atomic_fetch_add(&busy, 1))
        BAD;
    else
        GOOD;
    atomic_fetch_sub(&busy, 1);
}

static void setup(void)
{
    busy = 0;
}

PLUMB_OBJECT(.name = "B", .setup = setup, .operations = { { "hit", hit } });
