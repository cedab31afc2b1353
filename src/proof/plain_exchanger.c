/* plain_exchanger.c - two that meet swap what they bring.
 *
 * value: what is offered, or absent.  number: by which operation.  list: what
 * the offer is to bring, if that is known: an item, or absent for nothing.
 * table: what each operation got that has not left yet. */
#include "plain.h"

enum { EXCHANGE, TRY };

static const uint8_t steps[] = { [EXCHANGE] = 2, [TRY] = 2 };

static const struct plumb_proof_plain_operation operations[] = {
    { "exchange", EXCHANGE, 1, 1, "ok/1", PLAIN_WRITES, PLAIN_TO_SMALLER, false,
      false },
    { "try_exchange timed_exchange visit", TRY, 1, 1, "ok/1 timeout/0",
      PLAIN_WRITES, PLAIN_TO_SMALLER, false, false },
};

static void offer_nothing(struct plumb_proof_plain_state *s)
{
    s->value = PLAIN_ABSENT;
    s->number = 0;
    while (s->list.count)
        plumb_proof_plain_pop_back(&s->list);
}

static bool init(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s)
{
    (void)p;
    offer_nothing(s);
    return true;
}

/* Could the operation have answered `v`? */
static bool can_answer(const struct plumb_proof_plain_call *c,
                       struct plumb_value v)
{
    return !c->seen ||
           (c->seen->nres == 1 && plumb_value_equal(c->seen->res[0], v));
}

static bool get(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                unsigned who, struct plumb_value v)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_enter(p, &s->table, plumb_int(who), PLAIN_ABSENT);
    if (e)
        e->value = v;
    return e;
}

static enum plumb_proof_plain_result offer(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c)
{
    s->value = c->args[0];
    s->number = c->thread;
    if (c->seen && !plumb_proof_plain_push_back(p, &s->list,
                                                c->seen->nres ? c->seen->res[0]
                                                              : PLAIN_ABSENT))
        return PLAIN_NO_MEMORY;
    return PLAIN_RETURNS;
}

static enum plumb_proof_plain_result arrive(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c)
{
    const struct plumb_value theirs = s->value, mine = c->args[0];
    if (plumb_proof_plain_is_absent(theirs))
        return offer(p, s, c);
    if (!can_answer(c, theirs) ||
        (s->list.count &&
         !plumb_value_equal(*plumb_proof_plain_at(&s->list, 0), mine)))
        return PLAIN_BLOCKS;
    if (!get(p, s, (unsigned)s->number, mine) || !get(p, s, c->thread, theirs))
        return PLAIN_NO_MEMORY;
    offer_nothing(s);
    return PLAIN_RETURNS;
}

static enum plumb_proof_plain_result leave(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(&s->table, plumb_int(c->thread), PLAIN_ABSENT);
    if (e) {
        plumb_proof_plain_answer_value(r, e->value);
        plumb_proof_plain_erase(p, &s->table, e);
        return PLAIN_RETURNS;
    }
    if (c->operation->kind == EXCHANGE ||
        plumb_proof_plain_is_absent(s->value) || s->number != c->thread)
        return PLAIN_BLOCKS;
    offer_nothing(s);
    return plumb_proof_plain_answer(r, "timeout");
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    return c->more ? arrive(p, s, c) : leave(p, s, c, r);
}

const struct plumb_proof_plain_type plumb_proof_plain_exchanger = {
    .names = "setlin:exchanger",
    .parameters = "",
    PLAIN_TABLE(operations),
    .closed = true,
    .looks_at_thread = true,
    .steps = steps,
    .init = init,
    .perform = perform,
};
