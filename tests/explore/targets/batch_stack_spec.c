/* A stack that can be emptied at once: what ck_stack_mpmc.c should be. */
#include <plumb/spec.h>

enum { ROOM = PLUMB_MAX_RESULTS };
struct stack {
    int64_t item[ROOM];
    int64_t count;
};

enum { PUSH, POP, POP_ALL };
static const char *const ops[] = { "push/1", "pop/0", "pop_all/0", NULL };

static void pop(struct stack *s, struct plumb_reply *reply)
{
    s->count--;
    plumb_reply_value(reply, plumb_int(s->item[s->count]));
    s->item[s->count] = 0;
}

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    struct stack *const s = state;
    if (call->op == PUSH) {
        if (s->count == ROOM)
            return false;
        s->item[s->count++] = (int64_t)call->args[0].bits;
    } else if (s->count == 0) {
        reply->term = "empty";
    } else {
        do
            pop(s, reply);
        while (call->op == POP_ALL && s->count > 0);
    }
    return true;
}

PLUMB_SPEC(.name = "batch-stack", .state_size = sizeof(struct stack),
           .ops = ops, .step = step);
