/* It chooses, and says the same whenever it gets the same choice. */
#include <plumb/spec.h>

static const char *const ops[] = { "write/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    signed char *const most = state;
    if (call->op == 0)
        *most = (signed char)plumb_call_choose(call, 10);
    else
        plumb_reply_value(reply, plumb_int(*most));
    return true;
}

PLUMB_SPEC(.name = "choosy", .state_size = 1, .ops = ops, .step = step);
