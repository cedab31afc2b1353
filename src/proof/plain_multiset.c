/* plain_multiset.c - multiset and bag.
 *
 * table: how often each value is present, those that are not left out. */
#include "proof/weak/plain_weak_bag.h"

enum { INSERT, DELETE, MEMBER, COUNT, TAKE };

/* A multiset has those before take. */
static const struct plumb_proof_plain_operation operations[] = {
    { "insert add put", INSERT, 1, 1, "ok/0", PLAIN_WRITES,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "delete remove erase", DELETE, 1, 1, "ok/1", PLAIN_READS_FALSE,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "member contains has", MEMBER, 1, 1, "ok/1", PLAIN_READS,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "count", COUNT, 1, 1, "ok/1", PLAIN_READS, PLAIN_TO_FIRST_ARGUMENT, false,
      false },
    { "take get remove_any try_take poll", TAKE, 0, 0, "ok/1 empty/0",
      PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
};

static enum plumb_proof_plain_result take(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (!s->table.count)
        return plumb_proof_plain_nothing_there(p->with.blocking, r);
    const struct plumb_proof_plain_entry *e = NULL;
    if (c->seen && c->seen->nres == 1)
        e = plumb_proof_plain_find(&s->table, c->seen->res[0], PLAIN_ABSENT);
    if (!e)
        e = s->table.entry +
            (c->seen ? 0 : plumb_proof_plain_choose(c, s->table.count));
    plumb_proof_plain_answer_value(r, e->key[0]);
    plumb_proof_plain_count_down(p, &s->table, e->key[0], PLAIN_ABSENT);
    return PLAIN_RETURNS;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (c->operation->kind == TAKE)
        return take(p, s, c, r);
    const struct plumb_value x = c->args[0];
    const uint64_t count = plumb_proof_plain_count(&s->table, x, PLAIN_ABSENT);
    switch (c->operation->kind) {
    case INSERT:
        if (!plumb_proof_plain_count_up(p, &s->table, x, PLAIN_ABSENT))
            return PLAIN_NO_MEMORY;
        return plumb_proof_plain_answer(r, "ok");
    case DELETE:
        if (count)
            plumb_proof_plain_count_down(p, &s->table, x, PLAIN_ABSENT);
        return plumb_proof_plain_answer_truth(r, count > 0);
    case MEMBER:
        return plumb_proof_plain_answer_truth(r, count > 0);
    default:
        return plumb_proof_plain_answer_value(r, plumb_int((int64_t)count));
    }
}

const struct plumb_proof_plain_type plumb_proof_plain_multiset = {
    .names = "multiset",
    .parameters = "",
    .operation = operations,
    .operations = TAKE,
    .closed = true,
    .by_key = true,
    .perform = perform,
};

/* ---- a bag with weak answers ---- */

static enum plumb_proof_plain_result perform_weak(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    static const enum plumb_proof_bag_deed deed[] = {
        [INSERT] = BAG_ADDS, [DELETE] = BAG_DELETES, [TAKE] = BAG_REMOVES
    };
    const unsigned kind = c->operation->kind;
    const uint64_t count = c->nargs ? plumb_proof_bag_count(s, c->args[0]) : 0;
    if (kind == MEMBER)
        return plumb_proof_plain_answer_truth(r, count > 0);
    if (kind == COUNT)
        return plumb_proof_plain_answer_value(r, plumb_int((int64_t)count));
    return plumb_proof_bag_perform(
        p, s, c,
        (struct plumb_proof_bag_call){ deed[kind],
                                       kind == TAKE && p->with.blocking },
        r);
}

static bool call_weak(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_state *s,
                      const struct plumb_proof_plain_call *c)
{
    return plumb_proof_bag_call(
        p, s, c, c->operation->kind == TAKE ? BAG_REMOVES : BAG_LOOKS);
}

static bool is_missed(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_call *c)
{
    (void)p;
    return c->operation->kind == TAKE;
}

static const struct plumb_proof_plain_type weak_bag = {
    .names = "bag",
    .parameters = "blocking weak",
    PLAIN_TABLE(operations),
    .closed = true,
    .call = call_weak,
    .give_back = plumb_proof_bag_give_back,
    .settles = true,
    .missed = is_missed,
    .perform = perform_weak,
};

const struct plumb_proof_plain_type plumb_proof_plain_bag = {
    .names = "bag",
    .parameters = "blocking weak",
    PLAIN_TABLE(operations),
    .closed = true,
    .weak = &weak_bag,
    .perform = perform,
};
