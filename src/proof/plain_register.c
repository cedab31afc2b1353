/* plain_register.c - register, cas-register.  value: its value. */
#include "plain.h"

enum { WRITE, READ, CAS, SWAP };

static const struct plumb_proof_plain_operation operation[] = {
    { "write store set put", WRITE, 1, 1, "ok/0", PLAIN_WRITES,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "read load get", READ, 0, 0, "ok/1", PLAIN_READS, PLAIN_TO_RESULT, false,
      false },
    { "cas compare_and_set compare_and_swap compare_exchange", CAS, 2, 2,
      "ok/1", PLAIN_READS_FALSE, PLAIN_TO_NONE, true, false },
    { "swap exchange get_and_set", SWAP, 1, 1, "ok/1", PLAIN_WRITES,
      PLAIN_TO_NONE, true, false },
};

static bool init(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s)
{
    s->value = p->with.has_init ? p->with.init : plumb_nil();
    return true;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    (void)p;
    const struct plumb_value old = s->value;
    switch (c->operation->kind) {
    case WRITE:
        s->value = c->args[0];
        return plumb_proof_plain_answer(r, "ok");
    case CAS:
        if (plumb_value_equal(old, c->args[0]))
            s->value = c->args[1];
        return plumb_proof_plain_answer_truth(
            r, plumb_value_equal(old, c->args[0]));
    case SWAP:
        s->value = c->args[0];
        return plumb_proof_plain_answer_value(r, old);
    default:
        return plumb_proof_plain_answer_value(r, old);
    }
}

static bool also_reads(const struct plumb_proof_plain_call *c)
{
    if (c->operation->kind == CAS)
        return plumb_value_equal(c->args[0], c->args[1]);
    return c->operation->kind == SWAP && c->seen && c->seen->nres == 1 &&
           plumb_value_equal(c->args[0], c->seen->res[0]);
}

const struct plumb_proof_plain_type plumb_proof_plain_register = {
    .names = "register cas-register",
    .parameters = "init",
    PLAIN_TABLE(operation),
    .closed = true,
    .init = init,
    .perform = perform,
    .also_reads = also_reads,
};
