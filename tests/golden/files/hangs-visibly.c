/* Reading never returns, and leaves a file that says so. */
#include <plumb/spec.h>
#include <stdio.h>

static const char *const ops[] = { "write/1", "read/0", NULL };

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    (void)state, (void)reply;
    if (call->op == 1) {
        fclose(fopen("in-step", "w"));
        for (volatile bool go_on = true; go_on;)
            ;
    }
    return true;
}

PLUMB_SPEC(.name = "hangs", .state_size = 1, .ops = ops, .step = step);
