/* plain_queue.c - queue, its quasi kind, and stuttering-queue.
 *
 * list: the items, oldest first.
 *
 * Quasi (k=K): items that were removed out of order leave a hole (an absent
 * value), and holes before the oldest item present are dropped.  Then numbers
 * need not be kept: let o be the number of the oldest item and `holes` how
 * many there are.  All before o are removed, so t = o - 1 + holes, and for the
 * item v = o + i at place i of the list v - (t+1) = i - holes, and
 * t+1 - o = holes.  number: the holes.
 *
 * Stuttering: number: how often in a row the first item has been left. */
#include "plain.h"

enum { ENQ, PUT, DEQ, POLL, TAKE, PEEK };

static const struct plumb_proof_plain_operation operation[] = {
    { "enq enqueue offer add send", ENQ, 1, 1, "ok/0 full/0",
      PLAIN_READS_REFUSED, PLAIN_TO_FIRST_ARGUMENT, false, false },
    { "put", PUT, 1, 1, "ok/0 full/0", PLAIN_WRITES, PLAIN_TO_FIRST_ARGUMENT,
      false, false },
    { "deq dequeue remove recv receive", DEQ, 0, 0, "ok/1 empty/0",
      PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
    { "poll try_deq try_dequeue", POLL, 0, 0, "ok/1 empty/0",
      PLAIN_READS_REFUSED, PLAIN_TO_RESULT, false, false },
    { "take", TAKE, 0, 0, "ok/1 empty/0", PLAIN_WRITES, PLAIN_TO_RESULT, false,
      false },
    { "peek front head first", PEEK, 0, 0, "ok/1 empty/0", PLAIN_READS,
      PLAIN_TO_RESULT, false, false },
};

static enum plumb_proof_plain_result enq(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         const struct plumb_proof_plain_call *c,
                                         struct plumb_proof_plain_reply *r)
{
    const uint64_t items = s->list.count - (p->with.has_k ? s->number : 0);
    if (p->with.has_cap && items >= p->with.cap)
        return c->operation->kind == PUT ? PLAIN_BLOCKS
                                         : plumb_proof_plain_answer(r, "full");
    if (!plumb_proof_plain_push_back(p, &s->list, c->args[0]))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer(r, "ok");
}

static bool is_partial(const struct plumb_proof_plain *p, unsigned kind)
{
    return kind == TAKE || (kind == DEQ && p->with.blocking);
}

/* ---- first in, first out ---- */

static enum plumb_proof_plain_result deq(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         unsigned kind,
                                         struct plumb_proof_plain_reply *r)
{
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(is_partial(p, kind), r);
    if (kind == PEEK)
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, 0));
    return plumb_proof_plain_answer_value(
        r, plumb_proof_plain_pop_front(&s->list));
}

/* ---- quasi ---- */

/* May the item at place i be removed?  Of equal ones only the oldest. */
static bool is_removable(const struct plumb_proof_plain *p,
                         const struct plumb_proof_plain_state *s, size_t i)
{
    const uint64_t k = p->with.k;
    const struct plumb_value v = *plumb_proof_plain_at(&s->list, i);
    if (plumb_proof_plain_is_absent(v))
        return false;
    for (size_t older = 0; older < i; older++)
        if (plumb_value_equal(*plumb_proof_plain_at(&s->list, older), v))
            return false;
    return (i <= s->number || i - s->number <= k) && (i == 0 || s->number < k);
}

/* Places further back than this are too early, or all are if i > 0. */
static size_t removable_places(const struct plumb_proof_plain *p,
                               const struct plumb_proof_plain_state *s)
{
    const uint64_t room = s->list.count - s->number;
    return p->with.k >= room ? s->list.count
                             : (size_t)(s->number + p->with.k + 1);
}

static size_t choose_place(const struct plumb_proof_plain *p,
                           const struct plumb_proof_plain_state *s,
                           const struct plumb_proof_plain_call *c)
{
    const size_t places = removable_places(p, s);
    size_t ways = 0, place = 0;
    for (size_t i = 0; i < places; i++)
        if (is_removable(p, s, i))
            ways++;
    unsigned left = plumb_proof_plain_choose(c, ways);
    while (!is_removable(p, s, place) || left-- > 0)
        place++;
    return place;
}

/* The place to remove from: the one that was seen, if there is such a one. */
static size_t seen_place(const struct plumb_proof_plain *p,
                         const struct plumb_proof_plain_state *s,
                         const struct plumb_proof_plain_call *c)
{
    const size_t places = removable_places(p, s);
    if (c->seen->nres == 1)
        for (size_t i = 0; i < places; i++)
            if (plumb_value_equal(*plumb_proof_plain_at(&s->list, i),
                                  c->seen->res[0]))
                return is_removable(p, s, i) ? i : 0;
    return 0;
}

static void remove_place(struct plumb_proof_plain_state *s, size_t place)
{
    *plumb_proof_plain_at(&s->list, place) = PLAIN_ABSENT;
    s->number++;
    while (s->list.count &&
           plumb_proof_plain_is_absent(*plumb_proof_plain_at(&s->list, 0))) {
        plumb_proof_plain_pop_front(&s->list);
        s->number--;
    }
}

static enum plumb_proof_plain_result quasi_deq(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (!s->list.count)
        return plumb_proof_plain_nothing_there(
            is_partial(p, c->operation->kind), r);
    const size_t place = c->seen ? seen_place(p, s, c) : choose_place(p, s, c);
    const struct plumb_value v = *plumb_proof_plain_at(&s->list, place);
    if (c->operation->kind != PEEK)
        remove_place(s, place);
    return plumb_proof_plain_answer_value(r, v);
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == ENQ || kind == PUT)
        return enq(p, s, c, r);
    return p->with.has_k ? quasi_deq(p, s, c, r) : deq(p, s, kind, r);
}

const struct plumb_proof_plain_type plumb_proof_plain_queue = {
    .names = "queue",
    .parameters = "cap blocking k",
    PLAIN_TABLE(operation),
    .closed = true,
    .perform = perform,
};

/* ---- stuttering ---- */

static enum plumb_proof_plain_result stutter(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == ENQ || kind == PUT)
        return enq(p, s, c, r);
    const bool may_stay =
        kind != PEEK && s->list.count && s->number < p->with.j;
    if (may_stay && plumb_proof_plain_choose(c, 2) == 1) {
        s->number++;
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, 0));
    }
    if (kind != PEEK && s->list.count)
        s->number = 0;
    return deq(p, s, kind, r);
}

const struct plumb_proof_plain_type plumb_proof_plain_stuttering_queue = {
    .names = "stuttering-queue",
    .parameters = "cap blocking j",
    PLAIN_TABLE(operation),
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
        return c->operation->kind == PUT ? PLAIN_BLOCKS
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
    if (kind == ENQ || kind == PUT)
        return semi_enq(p, s, c, r);
    if (!s->number)
        return plumb_proof_plain_nothing_there(is_partial(p, kind), r);
    const struct plumb_value v = any_item(s, c)->key[0];
    if (kind != PEEK) {
        plumb_proof_plain_count_down(p, &s->table, v, PLAIN_ABSENT);
        s->number--;
    }
    return plumb_proof_plain_answer_value(r, v);
}

const struct plumb_proof_plain_type plumb_proof_plain_semiqueue = {
    .names = "semiqueue",
    .parameters = "cap blocking",
    PLAIN_TABLE(operation),
    .closed = true,
    .perform = semi,
};
