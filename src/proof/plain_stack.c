/* plain_stack.c - stack.  list: the items, the top one last. */
#include "plain.h"

enum { PUSH, PUT, POP, TRY_POP, TAKE, PEEK };

static const struct plain_operation operation[] = {
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

static enum plain_result push(struct plain *p, struct plain_state *s,
                              const struct plain_call *c, struct plain_reply *r)
{
    if (p->with.has_cap && s->list.count >= p->with.cap)
        return c->operation->kind == PUT ? PLAIN_BLOCKS
                                         : plain_answer(r, "full");
    if (!plumb_plain_push_back(p, &s->list, c->args[0]))
        return PLAIN_NO_MEMORY;
    return plain_answer(r, "ok");
}

static enum plain_result perform(struct plain *p, struct plain_state *s,
                                 const struct plain_call *c,
                                 struct plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == PUSH || kind == PUT)
        return push(p, s, c, r);
    if (!s->list.count)
        return plain_nothing_there(
            kind == TAKE || (kind == POP && p->with.blocking), r);
    if (kind == PEEK)
        return plain_answer_value(r, *plain_at(&s->list, s->list.count - 1));
    return plain_answer_value(r, plumb_plain_pop_back(&s->list));
}

const struct plain_type plumb_plain_stack = {
    .names = "stack",
    .parameters = "cap blocking",
    PLAIN_TABLE(operation),
    .closed = true,
    .perform = perform,
};
