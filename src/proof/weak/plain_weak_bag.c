/* plain_weak_bag.c - see plain_weak_bag.h. */
#include "plain_weak_bag.h"

#include <string.h>

static struct plumb_value whose(const struct plumb_proof_plain_call *c)
{
    return plumb_int((int64_t)c->whose);
}

static struct plumb_value place(size_t i)
{
    return plumb_int((int64_t)i);
}

/* Is it an entry of items, complete or not? */
static bool is_item(const struct plumb_proof_plain_entry *e)
{
    return e->key[1].tag == PLUMB_INT || e->key[1].tag == PLUMB_STR;
}

static bool is_complete(const struct plumb_proof_plain_entry *e)
{
    return e->key[1].tag == PLUMB_INT;
}

uint64_t plumb_proof_bag_count(const struct plumb_proof_plain_state *s,
                               struct plumb_value v)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->table.count; i++) {
        const struct plumb_proof_plain_entry *const e = s->table.entry + i;
        if (is_item(e) && plumb_value_equal(e->key[0], v))
            count += is_complete(e) ? e->value.bits : 1;
    }
    return count;
}

static uint64_t count_entries(const struct plumb_proof_plain_state *s,
                              struct plumb_value second)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->table.count; i++)
        count += plumb_value_equal(s->table.entry[i].key[1], second);
    return count;
}

static uint64_t count_incomplete(const struct plumb_proof_plain_state *s)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->table.count; i++)
        count += s->table.entry[i].key[1].tag == PLUMB_STR;
    return count;
}

static void forget(struct plumb_proof_plain *p,
                   struct plumb_proof_plain_state *s, struct plumb_value first,
                   struct plumb_value second)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(&s->table, first, second);
    if (e)
        plumb_proof_plain_erase(p, &s->table, e);
}

/* Set an entry to a number; false when memory is used up. */
static bool note(struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
                 struct plumb_value first, struct plumb_value second,
                 uint64_t number)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_enter(p, &s->table, first, second);
    if (e)
        e->value = plumb_int((int64_t)number);
    return e;
}

/* ---- the list of removals that look ---- */

/* Items that count from place `from` on count from the one before it. */
static bool move_items(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_state *s, size_t from)
{
    for (size_t i = 0; i < s->table.count; i++) {
        const struct plumb_proof_plain_entry e = s->table.entry[i];
        if (!is_complete(&e) || e.key[1].bits != from)
            continue;
        const uint64_t there =
            plumb_proof_plain_count(&s->table, e.key[0], place(from - 1));
        plumb_proof_plain_erase(p, &s->table, s->table.entry + i);
        if (!note(p, s, e.key[0], place(from - 1), there + e.value.bits))
            return false;
        i = (size_t)-1;
    }
    return true;
}

static bool leave_list(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_state *s, size_t at)
{
    for (size_t from = at + 1; from <= s->list.count; from++)
        if (!move_items(p, s, from))
            return false;
    for (size_t i = at; i + 1 < s->list.count; i++)
        *plumb_proof_plain_at(&s->list, i) =
            *plumb_proof_plain_at(&s->list, i + 1);
    plumb_proof_plain_pop_back(&s->list);
    return true;
}

/* Those from place `from` on have one thing less to account for. */
static bool relieve(struct plumb_proof_plain *p,
                    struct plumb_proof_plain_state *s, size_t from)
{
    for (size_t i = s->list.count; i-- > from;) {
        struct plumb_proof_plain_entry *const e = plumb_proof_plain_find(
            &s->table, *plumb_proof_plain_at(&s->list, i), plumb_nil());
        if (--e->value.bits == 0 && !leave_list(p, s, i))
            return false;
    }
    return true;
}

static bool begin_look(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_state *s,
                       const struct plumb_proof_plain_call *c)
{
    const uint64_t complete = s->number - count_incomplete(s);
    const uint64_t others = count_entries(s, plumb_nil());
    if (!relieve(p, s, 0))
        return false;
    if (complete <= others)
        return note(p, s, whose(c), plumb_nil(), 0);
    return note(p, s, whose(c), plumb_nil(), complete - others) &&
           plumb_proof_plain_push_back(p, &s->list, whose(c));
}

/* ---- what operations do ---- */

static bool was_refused(const struct plumb_proof_plain_call *c)
{
    return !plumb_proof_plain_same(c->seen->term, strlen(c->seen->term), "ok",
                                   2);
}

/* It may be refused and it may not be: which? */
static bool is_refused(const struct plumb_proof_plain_call *c)
{
    return c->seen ? was_refused(c) : plumb_proof_plain_choose(c, 2) == 1;
}

static enum plumb_proof_plain_result add(struct plumb_proof_plain *p,
                                         struct plumb_proof_plain_state *s,
                                         const struct plumb_proof_plain_call *c,
                                         bool waits,
                                         struct plumb_proof_plain_reply *r)
{
    const bool holds =
        plumb_proof_plain_find(&s->table, whose(c), plumb_bool(true));
    const uint64_t held = count_entries(s, plumb_bool(true)) +
                          count_entries(s, plumb_bool(false));
    const bool limit = p->with.has_cap && s->number >= p->with.cap;
    const bool full =
        p->with.has_cap && s->number + held >= p->with.cap && !holds && !waits;
    if (limit && !full)
        return PLAIN_BLOCKS;
    if (full && (limit || is_refused(c)))
        return plumb_proof_plain_answer(r, "full");
    forget(p, s, whose(c), plumb_bool(true));
    s->number++;
    const bool done =
        p->with.weak == PLAIN_POOL
            ? note(p, s, c->args[0], place(0),
                   plumb_proof_plain_count(&s->table, c->args[0], place(0)) + 1)
            : note(p, s, c->args[0], plumb_str(c->whose), 1);
    return done ? plumb_proof_plain_answer(r, "ok") : PLAIN_NO_MEMORY;
}

static bool may_leave(const struct plumb_proof_plain_entry *e,
                      const struct plumb_value *wanted)
{
    return is_item(e) && (!wanted || plumb_value_equal(e->key[0], *wanted));
}

/* One of the entries with items; of those that were asked for, if there are. */
static struct plumb_proof_plain_entry *choose_item(
    struct plumb_proof_plain_state *s, const struct plumb_proof_plain_call *c,
    const struct plumb_value *wanted)
{
    size_t ways = 0;
    for (size_t i = 0; i < s->table.count; i++)
        ways += may_leave(s->table.entry + i, wanted);
    if (ways == 0)
        return NULL;
    unsigned left = plumb_proof_plain_choose(c, ways);
    struct plumb_proof_plain_entry *e = s->table.entry;
    while (!may_leave(e, wanted) || left-- > 0)
        e++;
    return e;
}

/* One of its items leaves. */
static bool take_out(struct plumb_proof_plain *p,
                     struct plumb_proof_plain_state *s,
                     struct plumb_proof_plain_entry *e)
{
    const bool complete = is_complete(e);
    const size_t from = (size_t)e->key[1].bits;
    s->number--;
    if (!complete || --e->value.bits == 0)
        plumb_proof_plain_erase(p, &s->table, e);
    return !complete || relieve(p, s, from);
}

static enum plumb_proof_plain_result remove_item(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, bool waits,
    struct plumb_proof_plain_reply *r)
{
    const struct plumb_proof_plain_entry *const looks =
        plumb_proof_plain_find(&s->table, whose(c), plumb_nil());
    const bool overlooks =
        p->with.weak == PLAIN_SCAN && looks && looks->value.bits == 0;
    if (!s->number)
        return plumb_proof_plain_nothing_there(waits, r);
    if (overlooks && !waits && is_refused(c))
        return plumb_proof_plain_answer(r, "empty");
    const struct plumb_value *const wanted =
        c->seen && c->seen->nres == 1 ? c->seen->res : NULL;
    struct plumb_proof_plain_entry *e = choose_item(s, c, wanted);
    if (!e)
        e = choose_item(s, c, NULL); /* another one than was seen */
    const struct plumb_value v = e->key[0];
    if (!take_out(p, s, e) ||
        (p->with.has_cap && !note(p, s, whose(c), plumb_bool(false), 0)))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer_value(r, v);
}

static enum plumb_proof_plain_result delete_item(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    struct plumb_proof_plain_entry *const e = choose_item(s, c, c->args);
    if (e && !take_out(p, s, e))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer_truth(r, e);
}

enum plumb_proof_plain_result plumb_proof_bag_perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_bag_call b,
    struct plumb_proof_plain_reply *r)
{
    switch (b.deed) {
    case BAG_ADDS:
        return add(p, s, c, b.waits, r);
    case BAG_REMOVES:
        return remove_item(p, s, c, b.waits, r);
    case BAG_DELETES:
        return delete_item(p, s, c, r);
    default:
        if (!s->number)
            return plumb_proof_plain_nothing_there(b.waits, r);
        const struct plumb_value *const wanted =
            c->seen && c->seen->nres == 1 ? c->seen->res : NULL;
        const struct plumb_proof_plain_entry *e = choose_item(s, c, wanted);
        if (!e)
            e = choose_item(s, c, NULL);
        return plumb_proof_plain_answer_value(r, e->key[0]);
    }
}

/* ---- calls and returns ---- */

bool plumb_proof_bag_call(struct plumb_proof_plain *p,
                          struct plumb_proof_plain_state *s,
                          const struct plumb_proof_plain_call *c,
                          enum plumb_proof_bag_deed deed)
{
    if (deed == BAG_ADDS && p->with.has_cap &&
        (c->seen ? !was_refused(c) : plumb_proof_plain_choose(c, 2) == 1))
        return note(p, s, whose(c), plumb_bool(true), 0);
    return p->with.weak != PLAIN_SCAN || deed != BAG_REMOVES ||
           begin_look(p, s, c);
}

/* The item that it added is complete: it counts for those that are called from
 * now on. */
static bool complete(struct plumb_proof_plain *p,
                     struct plumb_proof_plain_state *s,
                     const struct plumb_proof_plain_call *c)
{
    if (c->nargs == 0 ||
        !plumb_proof_plain_find(&s->table, c->args[0], plumb_str(c->whose)))
        return true;
    forget(p, s, c->args[0], plumb_str(c->whose));
    return plumb_proof_plain_count_up(p, &s->table, c->args[0],
                                      place(s->list.count));
}

bool plumb_proof_bag_give_back(struct plumb_proof_plain *p,
                               struct plumb_proof_plain_state *s,
                               const struct plumb_proof_plain_call *c)
{
    bool done = complete(p, s, c);
    forget(p, s, whose(c), plumb_bool(true));
    forget(p, s, whose(c), plumb_bool(false));
    forget(p, s, whose(c), plumb_nil());
    for (size_t i = s->list.count; i-- > 0;)
        if (plumb_value_equal(*plumb_proof_plain_at(&s->list, i), whose(c)))
            done = done && leave_list(p, s, i);
    return done;
}
