/* weaken.c - see weaken.h. */
#include "weaken.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

static struct plumb_value copy_value(const struct plumb_history *h,
                                     struct plumb_builder *b,
                                     struct plumb_value v)
{
    if (v.tag != PLUMB_STR)
        return v;
    size_t length;
    const char *const text =
        plumb_symbol_text(h->symbols, (uint32_t)v.bits, &length);
    return plumb_str(plumb_builder_symbol(b, text, length));
}

static uint32_t copy_symbol(const struct plumb_history *h,
                            struct plumb_builder *b, uint32_t symbol)
{
    size_t length;
    const char *const text = plumb_symbol_text(h->symbols, symbol, &length);
    return plumb_builder_symbol(b, text, length);
}

static void copy_event(const struct plumb_history *h, uint32_t i,
                       bool is_return, struct plumb_builder *b)
{
    const struct plumb_op *const o = &h->op[i];
    const struct plumb_value *const from =
        is_return ? plumb_op_results(h, o) : plumb_op_args(h, o);
    const unsigned count = is_return ? o->nres : o->nargs;
    struct plumb_value v[2];
    struct plumb_error err;
    char name[16];
    const int length = snprintf(name, sizeof name, "T%u", (unsigned)i);
    const uint32_t thread = plumb_builder_symbol(b, name, (size_t)length);
    const uint32_t object = copy_symbol(h, b, h->object[o->object]);
    assert(count <= 2);
    for (unsigned k = 0; k < count; k++)
        v[k] = copy_value(h, b, from[k]);
    const enum plumb_status status =
        is_return
            ? plumb_builder_respond(b, thread, object, PLUMB_OUTCOME_OK,
                                    copy_symbol(h, b, o->term), v, count, NULL,
                                    &err)
            : plumb_builder_call(b, thread, object, copy_symbol(h, b, o->name),
                                 v, count, NULL, &err);
    if (status != PLUMB_OK)
        abort();
}

static bool returns(const struct plumb_history *h, const struct weakening *w,
                    uint32_t i)
{
    return !(w->forgotten & 1u << i) && plumb_op_ret(&h->op[i]) < w->cut;
}

static bool is_in(const struct plumb_history *h, const struct weakening *w,
                  uint32_t i)
{
    return w->kept & 1u << i && h->op[i].outcome != PLUMB_OUTCOME_FAIL &&
           h->op[i].call < w->cut;
}

void weaken(const struct plumb_history *h, const struct weakening *w,
            struct plumb_builder *b, struct plumb_history *part)
{
    struct plumb_error err;
    for (uint32_t rank = 0; rank < h->events; rank++)
        for (uint32_t i = 0; i < h->count; i++) {
            if (!is_in(h, w, i))
                continue;
            if (h->op[i].call == rank)
                copy_event(h, i, false, b);
            if (plumb_op_ret(&h->op[i]) == rank && returns(h, w, i))
                copy_event(h, i, true, b);
        }
    if (plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, part, &err) != PLUMB_OK)
        abort();
}

/* ---- judging ---- */

struct judge {
    const struct plumb_history *h;
    const char *spec_text;
    struct plumb_builder *builder;
    struct oracle_spec spec;
    struct oracle_operation op[ORACLE_OPS];
    unsigned count;
    bool user, closed;
};

static void judge_init(struct judge *j, uint32_t object)
{
    bool exchanges = false;
    oracle_spec_parse(j->spec_text, &j->spec);
    j->count = oracle_read(j->h, &j->spec, j->op);
    for (unsigned i = 0; i < j->count; i++)
        if (j->op[i].object == object)
            exchanges |=
                j->op[i].what.op == OP_CAS || j->op[i].what.op == OP_SWAP;
    j->closed = !j->user && oracle_closed(&j->spec, exchanges);
}

static bool is_violation(const struct judge *j, const struct weakening *w)
{
    struct plumb_history part;
    weaken(j->h, w, j->builder, &part);
    const bool violation = !oracle_linearizable(&part, j->spec_text);
    plumb_history_release(&part);
    return violation;
}

/* With the answer it has in the history. */
static bool reads(const struct judge *j, const struct oracle_operation *o)
{
    return !j->user &&
           oracle_reads(&j->spec, &o->what, o->pending ? NULL : &o->answer);
}

static bool owner(const struct judge *j, const struct oracle_operation *o,
                  bool pending, struct oracle_value *v)
{
    return oracle_owner(&j->spec, &o->what,
                        pending || o->pending ? NULL : &o->answer, v);
}

/* Is there an operation in the part that belongs, there, to `v`? */
static bool value_remains(const struct judge *j, const struct weakening *w,
                          const struct oracle_value *v)
{
    for (unsigned i = 0; i < j->count; i++) {
        const struct oracle_operation *const o = &j->op[i];
        struct oracle_value its;
        if (is_in(j->h, w, o->index) &&
            owner(j, o, !returns(j->h, w, o->index), &its) &&
            oracle_same(&its, v))
            return true;
    }
    return false;
}

/* May values be deleted, as far as the answers in the part go? */
static bool is_closed(const struct judge *j, const struct weakening *w)
{
    bool full = false;
    for (unsigned i = 0; i < j->count; i++)
        full |= is_in(j->h, w, j->op[i].index) &&
                returns(j->h, w, j->op[i].index) &&
                j->op[i].answer.term == TERM_FULL;
    return j->closed || (!j->user && oracle_closed_but_full(&j->spec) && !full);
}

static bool may_be_missing(const struct judge *j, const struct weakening *w,
                           const struct oracle_operation *o, uint32_t object)
{
    struct oracle_value v;
    if (o->call >= w->cut || o->object != object || reads(j, o))
        return true;
    return is_closed(j, w) && owner(j, o, false, &v) &&
           !value_remains(j, w, &v);
}

static const char *weakening_of(const struct judge *j,
                                const struct plumb_core *core,
                                struct weakening *w)
{
    *w = (struct weakening){ .cut = core->cut };
    for (uint32_t i = 0; i < core->count; i++) {
        const uint32_t op = core->op[i];
        if (op >= j->h->count || (i && core->op[i - 1] >= op))
            return "its operations are not an ascending list";
        if (j->h->op[op].outcome == PLUMB_OUTCOME_FAIL ||
            j->h->op[op].object != core->object ||
            j->h->op[op].call >= core->cut)
            return "it has an operation that cannot be in it";
        w->kept |= 1u << op;
        if (core->forgotten[i])
            w->forgotten |= 1u << op;
    }
    for (unsigned i = 0; i < j->count; i++)
        if (!is_in(j->h, w, j->op[i].index) &&
            !may_be_missing(j, w, &j->op[i], core->object))
            return "an operation is missing that must not be";
    return NULL;
}

/* ---- minimality ---- */

static bool cut_keeps_violation(const struct judge *j,
                                const struct weakening *w)
{
    struct weakening less = *w;
    less.cut = 0;
    for (uint32_t i = 0; i < j->h->count; i++) {
        if (!is_in(j->h, w, i))
            continue;
        if (j->h->op[i].call > less.cut)
            less.cut = j->h->op[i].call;
        if (returns(j->h, w, i) && j->h->op[i].resp > less.cut)
            less.cut = j->h->op[i].resp;
    }
    return is_violation(j, &less);
}

static bool forgetting_keeps_violation(const struct judge *j,
                                       const struct weakening *w, uint32_t i)
{
    struct weakening less = *w;
    less.forgotten |= 1u << i;
    return returns(j->h, w, i) && is_violation(j, &less);
}

static bool deleting_keeps_violation(const struct judge *j,
                                     const struct weakening *w,
                                     const struct oracle_operation *o)
{
    struct weakening less = *w;
    less.kept &= ~(1u << o->index);
    return reads(j, o) && is_violation(j, &less);
}

/* Without all operations of the value that `o` belongs to. */
static bool removal_keeps_violation(const struct judge *j,
                                    const struct weakening *w,
                                    const struct oracle_operation *o)
{
    struct weakening less = *w;
    struct oracle_value v, its;
    if (!is_closed(j, w) || !owner(j, o, false, &v))
        return false;
    for (unsigned i = 0; i < j->count; i++)
        if (owner(j, &j->op[i], false, &its) && oracle_same(&its, &v))
            less.kept &= ~(1u << j->op[i].index);
    return is_violation(j, &less);
}

static const char *further_step(const struct judge *j,
                                const struct weakening *w)
{
    if (cut_keeps_violation(j, w))
        return "not minimal: it is a violation without its last event";
    for (unsigned i = 0; i < j->count; i++) {
        const struct oracle_operation *const o = &j->op[i];
        if (!is_in(j->h, w, o->index))
            continue;
        if (forgetting_keeps_violation(j, w, o->index))
            return "not minimal: a response could be forgotten";
        if (deleting_keeps_violation(j, w, o))
            return "not minimal: a read-only operation could be deleted";
        if (removal_keeps_violation(j, w, o))
            return "not minimal: a value could be deleted";
    }
    return NULL;
}

const char *core_fault(const struct plumb_history *h, const char *spec_text,
                       bool user, const struct plumb_core *core, bool minimal,
                       struct plumb_builder *b)
{
    struct judge j = {
        .h = h, .spec_text = spec_text, .user = user, .builder = b
    };
    struct weakening w;
    judge_init(&j, core->object);
    const char *const fault = weakening_of(&j, core, &w);
    if (fault)
        return fault;
    if (!is_violation(&j, &w))
        return "by itself it is linearizable";
    return minimal ? further_step(&j, &w) : NULL;
}
