/* plain_deque.c - deque.  list: the items, front to back. */
#include "plain.h"

enum { PUSH_FRONT, PUSH_BACK, POP_FRONT, POP_BACK, PEEK_FRONT, PEEK_BACK };

static const struct plumb_proof_plain_operation operation[] = {
    { "push_front push_left add_first offer_first push_top", PUSH_FRONT, 1, 1,
      "ok/0 full/0", PLAIN_READS_REFUSED, PLAIN_TO_FIRST_ARGUMENT, false,
      false },
    { "push_back push_right add_last offer_last push_bottom", PUSH_BACK, 1, 1,
      "ok/0 full/0", PLAIN_READS_REFUSED, PLAIN_TO_FIRST_ARGUMENT, false,
      false },
    { "pop_front pop_left poll_first remove_first steal pop_top", POP_FRONT, 0,
      0, "ok/1 empty/0", PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
    { "pop_back pop_right poll_last remove_last pop_bottom", POP_BACK, 0, 0,
      "ok/1 empty/0", PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
    { "peek_front peek_left peek_first", PEEK_FRONT, 0, 0, "ok/1 empty/0",
      PLAIN_READS, PLAIN_TO_RESULT, false, false },
    { "peek_back peek_right peek_last", PEEK_BACK, 0, 0, "ok/1 empty/0",
      PLAIN_READS, PLAIN_TO_RESULT, false, false },
};

static enum plumb_proof_plain_result push(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->list.count >= p->with.cap)
        return plumb_proof_plain_answer(r, "full");
    const bool pushed =
        c->operation->kind == PUSH_FRONT
            ? plumb_proof_plain_push_front(p, &s->list, c->args[0])
            : plumb_proof_plain_push_back(p, &s->list, c->args[0]);
    return pushed ? plumb_proof_plain_answer(r, "ok") : PLAIN_NO_MEMORY;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    struct plumb_proof_plain_list *const l = &s->list;
    if (kind == PUSH_FRONT || kind == PUSH_BACK)
        return push(p, s, c, r);
    const bool pops = kind == POP_FRONT || kind == POP_BACK;
    if (!l->count)
        return plumb_proof_plain_nothing_there(pops && p->with.blocking, r);
    if (kind == POP_FRONT)
        return plumb_proof_plain_answer_value(r,
                                              plumb_proof_plain_pop_front(l));
    if (kind == POP_BACK)
        return plumb_proof_plain_answer_value(r, plumb_proof_plain_pop_back(l));
    return plumb_proof_plain_answer_value(
        r, *plumb_proof_plain_at(l, kind == PEEK_FRONT ? 0 : l->count - 1));
}

const struct plumb_proof_plain_type plumb_proof_plain_deque = {
    .names = "deque",
    .parameters = "cap blocking",
    PLAIN_TABLE(operation),
    .closed = true,
    .perform = perform,
};
