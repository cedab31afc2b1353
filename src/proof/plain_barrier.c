/* plain_barrier.c - those who take part wait for each other.
 *
 * number: how many take part.  value: the phase.  list: holds one item if the
 * token is canceled.  table: at which stage each operation under way is. */
#include "plain.h"
#include <string.h>

enum { WAIT, SIGNAL, CANCEL, ADD, REMOVE, COUNT, REMAINING, PHASE };
enum { LOOKED, CANCELED, REFUSED, INVALID, WAITS, MAY_LEAVE };

static const uint8_t steps[] = {
    [WAIT] = 2,   [SIGNAL] = 3, [CANCEL] = 1,    [ADD] = 1,
    [REMOVE] = 1, [COUNT] = 1,  [REMAINING] = 1, [PHASE] = 1,
};

static const struct plumb_proof_plain_operation operations[] = {
    { "wait await arrive_and_wait", WAIT, 0, 0, "ok/0", PLAIN_WRITES,
      PLAIN_TO_NONE, false, false },
    { "signal_and_wait", SIGNAL, 0, 0, "ok/0 canceled/0 invalid/0",
      PLAIN_WRITES, PLAIN_TO_NONE, false, false },
    { "cancel_token cancel", CANCEL, 0, 0, "ok/0", PLAIN_WRITES, PLAIN_TO_NONE,
      false, false },
    { "add_participant", ADD, 0, 0, "ok/1 invalid/0", PLAIN_WRITES,
      PLAIN_TO_NONE, false, false },
    { "remove_participant", REMOVE, 0, 0, "ok/0 invalid/0", PLAIN_WRITES,
      PLAIN_TO_NONE, false, false },
    { "participant_count participants", COUNT, 0, 0, "ok/1", PLAIN_READS,
      PLAIN_TO_NONE, false, false },
    { "participants_remaining", REMAINING, 0, 0, "ok/1", PLAIN_READS,
      PLAIN_TO_NONE, false, false },
    { "current_phase_number current_phase phase", PHASE, 0, 0, "ok/1",
      PLAIN_READS, PLAIN_TO_NONE, false, false },
};

static bool init(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s)
{
    s->number = p->with.has_n ? p->with.n : 2;
    s->value = plumb_int(0);
    return true;
}

static uint64_t count_waiting(const struct plumb_proof_plain_state *s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->table.count; i++)
        n += s->table.entry[i].value.bits == WAITS;
    return n;
}

static void end_phase_if_all_wait(struct plumb_proof_plain_state *s)
{
    if (s->number == 0 || count_waiting(s) != s->number)
        return;
    for (size_t i = 0; i < s->table.count; i++)
        if (s->table.entry[i].value.bits == WAITS)
            s->table.entry[i].value = plumb_int(MAY_LEAVE);
    s->value.bits++;
}

static bool can_answer(const struct plumb_proof_plain_call *c, const char *term)
{
    return !c->seen ||
           plumb_proof_plain_same(c->seen->term, strlen(c->seen->term), term,
                                  strlen(term));
}

static struct plumb_value name_of(const struct plumb_proof_plain_call *c)
{
    return plumb_int(c->thread);
}

static enum plumb_proof_plain_result reach(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, int stage)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_enter(p, &s->table, name_of(c), PLAIN_ABSENT);
    if (!e)
        return PLAIN_NO_MEMORY;
    e->value = plumb_int(stage);
    end_phase_if_all_wait(s);
    return PLAIN_RETURNS;
}

static enum plumb_proof_plain_result look(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c)
{
    if (!s->list.count)
        return reach(p, s, c, LOOKED);
    return can_answer(c, "canceled") ? reach(p, s, c, CANCELED) : PLAIN_BLOCKS;
}

static enum plumb_proof_plain_result arrive(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c)
{
    const struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(&s->table, name_of(c), PLAIN_ABSENT);
    if (c->operation->kind == WAIT)
        return e || !s->number ? PLAIN_BLOCKS : reach(p, s, c, WAITS);
    if (e && e->value.bits == CANCELED)
        return reach(p, s, c, REFUSED);
    if (!e || e->value.bits != LOOKED)
        return PLAIN_BLOCKS;
    if (!s->number)
        return can_answer(c, "invalid") ? reach(p, s, c, INVALID)
                                        : PLAIN_BLOCKS;
    return can_answer(c, "ok") || can_answer(c, "canceled")
               ? reach(p, s, c, WAITS)
               : PLAIN_BLOCKS;
}

static enum plumb_proof_plain_result leave(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(&s->table, name_of(c), PLAIN_ABSENT);
    const bool canceled = s->list.count && c->operation->kind == SIGNAL;
    if (!e || e->value.bits <= CANCELED ||
        (e->value.bits == WAITS && !canceled))
        return PLAIN_BLOCKS;
    const uint64_t stage = e->value.bits;
    plumb_proof_plain_erase(p, &s->table, e);
    return plumb_proof_plain_answer(r, stage == MAY_LEAVE ? "ok"
                                       : stage == INVALID ? "invalid"
                                                          : "canceled");
}

static enum plumb_proof_plain_result answer_number(
    struct plumb_proof_plain_reply *r, uint64_t n)
{
    return plumb_proof_plain_answer_value(r, plumb_int((int64_t)n));
}

static enum plumb_proof_plain_result perform_at_once(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    switch (c->operation->kind) {
    case CANCEL:
        if (!s->list.count &&
            !plumb_proof_plain_push_back(p, &s->list, plumb_nil()))
            return PLAIN_NO_MEMORY;
        return plumb_proof_plain_answer(r, "ok");
    case ADD:
        s->number++;
        return answer_number(r, s->value.bits);
    case REMOVE:
        if (s->number == count_waiting(s))
            return plumb_proof_plain_answer(r, "invalid");
        s->number--;
        end_phase_if_all_wait(s);
        return plumb_proof_plain_answer(r, "ok");
    case COUNT:
        return answer_number(r, s->number);
    case REMAINING:
        return answer_number(r, s->number - count_waiting(s));
    default:
        return answer_number(r, s->value.bits);
    }
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (steps[c->operation->kind] == 1)
        return perform_at_once(p, s, c, r);
    switch (c->more) {
    case 2:
        return look(p, s, c);
    case 1:
        return arrive(p, s, c);
    default:
        return leave(p, s, c, r);
    }
}

const struct plumb_proof_plain_type plumb_proof_plain_barrier = {
    .names = "setlin:barrier",
    .parameters = "n",
    PLAIN_TABLE(operations),
    .looks_at_thread = true,
    .steps = steps,
    .init = init,
    .perform = perform,
};
