/* plain_run.c - performing operations: one way, every way, on sets of states.
 *
 * All outcomes are found by performing the operation again and again, with
 * other answers to `choose` each time.  The answers count like an odometer:
 * the last digit that is not at its end goes up, those behind it are dropped
 * and start at 0 when they are asked for again.
 *
 * The state before the operation is copied only when the first choice with
 * two answers or more is asked for, so what is deterministic runs in place. */
#include "plain.h"

#include "base/memory.h"
#include <stdlib.h>

enum { POLL_EVERY = 1000 };

struct plumb_proof_plain_state *plumb_proof_plain_initial(
    struct plumb_proof_plain *p)
{
    struct plumb_proof_plain_state *const s = plumb_proof_plain_state_new(p);
    if (!s || !p->type->init || p->type->init(p, s))
        return s;
    plumb_proof_plain_state_free(p, s);
    return NULL;
}

enum plumb_proof_plain_result plumb_proof_plain_perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    *r = (struct plumb_proof_plain_reply){ .term = NULL };
    p->work++;
    switch (c->moment) {
    case PLAIN_CALL:
        return p->type->call(p, s, c) ? PLAIN_RETURNS : PLAIN_NO_MEMORY;
    case PLAIN_RETURN:
        return p->type->give_back(p, s, c) ? PLAIN_RETURNS : PLAIN_NO_MEMORY;
    default:
        return p->type->perform(p, s, c, r);
    }
}

/* ---- every way ---- */

struct digit {
    unsigned value, base;
};

struct odometer {
    struct plumb_proof_plain *p;
    struct plumb_proof_plain_state
        *now; /* being changed                         */
    struct plumb_proof_plain_state
        *before; /* a copy; NULL while there is one way   */
    struct digit *digit;
    size_t digits, at, capacity;
    bool broken; /* memory is used up */
};

static unsigned next_digit(void *chooser, unsigned n)
{
    struct odometer *const o = chooser;
    if (o->at < o->digits)
        return o->digit[o->at++].value;
    if (n < 2)
        return 0;
    if (!o->before)
        o->before = plumb_proof_plain_state_copy(o->p, o->now);
    const bool grown =
        PLUMB_GROW(o->p->budget, o->digit, o->capacity, o->digits + 1);
    if (!o->before || !grown) {
        o->broken = true;
        return 0;
    }
    o->digit[o->digits++] = (struct digit){ 0, n };
    o->at++;
    return 0;
}

/* False: every way has been tried. */
static bool advance(struct odometer *o)
{
    while (o->digits &&
           o->digit[o->digits - 1].value + 1 == o->digit[o->digits - 1].base)
        o->digits--;
    o->at = 0;
    if (!o->digits)
        return false;
    o->digit[o->digits - 1].value++;
    return true;
}

static enum plumb_status poll(struct plumb_proof_plain *p)
{
    if (p->work < POLL_EVERY)
        return PLUMB_OK;
    p->spent += p->work;
    p->work = 0;
    if (p->limit && p->spent > p->limit)
        return PLUMB_END;
    return plumb_budget_state(p->budget);
}

/* What becomes of an outcome: takes over the state; false when memory is used
 * up. */
typedef bool keep_outcome(struct plumb_proof_plain *p, void *context,
                          struct plumb_proof_plain_state *s,
                          const struct plumb_proof_plain_reply *r);

static enum plumb_status one_way(struct odometer *o,
                                 struct plumb_proof_plain_call *c,
                                 keep_outcome *keep, void *context)
{
    struct plumb_proof_plain_reply r;
    const enum plumb_proof_plain_result result =
        plumb_proof_plain_perform(o->p, o->now, c, &r);
    if (o->broken || result == PLAIN_NO_MEMORY)
        return PLUMB_EMEMORY;
    if (result == PLAIN_BLOCKS)
        return poll(o->p);
    struct plumb_proof_plain_state *const s = o->now;
    o->now = NULL;
    return keep(o->p, context, s, &r) ? poll(o->p) : PLUMB_EMEMORY;
}

/* Takes over the state `s`. */
static enum plumb_status every_way(struct plumb_proof_plain *p,
                                   struct plumb_proof_plain_state *s,
                                   const struct plumb_proof_plain_call *call,
                                   keep_outcome *keep, void *context)
{
    struct odometer o = { .p = p, .now = s };
    struct plumb_proof_plain_call c = *call;
    c.choose = next_digit;
    c.chooser = &o;
    enum plumb_status status = PLUMB_OK;
    if (p->type->changes_first)
        o.before = plumb_proof_plain_state_copy(p, s);
    if (p->type->changes_first && !o.before)
        status = PLUMB_EMEMORY;
    while (status == PLUMB_OK) {
        status = one_way(&o, &c, keep, context);
        if (status != PLUMB_OK || !advance(&o))
            break;
        plumb_proof_plain_state_free(p, o.now);
        o.now = plumb_proof_plain_state_copy(p, o.before);
        if (!o.now)
            status = PLUMB_EMEMORY;
    }
    plumb_proof_plain_state_free(p, o.now);
    plumb_proof_plain_state_free(p, o.before);
    PLUMB_RELEASE(p->budget, o.digit, o.capacity);
    return status;
}

static bool list_outcome(struct plumb_proof_plain *p, void *context,
                         struct plumb_proof_plain_state *s,
                         const struct plumb_proof_plain_reply *r)
{
    struct plumb_proof_plain_outcomes *const list = context;
    if (!PLUMB_APPEND(p->budget, list->item, list->count, list->capacity,
                      (struct plumb_proof_plain_outcome){ *r, s })) {
        plumb_proof_plain_state_free(p, s);
        return false;
    }
    return true;
}

enum plumb_status plumb_proof_plain_outcomes(
    struct plumb_proof_plain *p, const struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c,
    struct plumb_proof_plain_outcomes *list)
{
    struct plumb_proof_plain_call any = *c;
    any.seen = NULL;
    *list = (struct plumb_proof_plain_outcomes){ .item = NULL };
    struct plumb_proof_plain_state *const copy =
        plumb_proof_plain_state_copy(p, s);
    const enum plumb_status status =
        copy ? every_way(p, copy, &any, list_outcome, list) : PLUMB_EMEMORY;
    if (status != PLUMB_OK)
        plumb_proof_plain_outcomes_release(p, list);
    return status;
}

void plumb_proof_plain_outcomes_release(struct plumb_proof_plain *p,
                                        struct plumb_proof_plain_outcomes *list)
{
    for (size_t i = 0; i < list->count; i++)
        plumb_proof_plain_state_free(p, list->item[i].state);
    PLUMB_RELEASE(p->budget, list->item, list->capacity);
    *list = (struct plumb_proof_plain_outcomes){ .item = NULL };
}

/* ---- sets of states ---- */

enum plumb_status plumb_proof_plain_set_add(struct plumb_proof_plain *p,
                                            struct plumb_proof_plain_set *set,
                                            struct plumb_proof_plain_state *s)
{
    if (s && PLUMB_APPEND(p->budget, set->member, set->count, set->capacity,
                          (struct plumb_proof_plain_member){ 0, s }))
        return PLUMB_OK;
    plumb_proof_plain_state_free(p, s);
    return PLUMB_EMEMORY;
}

enum plumb_status plumb_proof_plain_set_init(struct plumb_proof_plain *p,
                                             struct plumb_proof_plain_set *set)
{
    *set = (struct plumb_proof_plain_set){ .member = NULL };
    return plumb_proof_plain_set_add(p, set, plumb_proof_plain_initial(p));
}

enum plumb_status plumb_proof_plain_set_copy(
    struct plumb_proof_plain *p, struct plumb_proof_plain_set *to,
    const struct plumb_proof_plain_set *from)
{
    *to = (struct plumb_proof_plain_set){ .member = NULL };
    for (size_t i = 0; i < from->count; i++) {
        struct plumb_proof_plain_state *const s =
            plumb_proof_plain_state_copy(p, from->member[i].state);
        if (plumb_proof_plain_set_add(p, to, s) != PLUMB_OK)
            return PLUMB_EMEMORY;
        to->member[i].hash = from->member[i].hash;
    }
    return poll(p);
}

void plumb_proof_plain_set_release(struct plumb_proof_plain *p,
                                   struct plumb_proof_plain_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        plumb_proof_plain_state_free(p, set->member[i].state);
    PLUMB_RELEASE(p->budget, set->member, set->capacity);
    *set = (struct plumb_proof_plain_set){ .member = NULL };
}

static int compare_members(const void *a, const void *b)
{
    const struct plumb_proof_plain_member *const x = a, *const y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Is the state among those before it that have the same hash? */
static bool is_repeated(const struct plumb_proof_plain *p,
                        const struct plumb_proof_plain_set *set,
                        const struct plumb_proof_plain_member *m)
{
    for (size_t i = set->count; i-- > 0 && set->member[i].hash == m->hash;)
        if (plumb_proof_plain_state_equal(p, set->member[i].state, m->state))
            return true;
    return false;
}

static void normalise(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_set *set)
{
    const size_t count = set->count;
    if (count < 2)
        return;
    for (size_t i = 0; i < count; i++)
        set->member[i].hash =
            plumb_proof_plain_state_hash(p, set->member[i].state);
    qsort(set->member, count, sizeof *set->member, compare_members);
    set->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct plumb_proof_plain_member m = set->member[i];
        if (is_repeated(p, set, &m))
            plumb_proof_plain_state_free(p, m.state);
        else
            set->member[set->count++] = m;
    }
    if (set->count == 1)
        set->member[0].hash = 0;
}

struct stepping {
    const struct plumb_proof_plain_seen *seen;
    struct plumb_proof_plain_set *to;
    struct plumb_proof_plain_reply *instead;
};

static bool keep_if_seen(struct plumb_proof_plain *p, void *context,
                         struct plumb_proof_plain_state *s,
                         const struct plumb_proof_plain_reply *r)
{
    struct stepping *const step = context;
    if (!step->seen || plumb_proof_plain_agrees(p, r, step->seen))
        return plumb_proof_plain_set_add(p, step->to, s) == PLUMB_OK;
    if (step->instead)
        *step->instead = *r;
    plumb_proof_plain_state_free(p, s);
    return true;
}

enum plumb_status plumb_proof_plain_set_step(
    struct plumb_proof_plain *p, struct plumb_proof_plain_set *set,
    const struct plumb_proof_plain_call *c,
    struct plumb_proof_plain_reply *instead)
{
    enum plumb_status status = PLUMB_OK;
    if (instead)
        *instead = (struct plumb_proof_plain_reply){ .term = NULL };
    struct plumb_proof_plain_set to = { .member = NULL };
    const bool answers = c->more == 0 && c->moment == PLAIN_EFFECT;
    struct stepping step = { answers ? c->seen : NULL, &to, instead };
    if (set->count == 1) { /* as a rule; its room is used again */
        struct plumb_proof_plain_state *const s = set->member[0].state;
        to = *set;
        to.count = 0;
        *set = (struct plumb_proof_plain_set){ .member = NULL };
        status = every_way(p, s, c, keep_if_seen, &step);
    }
    while (set->count && status == PLUMB_OK) {
        struct plumb_proof_plain_state *const s =
            set->member[--set->count].state;
        status = every_way(p, s, c, keep_if_seen, &step);
    }
    plumb_proof_plain_set_release(p, set);
    *set = to;
    normalise(p, set);
    return status;
}
