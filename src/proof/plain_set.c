/* plain_set.c - set.  table: an entry for each value that is present. */
#include "plain.h"

enum { INSERT, DELETE, MEMBER };

static const struct plumb_proof_plain_operation operation[] = {
    { "insert add", INSERT, 1, 1, "ok/1", PLAIN_READS_FALSE,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "delete remove erase", DELETE, 1, 1, "ok/1", PLAIN_READS_FALSE,
      PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "member contains find lookup search has", MEMBER, 1, 1, "ok/1",
      PLAIN_READS, PLAIN_TO_FIRST_ARGUMENT, false, false },
};

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const struct plumb_value x = c->args[0];
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(&s->table, x, PLAIN_ABSENT);
    switch (c->operation->kind) {
    case INSERT:
        if (!e && !plumb_proof_plain_enter(p, &s->table, x, PLAIN_ABSENT))
            return PLAIN_NO_MEMORY;
        return plumb_proof_plain_answer_truth(r, !e);
    case DELETE:
        if (e)
            plumb_proof_plain_erase(p, &s->table, e);
        return plumb_proof_plain_answer_truth(r, e != NULL);
    default:
        return plumb_proof_plain_answer_truth(r, e != NULL);
    }
}

const struct plumb_proof_plain_type plumb_proof_plain_set = {
    .names = "set",
    .parameters = "",
    PLAIN_TABLE(operation),
    .closed = true,
    .by_key = true,
    .perform = perform,
};
