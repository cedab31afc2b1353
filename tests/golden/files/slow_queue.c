/* slow_queue.c - a queue in two files, behind a lock. */
#include "slow_queue.h"

#include <plumb/object.h>

static void setup(void)
{
    slow_queue_clear();
}

static void enq(plumb_invocation *i)
{
    slow_queue_put(plumb_arg(i, 0));
}

static void deq(plumb_invocation *i)
{
    int64_t x;
    if (slow_queue_get(&x))
        plumb_return(i, x);
    else
        plumb_term(i, "empty");
}

PLUMB_OBJECT(.name = "Q", .spec = "queue", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
