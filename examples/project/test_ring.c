/* test_ring.c - what the operations of ring.c are, for plumb explore. */
#include "ring.h"
#include <plumb/object.h>

static void enq(plumb_invocation *i)
{
    if (!ring_put(plumb_arg(i, 0)))
        plumb_term(i, "full");
}

static void deq(plumb_invocation *i)
{
    int64_t x;
    if (ring_take(&x))
        plumb_return(i, x);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "ring", .spec = "queue:cap=4", .setup = ring_clear,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
