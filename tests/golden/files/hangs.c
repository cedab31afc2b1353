/* Reading never returns; writing does. */
#include <plumb/spec.h>

static const char *const ops[] = { "write/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state, (void)reply;
    if (call->op == 1)
        for (volatile bool go_on = true; go_on;)
            ;
    return true;
}

PLUMB_SPEC(.name = "hangs", .state_size = 1, .ops = ops, .step = step);
