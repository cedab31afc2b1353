/* max_register.c - a specification of one's own: a register that only grows.
 *
 *     plumb check --spec examples/max_register.c examples/max-register.hist */
#include <plumb/spec.h>

struct cell {
    int64_t max;
};

enum { WRITE, READ };
static const char *const ops[] = { "write/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    struct cell *const c = state;
    if (call->op == READ) {
        plumb_reply_value(reply, plumb_int(c->max));
        return true;
    }
    const int64_t x = (int64_t)call->args[0].bits;
    if (x > c->max)
        c->max = x;
    return true;
}

PLUMB_SPEC(.name = "max-register", .state_size = sizeof(struct cell),
           .ops = ops, .step = step);
