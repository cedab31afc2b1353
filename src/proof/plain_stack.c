/* plain_stack.c - stack.  list: the items, the top one last. */
#include "plain.h"

enum { PUSH, PUT, POP, TRY_POP, TAKE, PEEK };

static const struct plumb_proof_plain_operation operation[] = {
    { "push add", PUSH, 1, 1, "ok/0 full/0", PLAIN_READS_REFUSED,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "put", PUT, 1, 1, "ok/0 full/0", PLAIN_WRITES, PLAIN_TO_FIRST_ARGUMENT,
      false, false },
    { "pop remove", POP, 0, 0, "ok/1 empty/0", PLAIN_READS_REFUSED,
      PLAIN_TO_RESULT, false, false },
    { "try_pop poll", TRY_POP, 0, 0, "ok/1 empty/0", PLAIN_READS_REFUSED,
      PLAIN_TO_RESULT, false, false },
    { "take", TAKE, 0, 0, "ok/1 empty/0", PLAIN_WRITES, PLAIN_TO_RESULT, false,
      false },
    { "peek top", PEEK, 0, 0, "ok/1 empty/0", PLAIN_READS, PLAIN_TO_RESULT,
      false, false },
};

static enum plumb_proof_plain_result push(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->list.count >= p->with.cap)
        return c->operation->kind == PUT ? PLAIN_BLOCKS
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
    if (kind == PUSH || kind == PUT)
        return push(p, s, c, r);
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(
            kind == TAKE || (kind == POP && p->with.blocking), r);
    if (kind == PEEK)
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, s->list.count - 1));
    return plumb_proof_plain_answer_value(r,
                                          plumb_proof_plain_pop_back(&s->list));
}

const struct plumb_proof_plain_type plumb_proof_plain_stack = {
    .names = "stack",
    .parameters = "cap blocking",
    PLAIN_TABLE(operation),
    .closed = true,
    .perform = perform,
};
