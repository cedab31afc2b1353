/* Reading needs more stack than there is. */
#include <plumb/spec.h>
#include <string.h>

static const char *const ops[] = { "write/1", "read/0", NULL };

static unsigned descend(unsigned depth)
{
    volatile char room[4096];
    memset((char *)room, (int)depth, sizeof room);
    return depth ? descend(depth - 1) + (unsigned char)room[depth % 4096] : 0;
}

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state, (void)reply;
    return call->op == 0 || descend(1000000);
}

PLUMB_SPEC(.name = "overflows", .state_size = 1, .ops = ops, .step = step);
