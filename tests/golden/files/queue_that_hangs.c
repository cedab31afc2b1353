/* A queue whose deq() never returns. */
#include <plumb/spec.h>

static const char *const ops[] = { "enq/1", "deq/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state, (void)reply;
    if (call->op == 1)
        for (volatile bool go_on = true; go_on;)
            ;
    return true;
}

PLUMB_SPEC(.name = "queue-that-hangs", .state_size = 1, .ops = ops,
           .step = step);
