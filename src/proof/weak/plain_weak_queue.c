/* plain_weak_queue.c - queues that answer `empty` and `full` weakly.
 *
 * list: the items, oldest first.  table: open_operations.h.  The slots that are
 * free are taken in the order in which they became free; at first all are free,
 * and nobody freed them. */
#include "open_operations.h"
#include "proof/plain_operations.h"
#include <string.h>

static bool adds(const struct plumb_proof_plain_call *c)
{
    return c->operation->kind == QUEUE_ENQ || c->operation->kind == QUEUE_PUT;
}

static bool removes(const struct plumb_proof_plain_call *c)
{
    return !adds(c) && c->operation->kind != QUEUE_PEEK;
}

static bool waits(const struct plumb_proof_plain *p,
                  const struct plumb_proof_plain_call *c)
{
    const unsigned kind = c->operation->kind;
    return kind == QUEUE_PUT || kind == QUEUE_TAKE ||
           (kind == QUEUE_DEQ && p->with.blocking);
}

/* ---- may it be refused although there is room, or an item? ---- */

static bool may_be_empty(const struct plumb_proof_plain *p,
                         const struct plumb_proof_plain_state *s,
                         unsigned whose)
{
    const struct plumb_proof_plain_entry *const looks =
        plumb_proof_open_find(s, whose, OPEN_LOOKS);
    switch (p->with.weak) {
    case PLAIN_GAP:
        return plumb_proof_open_at(s, OPEN_ADDS, 0);
    case PLAIN_CLAIM:
        return plumb_proof_open_count(s, OPEN_ADDS) == s->list.count;
    case PLAIN_SCAN:
        return looks && looks->value.bits == 0;
    default:
        return false;
    }
}

static bool may_be_full(const struct plumb_proof_plain *p,
                        const struct plumb_proof_plain_state *s)
{
    const uint64_t free = p->with.cap - s->list.count;
    const uint64_t freed = plumb_proof_open_count(s, OPEN_FREED);
    switch (p->with.weak) {
    case PLAIN_GAP:
        return plumb_proof_open_at(s, OPEN_FREED, 0);
    case PLAIN_CLAIM:
        return freed == free;
    default:
        return freed + plumb_proof_open_count(s, OPEN_HOLDS) >= free;
    }
}

/* ---- removals that scan ---- */

static bool looks_in_vain(const struct plumb_proof_plain_state *s,
                          unsigned whose)
{
    const struct plumb_proof_plain_entry *const looks =
        plumb_proof_open_find(s, whose, OPEN_LOOKS);
    return !looks || looks->value.bits == 0;
}

/* Of those that need not account for anything any more, nothing is said. */
static void forget_satisfied(struct plumb_proof_plain *p,
                             struct plumb_proof_plain_state *s)
{
    for (size_t i = s->table.count; i-- > 0;) {
        struct plumb_proof_plain_entry *const e = s->table.entry + i;
        if (e->key[1].bits >= OPEN_REACHES &&
            looks_in_vain(s, (unsigned)e->key[0].bits))
            plumb_proof_plain_erase(p, &s->table, e);
    }
}

/* Was the first item complete when `whose` was called? */
static bool counts_first(const struct plumb_proof_plain_state *s,
                         unsigned whose)
{
    return plumb_proof_open_find(s, whose, OPEN_REACHES) &&
           !plumb_proof_open_find(s, whose, OPEN_SKIPS);
}

/* All that look, or those that count the first item, have one thing less to
 * account for. */
static void relieve(struct plumb_proof_plain *p,
                    struct plumb_proof_plain_state *s, bool all)
{
    for (size_t i = 0; i < s->table.count; i++) {
        struct plumb_proof_plain_entry *const e = s->table.entry + i;
        if (e->key[1].bits == OPEN_LOOKS && e->value.bits &&
            (all || counts_first(s, (unsigned)e->key[0].bits)))
            e->value.bits--;
    }
    forget_satisfied(p, s);
}

/* Items that do not count behind the last one that does need not be named. */
static void trim(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                 unsigned whose)
{
    struct plumb_proof_plain_entry *reaches;
    while ((reaches = plumb_proof_open_find(s, whose, OPEN_REACHES))) {
        const uint64_t last = reaches->value.bits - 1;
        if (!plumb_proof_open_find(s, whose, OPEN_SKIPS + last))
            return;
        reaches->value.bits = last;
        plumb_proof_open_end(p, s, whose, OPEN_SKIPS + last);
    }
}

static bool begin_look(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_state *s, unsigned whose)
{
    const uint64_t complete =
        s->list.count - plumb_proof_open_count(s, OPEN_ADDS);
    const uint64_t others = plumb_proof_open_count(s, OPEN_LOOKS);
    relieve(p, s, true);
    if (!plumb_proof_open_begin(p, s, whose, OPEN_LOOKS,
                                complete > others ? complete - others : 0))
        return false;
    if (complete <= others)
        return true;
    if (!plumb_proof_open_begin(p, s, whose, OPEN_REACHES, s->list.count))
        return false;
    for (uint64_t place = 0; place < s->list.count; place++)
        if (plumb_proof_open_at(s, OPEN_ADDS, place) &&
            !plumb_proof_open_begin(p, s, whose, OPEN_SKIPS + place, 0))
            return false;
    trim(p, s, whose);
    return true;
}

/* Somebody skips the item at `place`: who? */
static bool find_skip(const struct plumb_proof_plain_state *s, uint64_t place,
                      unsigned *whose)
{
    for (size_t i = 0; i < s->table.count; i++) {
        const struct plumb_proof_plain_entry *const e = s->table.entry + i;
        *whose = (unsigned)e->key[0].bits;
        if (e->key[1].bits == OPEN_SKIPS + place)
            return true;
    }
    return false;
}

/* The first item leaves: those behind it move up, in the eyes of all. */
static bool look_on(struct plumb_proof_plain *p,
                    struct plumb_proof_plain_state *s)
{
    unsigned whose;
    relieve(p, s, false);
    plumb_proof_open_move_up(p, s, OPEN_REACHES);
    while (find_skip(s, 0, &whose))
        plumb_proof_open_end(p, s, whose, OPEN_SKIPS);
    for (uint64_t place = 1; place < s->list.count; place++)
        while (find_skip(s, place, &whose)) {
            plumb_proof_open_end(p, s, whose, OPEN_SKIPS + place);
            if (!plumb_proof_open_begin(p, s, whose, OPEN_SKIPS + place - 1, 0))
                return false;
        }
    return true;
}

/* ---- effects ---- */

static bool add_item(struct plumb_proof_plain *p,
                     struct plumb_proof_plain_state *s,
                     const struct plumb_proof_plain_call *c)
{
    const bool ring = p->with.weak == PLAIN_GAP || p->with.weak == PLAIN_CLAIM;
    if (ring)
        plumb_proof_open_move_up(p, s, OPEN_FREED);
    plumb_proof_open_end(p, s, c->whose, OPEN_HOLDS);
    return (p->with.weak == PLAIN_POOL ||
            plumb_proof_open_begin(p, s, c->whose, OPEN_ADDS, s->list.count)) &&
           plumb_proof_plain_push_back(p, &s->list, c->args[0]);
}

static bool remove_item(struct plumb_proof_plain *p,
                        struct plumb_proof_plain_state *s,
                        const struct plumb_proof_plain_call *c,
                        struct plumb_value *v)
{
    const bool ring = p->with.weak == PLAIN_GAP || p->with.weak == PLAIN_CLAIM;
    const uint64_t slot = ring ? p->with.cap - s->list.count : 0;
    if (p->with.weak == PLAIN_SCAN && !look_on(p, s))
        return false;
    plumb_proof_open_move_up(p, s, OPEN_ADDS);
    *v = plumb_proof_plain_pop_front(&s->list);
    return !p->with.has_cap ||
           plumb_proof_open_begin(p, s, c->whose, OPEN_FREED, slot);
}

static enum plumb_proof_plain_result refuse(
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    return plumb_proof_plain_answer(r, adds(c) ? "full" : "empty");
}

/* Was it seen to be refused?  If nothing was seen it may be either. */
static bool is_refused(const struct plumb_proof_plain_call *c)
{
    if (!c->seen)
        return plumb_proof_plain_choose(c, 2) == 1;
    return !plumb_proof_plain_same(c->seen->term, strlen(c->seen->term), "ok",
                                   2);
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const bool limit = adds(c) ? p->with.has_cap && s->list.count >= p->with.cap
                               : s->list.count == 0;
    const bool weakly = adds(c) ? p->with.has_cap && may_be_full(p, s)
                                : removes(c) && may_be_empty(p, s, c->whose);
    const bool holds = plumb_proof_open_find(s, c->whose, OPEN_HOLDS);
    struct plumb_value v;
    if (limit)
        return waits(p, c) || holds ? PLAIN_BLOCKS : refuse(c, r);
    if (weakly && !waits(p, c) && !holds && is_refused(c))
        return refuse(c, r);
    if (adds(c))
        return add_item(p, s, c) ? plumb_proof_plain_answer(r, "ok")
                                 : PLAIN_NO_MEMORY;
    if (!removes(c))
        return plumb_proof_plain_answer_value(
            r, *plumb_proof_plain_at(&s->list, 0));
    return remove_item(p, s, c, &v) ? plumb_proof_plain_answer_value(r, v)
                                    : PLAIN_NO_MEMORY;
}

/* ---- calls and returns ---- */

static bool call(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                 const struct plumb_proof_plain_call *c)
{
    if (adds(c) && p->with.has_cap && !(c->seen && is_refused(c)) &&
        (c->seen || plumb_proof_plain_choose(c, 2) == 1))
        return plumb_proof_open_begin(p, s, c->whose, OPEN_HOLDS, 0);
    return p->with.weak != PLAIN_SCAN || !removes(c) ||
           begin_look(p, s, c->whose);
}

/* The item of an addition is complete from now on; where it is in the middle of
 * what a removal overlooks, it stays so. */
static bool give_back(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_state *s,
                      const struct plumb_proof_plain_call *c)
{
    plumb_proof_open_end(p, s, c->whose, OPEN_ADDS);
    plumb_proof_open_end(p, s, c->whose, OPEN_FREED);
    plumb_proof_open_end(p, s, c->whose, OPEN_HOLDS);
    plumb_proof_open_end(p, s, c->whose, OPEN_LOOKS);
    forget_satisfied(p, s);
    return true;
}

/* Another removal may answer `empty` because this one overlaps it. */
static bool missed(const struct plumb_proof_plain *p,
                   const struct plumb_proof_plain_call *c)
{
    return p->with.weak == PLAIN_SCAN && removes(c);
}

const struct plumb_proof_plain_type plumb_proof_plain_weak_queue = {
    .names = "queue",
    .parameters = "cap blocking weak",
    .operation = plumb_proof_queue_operations,
    .operations = PLAIN_QUEUE_OPERATIONS,
    .closed = true,
    .weak = &plumb_proof_plain_weak_pool_queue,
    .give_back = give_back,
    .settles = true,
    .missed = missed,
    .perform = perform,
};

const struct plumb_proof_plain_type plumb_proof_plain_weak_pool_queue = {
    .names = "queue",
    .parameters = "cap blocking weak",
    .operation = plumb_proof_queue_operations,
    .operations = PLAIN_QUEUE_OPERATIONS,
    .closed = true,
    .call = call,
    .give_back = give_back,
    .settles = true,
    .missed = missed,
    .perform = perform,
};
