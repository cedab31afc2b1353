/* plain_queue.c - queue, semiqueue and stuttering-queue.
 *
 * list: the items, oldest first.
 *
 * Stuttering: number: how often in a row the first item has been left. */
#include "plain_operations.h"
#include "proof/weak/plain_weak_bag.h"

const struct plumb_proof_plain_operation
    plumb_proof_queue_operations[PLAIN_QUEUE_OPERATIONS] = {
        { "enq enqueue offer add send", QUEUE_ENQ, 1, 1, "ok/0 full/0",
          PLAIN_READS_REFUSED, PLAIN_TO_FIRST_ARGUMENT, false, false },
        { "put", QUEUE_PUT, 1, 1, "ok/0 full/0", PLAIN_WRITES,
          PLAIN_TO_FIRST_ARGUMENT, false, false },
        { "deq dequeue remove recv receive", QUEUE_DEQ, 0, 0, "ok/1 empty/0",
          PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
        { "poll try_deq try_dequeue", QUEUE_POLL, 0, 0, "ok/1 empty/0",
          PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
        { "take", QUEUE_TAKE, 0, 0, "ok/1 empty/0", PLAIN_WRITES,
          PLAIN_TO_RESULT, false, false },
        { "peek front head first", QUEUE_PEEK, 0, 0, "ok/1 empty/0",
          PLAIN_READS, PLAIN_TO_RESULT, false, false },
    };

static enum plumb_proof_plain_result enq(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         const struct plumb_proof_plain_call *c,
                                         struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->list.count >= p->with.cap)
        return c->operation->kind == QUEUE_PUT
                   ? PLAIN_BLOCKS
                   : plumb_proof_plain_answer(r, "full");
    if (!plumb_proof_plain_push_back(p, &s->list, c->args[0]))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer(r, "ok");
}

static bool is_partial(const struct plumb_proof_plain *p, unsigned kind)
{
    return kind == QUEUE_TAKE || (kind == QUEUE_DEQ && p->with.blocking);
}

/* ---- first in, first out ---- */

static enum plumb_proof_plain_result deq(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         unsigned kind,
                                         struct plumb_proof_plain_reply *r)
{
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(is_partial(p, kind), r);
    if (kind == QUEUE_PEEK)
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, 0));
    return plumb_proof_plain_answer_value(
        r, plumb_proof_plain_pop_front(&s->list));
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == QUEUE_ENQ || kind == QUEUE_PUT)
        return enq(p, s, c, r);
    return deq(p, s, kind, r);
}

const struct plumb_proof_plain_type plumb_proof_plain_queue = {
    .names = "queue",
    .parameters = "cap blocking k early late segment enq deq empty weak",
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .relaxed = &plumb_proof_relaxed_queue,
    .weak = &plumb_proof_plain_weak_queue,
    .perform = perform,
};

/* ---- stuttering ---- */

static enum plumb_proof_plain_result stutter(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == QUEUE_ENQ || kind == QUEUE_PUT)
        return enq(p, s, c, r);
    const bool may_stay =
        kind != QUEUE_PEEK && s->list.count && s->number < p->with.j;
    if (may_stay && plumb_proof_plain_choose(c, 2) == 1) {
        s->number++;
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, 0));
    }
    if (kind != QUEUE_PEEK && s->list.count)
        s->number = 0;
    return deq(p, s, kind, r);
}

const struct plumb_proof_plain_type plumb_proof_plain_stuttering_queue = {
    .names = "stuttering-queue",
    .parameters = "cap blocking j",
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .perform = stutter,
};

/* ---- any item ----
 *
 * table: how often each item is there; number: how many there are. */

static struct plumb_proof_plain_entry *any_item(
    struct plumb_proof_plain_state *s, const struct plumb_proof_plain_call *c)
{
    struct plumb_proof_plain_entry *e = NULL;
    if (c->seen && c->seen->nres == 1)
        e = plumb_proof_plain_find(&s->table, c->seen->res[0], PLAIN_ABSENT);
    if (e)
        return e;
    return s->table.entry +
           (c->seen ? 0 : plumb_proof_plain_choose(c, s->table.count));
}

static enum plumb_proof_plain_result semi_enq(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->number >= p->with.cap)
        return c->operation->kind == QUEUE_PUT
                   ? PLAIN_BLOCKS
                   : plumb_proof_plain_answer(r, "full");
    if (!plumb_proof_plain_count_up(p, &s->table, c->args[0], PLAIN_ABSENT))
        return PLAIN_NO_MEMORY;
    s->number++;
    return plumb_proof_plain_answer(r, "ok");
}

static enum plumb_proof_plain_result semi(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == QUEUE_ENQ || kind == QUEUE_PUT)
        return semi_enq(p, s, c, r);
    if (!s->number)
        return plumb_proof_plain_nothing_there(is_partial(p, kind), r);
    const struct plumb_value v = any_item(s, c)->key[0];
    if (kind != QUEUE_PEEK) {
        plumb_proof_plain_count_down(p, &s->table, v, PLAIN_ABSENT);
        s->number--;
    }
    return plumb_proof_plain_answer_value(r, v);
}

/* ---- any item, and weak answers ---- */

static enum plumb_proof_bag_deed deed_of(const struct plumb_proof_plain_call *c)
{
    switch (c->operation->kind) {
    case QUEUE_ENQ:
    case QUEUE_PUT:
        return BAG_ADDS;
    case QUEUE_PEEK:
        return BAG_LOOKS;
    default:
        return BAG_REMOVES;
    }
}

static enum plumb_proof_plain_result weak_semi(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    const struct plumb_proof_bag_call b = {
        deed_of(c), kind == QUEUE_PUT || is_partial(p, kind)
    };
    return plumb_proof_bag_perform(p, s, c, b, r);
}

static bool call_semi(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_state *s,
                      const struct plumb_proof_plain_call *c)
{
    return plumb_proof_bag_call(p, s, c, deed_of(c));
}

static bool is_missed(const struct plumb_proof_plain *p,
                      const struct plumb_proof_plain_call *c)
{
    return p->with.weak == PLAIN_SCAN && deed_of(c) == BAG_REMOVES;
}

static const struct plumb_proof_plain_type weak_semiqueue = {
    .names = "semiqueue",
    .parameters = "cap blocking weak",
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .call = call_semi,
    .give_back = plumb_proof_bag_give_back,
    .settles = true,
    .missed = is_missed,
    .perform = weak_semi,
};

const struct plumb_proof_plain_type plumb_proof_plain_semiqueue = {
    .names = "semiqueue",
    .parameters = "cap blocking weak",
    .weak = &weak_semiqueue,
    PLAIN_TABLE(plumb_proof_queue_operations),
    .closed = true,
    .perform = semi,
};
