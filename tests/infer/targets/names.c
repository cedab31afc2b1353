/* names.c - operations whose names mean something in XML. */
#include <plumb/object.h>
#include <stdatomic.h>

static atomic_int count;

static void inc(plumb_invocation *i)
{
    plumb_return(i, atomic_fetch_add(&count, 1));
}

/* In two steps. */
static void dec(plumb_invocation *i)
{
    const int before = count;
    count = before - 1;
    plumb_return(i, before);
}

PLUMB_OBJECT(.name = "N", .operations = { { "a<b", inc }, { "x&y-->é", dec } });
