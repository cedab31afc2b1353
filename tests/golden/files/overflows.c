/* Its state depends on itself: reading overflows the stack. */
#include <plumb/spec.h>

static const char *const ops[] = { "write/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state, (void)reply;
    if (call->op == 1)
        return step(state, call, reply) && step(state, call, reply);
    return true;
}

PLUMB_SPEC(.name = "overflows", .state_size = 1, .ops = ops, .step = step);
