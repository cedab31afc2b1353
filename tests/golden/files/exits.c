/* Reading ends the process. */
#include <plumb/spec.h>
#include <stdlib.h>

static const char *const ops[] = { "write/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state, (void)reply;
    if (call->op == 1)
        exit(0);
    return true;
}

PLUMB_SPEC(.name = "exits", .state_size = 1, .ops = ops, .step = step);
