/* oracle.c - every choice of pending operations, every order: see oracle.h. */
#include "oracle.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECTS 4

/* must: operations that returned.  before[i]: operations that returned before
 * i was called.  Both are sets, bit i for operation i. */
struct problem {
    struct oracle_spec spec;
    unsigned count;
    struct oracle_operation op[ORACLE_OPS];
    uint32_t must;
    uint32_t before[ORACLE_OPS];
};

/* The state of every object; a step replaces one of them. */
struct world {
    const struct oracle_state *state[OBJECTS];
};

/* ---- reading ---- */

static _Noreturn void refuse(const char *what, const char *name)
{
    fprintf(stderr, "oracle: unknown %s %s\n", what, name);
    abort();
}

static struct oracle_value read_value(const struct plumb_history *h,
                                      struct plumb_value v)
{
    size_t length = 0;
    const char *text;
    switch ((enum plumb_tag)v.tag) {
    case PLUMB_NIL:
        return oracle_nil();
    case PLUMB_BOOL:
        return oracle_bool(v.bits != 0);
    case PLUMB_INT:
        return oracle_int((int64_t)v.bits);
    case PLUMB_STR:
        text = plumb_symbol_text(h->symbols, (uint32_t)v.bits, &length);
        return oracle_text(PLUMB_STR, text, length);
    }
    refuse("tag", "of a value");
}

/* true, t and 1 are one; so are false, f and 0. */
static struct oracle_value read_boolean(struct oracle_value v)
{
    const char c = v.length ? v.text[0] : ' ';
    if (c == 't' || (c == '1' && v.length == 1))
        return oracle_bool(true);
    if (c == 'f' || (c == '0' && v.length == 1))
        return oracle_bool(false);
    return v;
}

static void read_answer(const struct plumb_history *h,
                        const struct oracle_spec *spec,
                        const struct plumb_op *o, struct oracle_operation *to)
{
    const char *const term = plumb_symbol_text(h->symbols, o->term, NULL);
    struct oracle_answer *const a = &to->answer;
    if (!oracle_term_parse(term, &a->term) || o->nres > 2)
        refuse("term", term);
    a->nres = o->nres;
    for (unsigned i = 0; i < a->nres; i++)
        a->res[i] = read_value(h, plumb_op_results(h, o)[i]);
    if (a->nres && oracle_answers_boolean(spec, to->what.op))
        a->res[0] = read_boolean(a->res[0]);
}

static void read_operation(const struct plumb_history *h,
                           const struct oracle_spec *spec, uint32_t index,
                           struct oracle_operation *to)
{
    const struct plumb_op *const o = &h->op[index];
    const char *const name = plumb_symbol_text(h->symbols, o->name, NULL);
    *to = (struct oracle_operation){ .index = index,
                                     .object = o->object,
                                     .call = o->call,
                                     .ret = plumb_op_ret(o),
                                     .pending = plumb_op_is_pending(o) };
    if (!oracle_op_parse(name, &to->what.op) || o->nargs > 2)
        refuse("operation", name);
    to->what.nargs = o->nargs;
    for (unsigned i = 0; i < o->nargs; i++)
        to->what.arg[i] = read_value(h, plumb_op_args(h, o)[i]);
    if (!to->pending)
        read_answer(h, spec, o, to);
}

unsigned oracle_read(const struct plumb_history *h,
                     const struct oracle_spec *spec,
                     struct oracle_operation op[ORACLE_OPS])
{
    unsigned count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        if (h->op[i].outcome == PLUMB_OUTCOME_FAIL)
            continue;
        assert(count < ORACLE_OPS && h->op[i].object < OBJECTS);
        read_operation(h, spec, i, &op[count++]);
    }
    return count;
}

static void read_problem(struct problem *p, const struct plumb_history *h,
                         const char *spec_text)
{
    if (!oracle_spec_parse(spec_text, &p->spec))
        refuse("specification", spec_text);
    p->count = oracle_read(h, &p->spec, p->op);
    p->must = 0;
    for (unsigned i = 0; i < p->count; i++) {
        p->before[i] = 0;
        if (!p->op[i].pending)
            p->must |= 1u << i;
        for (unsigned other = 0; other < p->count; other++)
            if (!p->op[other].pending && p->op[other].ret < p->op[i].call)
                p->before[i] |= 1u << other;
    }
}

static struct world start(const struct problem *p, struct oracle_state *initial)
{
    struct world w;
    oracle_initial(&p->spec, initial);
    for (unsigned i = 0; i < OBJECTS; i++)
        w.state[i] = initial;
    return w;
}

/* ---- the definition ---- */

/* What happens after operation i, whose outcomes in a state were listed, took
 * effect: `go_on` is asked for every outcome that the history allows. */
typedef bool continuation(const struct problem *p, uint32_t done,
                          struct world world, const void *context);

static bool take_effect(const struct problem *p, unsigned i, uint32_t done,
                        struct world world, continuation *go_on,
                        const void *context)
{
    const struct oracle_operation *const o = &p->op[i];
    struct oracle_outcomes out;
    oracle_outcomes(&p->spec, world.state[o->object], &o->what, &out);
    for (unsigned k = 0; k < out.count; k++) {
        if (!o->pending && !oracle_same_answer(&o->answer, &out.at[k].answer))
            continue;
        world.state[o->object] = &out.at[k].state;
        if (go_on(p, done | 1u << i, world, context))
            return true;
    }
    return false;
}

/* Can the operations in `done`, which led to `world`, be followed by others so
 * that all that returned have taken effect? */
static bool can_complete(const struct problem *p, uint32_t done,
                         struct world world, const void *context)
{
    if ((p->must & ~done) == 0)
        return true;
    for (unsigned i = 0; i < p->count; i++) {
        if (done & 1u << i || p->before[i] & ~done)
            continue;
        if (take_effect(p, i, done, world, can_complete, context))
            return true;
    }
    return false;
}

bool oracle_linearizable(const struct plumb_history *h, const char *spec_text)
{
    struct problem p;
    struct oracle_state initial;
    read_problem(&p, h, spec_text);
    return can_complete(&p, 0, start(&p, &initial), NULL);
}

/* ---- one given order ---- */

struct order {
    unsigned at, count;
    unsigned op[ORACLE_OPS];
    bool skip_pending; /* a pending one may be left out */
};

static bool can_follow(const struct problem *p, uint32_t done,
                       struct world world, const void *context)
{
    const struct order *const now = context;
    if (now->at == now->count)
        return (p->must & ~done) == 0;
    struct order next = *now;
    next.at++;
    const unsigned i = now->op[now->at];
    if (!(p->before[i] & ~done) &&
        take_effect(p, i, done, world, can_follow, &next))
        return true;
    return now->skip_pending && p->op[i].pending &&
           can_follow(p, done, world, &next);
}

static uint32_t place(const struct problem *p, unsigned i,
                      enum oracle_order order)
{
    return order == ORACLE_BY_CALL ? p->op[i].call : p->op[i].ret;
}

/* Insertion sort; operations that never return keep the order of their calls.
 */
static void sort(const struct problem *p, enum oracle_order by,
                 struct order *order)
{
    for (unsigned i = 0; i < p->count; i++) {
        unsigned at = i;
        while (at && place(p, order->op[at - 1], by) > place(p, i, by)) {
            order->op[at] = order->op[at - 1];
            at--;
        }
        order->op[at] = i;
    }
    order->count = p->count;
}

bool oracle_order_is(const struct plumb_history *h, const char *spec_text,
                     enum oracle_order by)
{
    struct problem p;
    struct oracle_state initial;
    struct order order = { .skip_pending = true };
    read_problem(&p, h, spec_text);
    sort(&p, by, &order);
    return can_follow(&p, 0, start(&p, &initial), &order);
}

bool oracle_is_witness(const struct plumb_history *h, const char *spec_text,
                       const uint32_t *list, uint32_t count)
{
    struct problem p;
    struct oracle_state initial;
    struct order order = { .count = 0 };
    uint32_t seen = 0;
    read_problem(&p, h, spec_text);
    for (uint32_t k = 0; k < count; k++) {
        unsigned i = 0;
        while (i < p.count && p.op[i].index != list[k])
            i++;
        if (i == p.count || seen & 1u << i)
            return false; /* FAIL, no such operation, or a second time */
        seen |= 1u << i;
        order.op[order.count++] = i;
    }
    return can_follow(&p, 0, start(&p, &initial), &order);
}
