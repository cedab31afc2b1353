/* A register that only rises: what object_high_water.c should be. */
#include <plumb/spec.h>

struct mark {
    int64_t highest;
};

enum { RAISE, READ };
static const char *const ops[] = { "raise/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    struct mark *const m = state;
    const int64_t x = call->op == RAISE ? (int64_t)call->args[0].bits : 0;
    if (call->op == READ)
        plumb_reply_value(reply, plumb_int(m->highest));
    else if (x > m->highest)
        m->highest = x;
    return true;
}

PLUMB_SPEC(.name = "high-water", .state_size = sizeof(struct mark), .ops = ops,
           .step = step);
