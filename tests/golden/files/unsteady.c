/* A counter outside of the state: the same question has two answers. */
#include <plumb/spec.h>

static const char *const ops[] = { "write/1", "read/0", NULL };
static int asked;

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state;
    if (call->op == 1)
        plumb_reply_value(reply, plumb_int(++asked % 2));
    return true;
}

PLUMB_SPEC(.name = "unsteady", .state_size = 1, .ops = ops, .step = step);
