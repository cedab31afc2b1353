/* plain_stack.c - stack.  list: the items, the top one last. */
#include "plain_operations.h"

const struct plumb_proof_plain_operation
    plumb_proof_stack_operations[PLAIN_STACK_OPERATIONS] = {
        { "push add", STACK_PUSH, 1, 1, "ok/0 full/0", PLAIN_READS_REFUSED,
          PLAIN_TO_FIRST_ARGUMENT, false, false },
        { "put", STACK_PUT, 1, 1, "ok/0 full/0", PLAIN_WRITES,
          PLAIN_TO_FIRST_ARGUMENT, false, false },
        { "pop remove", STACK_POP, 0, 0, "ok/1 empty/0", PLAIN_READS_REFUSED,
          PLAIN_TO_RESULT, false, false },
        { "try_pop poll", STACK_TRY_POP, 0, 0, "ok/1 empty/0",
          PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
        { "take", STACK_TAKE, 0, 0, "ok/1 empty/0", PLAIN_WRITES,
          PLAIN_TO_RESULT, false, false },
        { "peek top", STACK_PEEK, 0, 0, "ok/1 empty/0", PLAIN_READS,
          PLAIN_TO_RESULT, false, false },
    };

static enum plumb_proof_plain_result push(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->list.count >= p->with.cap)
        return c->operation->kind == STACK_PUT
                   ? PLAIN_BLOCKS
                   : plumb_proof_plain_answer(r, "full");
    if (!plumb_proof_plain_push_back(p, &s->list, c->args[0]))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer(r, "ok");
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == STACK_PUSH || kind == STACK_PUT)
        return push(p, s, c, r);
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(
            kind == STACK_TAKE || (kind == STACK_POP && p->with.blocking), r);
    if (kind == STACK_PEEK)
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, s->list.count - 1));
    return plumb_proof_plain_answer_value(r,
                                          plumb_proof_plain_pop_back(&s->list));
}

const struct plumb_proof_plain_type plumb_proof_plain_stack = {
    .names = "stack",
    .parameters = "cap blocking k late empty weak",
    .weak = &plumb_proof_plain_weak_stack,
    PLAIN_TABLE(plumb_proof_stack_operations),
    .closed = true,
    .relaxed = &plumb_proof_relaxed_stack,
    .perform = perform,
};
