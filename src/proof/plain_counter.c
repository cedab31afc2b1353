/* plain_counter.c - counter.  number: its value, modulo 2^64. */
#include "plain.h"

enum { INC, DEC, ADD, GET, FETCH_INC, FETCH_ADD };

static const struct plumb_proof_plain_operation operation[] = {
    { "inc increment", INC, 0, 0, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE, false,
      false },
    { "dec decrement", DEC, 0, 0, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE, false,
      false },
    { "add", ADD, 1, 1, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE, false, true },
    { "get read value load", GET, 0, 0, "ok/1", PLAIN_READS, PLAIN_TO_NONE,
      false, false },
    { "fetch_inc get_and_increment fetch_and_increment", FETCH_INC, 0, 0,
      "ok/1", PLAIN_WRITES, PLAIN_TO_NONE, false, false },
    { "fetch_add get_and_add fetch_and_add", FETCH_ADD, 1, 1, "ok/1",
      PLAIN_WRITES, PLAIN_TO_NONE, false, true },
};

static bool init(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s)
{
    s->number = p->with.has_init ? p->with.init.bits : 0;
    return true;
}

static uint64_t change(const struct plumb_proof_plain_call *c)
{
    switch (c->operation->kind) {
    case INC:
    case FETCH_INC:
        return 1;
    case DEC:
        return UINT64_MAX;
    case ADD:
    case FETCH_ADD:
        return c->args[0].bits;
    default:
        return 0;
    }
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    (void)p;
    const unsigned kind = c->operation->kind;
    const uint64_t old = s->number;
    s->number += change(c);
    if (kind == INC || kind == DEC || kind == ADD)
        return plumb_proof_plain_answer(r, "ok");
    return plumb_proof_plain_answer_value(r, plumb_int((int64_t)old));
}

static bool also_reads(const struct plumb_proof_plain_call *c)
{
    return change(c) == 0;
}

const struct plumb_proof_plain_type plumb_proof_plain_counter = {
    .names = "counter",
    .parameters = "init",
    PLAIN_TABLE(operation),
    .closed = false,
    .init = init,
    .perform = perform,
    .also_reads = also_reads,
};
