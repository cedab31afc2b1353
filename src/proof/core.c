/* core.c - is a core a weakening of the history?
 *
 * Let S be an order in which the operations of the history took effect.  It
 * stays a legal order of what is left when
 *   - the operations of other objects go, as objects do not share states;
 *   - read-only ones go, as the states around them are the same;
 *   - those that belong to a value go, where the type is closed under that, and
 *     where it is if certain answers are gone, and they are (closure.h);
 *     A remaining operation whose response is forgotten may have answered that
 *     value in S.  It goes as well: the core lets it not take effect;
 *   - the first operation called at the cut or later goes, with all behind it.
 *     What returned before the cut precedes that operation, so it stays; what
 *     did not return before is pending in the core, and may go.
 * Hence a core without a legal order proves that there is no S. */
#include "core.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include "closure.h"
#include <assert.h>

/* ---- the operations that remain ---- */

static enum plumb_status reject(const struct plumb_proof_core *c, uint32_t i,
                                const char *why)
{
    char words[PLUMB_WORDS];
    plumb_proof_words_of_operation(c->h, i, words);
    return plumb_proof_words_fail(c->h, i, c->err, "core: %s %s", words, why);
}

static struct plumb_proof_core_op *add_moment(
    struct plumb_proof_core *c, const struct plumb_proof_core_op *o,
    enum plumb_proof_plain_moment moment)
{
    struct plumb_proof_core_op *const to = c->op + c->count++;
    *to = *o;
    to->call.moment = moment;
    return to;
}

/* The operation that was read last: an effect after its call and before its
 * return, as far as these are told. */
static void read_told(struct plumb_proof_core *c)
{
    const struct plumb_proof_core_op o = c->op[c->count];
    const struct plumb_proof_plain_type *const type = c->p->type;
    const bool returns = !plumb_proof_core_op_is_pending(&o);
    const uint32_t call = PLUMB_PROOF_RANKS * o.called;
    const uint32_t ret = returns ? PLUMB_PROOF_RANKS * o.ret : PLUMB_NEVER;
    struct plumb_proof_core_op *to;
    if (type->call) {
        to = add_moment(c, &o, PLAIN_CALL);
        to->called = call;
        to->ret = call + 1;
        to->reads = type->settles;
    }
    to = add_moment(c, &o, PLAIN_EFFECT);
    to->called = call + 2;
    to->ret = returns ? ret - 1 : PLUMB_NEVER;
    if (type->give_back && returns) {
        to = add_moment(c, &o, PLAIN_RETURN);
        to->called = ret;
        to->ret = ret + 1;
        to->reads = type->settles;
    }
}

/* Operation `at` of the core, once for each of its steps. */
static enum plumb_status read_op(struct plumb_proof_core *c,
                                 const struct plumb_core *from, uint32_t at)
{
    const uint32_t i = from->op[at];
    const struct plumb_op *const o = c->h->op + i;
    struct plumb_proof_core_op *const to = c->op + c->count;
    if (o->outcome == PLUMB_OUTCOME_FAIL)
        return reject(c, i, "failed: it did not take effect");
    if (o->object != from->object)
        return reject(c, i, "is of another object");
    if (o->call >= from->cut)
        return reject(c, i, "was called after the cut");
    to->index = i;
    to->called = o->call;
    to->ret = plumb_op_ret(o);
    if (to->ret >= from->cut || (from->forgotten && from->forgotten[at]))
        to->ret = PLUMB_NEVER;
    const enum plumb_status status = plumb_proof_plain_read(
        c->p, c->h, i, plumb_proof_core_op_is_pending(to), &to->call, &to->seen,
        c->err);
    if (status != PLUMB_OK)
        return status;
    to->reads = plumb_proof_plain_is_read_only(c->p, &to->call);
    if (plumb_proof_plain_is_told(c->p)) {
        read_told(c);
        return PLUMB_OK;
    }
    const unsigned steps = plumb_proof_plain_steps(c->p, o->name);
    for (unsigned k = 0; k < steps; k++) {
        to[k] = to[0];
        to[k].call.more = steps - 1 - k;
        if (to->call.seen)
            to[k].call.seen = &to[k].seen;
    }
    c->count += steps;
    return PLUMB_OK;
}

static int by_rank(const void *a, const void *b)
{
    const struct plumb_proof_core_op *const x = a, *const y = b;
    return (x->called > y->called) - (x->called < y->called);
}

/* By rank, and c->by_index; what was seen moves along. */
static enum plumb_status sort_told(struct plumb_proof_core *c)
{
    struct plumb_budget *const b = c->p->budget;
    const size_t most = c->h->count;
    uint32_t *const next =
        plumb_base_alloc_zeroed(b, (most + 1) * sizeof *next);
    c->by_index = plumb_base_alloc(b, c->count * sizeof *c->by_index);
    const bool room =
        next && c->by_index &&
        plumb_base_sort(b, c->op, c->count, sizeof *c->op, by_rank);
    for (uint32_t i = 0; room && i < c->count; i++) {
        if (c->op[i].call.seen)
            c->op[i].call.seen = &c->op[i].seen;
        next[c->op[i].index + 1]++;
    }
    for (size_t i = 1; room && i <= most; i++)
        next[i] += next[i - 1];
    for (uint32_t i = 0; room && i < c->count; i++)
        c->by_index[next[c->op[i].index]++] = i;
    PLUMB_RELEASE(b, next, most + 1);
    return room ? PLUMB_OK : plumb_base_fail_budget(b, c->err);
}

static enum plumb_status read_ops(struct plumb_proof_core *c,
                                  const struct plumb_core *from)
{
    if (from->object >= c->h->objects)
        return plumb_base_fail(c->err, PLUMB_EINPUT, 0, 0,
                               "core: there is no object number %lu",
                               (unsigned long)from->object);
    for (uint32_t at = 0; at < from->count; at++) {
        if (from->op[at] >= c->h->count)
            return plumb_base_fail(c->err, PLUMB_EINPUT, 0, 0,
                                   "core: there is no operation number %lu",
                                   (unsigned long)from->op[at]);
        if (at && from->op[at] <= from->op[at - 1])
            return reject(c, from->op[at], "is not in ascending order");
        if (!plumb_base_in_time(c->p->budget, at))
            return plumb_base_fail_budget(c->p->budget, c->err);
        const enum plumb_status status = read_op(c, from, at);
        if (status != PLUMB_OK)
            return status;
    }
    return plumb_proof_plain_is_told(c->p) ? sort_told(c) : PLUMB_OK;
}

/* ---- the operations that are missing ---- */

/* May operations be deleted by value?  All operations of the object count,
 * FAIL ones aside. */
static enum plumb_status ask_closed(const struct plumb_proof_core *c,
                                    uint32_t object,
                                    struct plumb_proof_closure *closure)
{
    closure->kind = plumb_proof_plain_closure(c->p);
    for (uint32_t i = 0; closure->kind != PLAIN_NOT_CLOSED && i < c->h->count;
         i++) {
        const struct plumb_op *const o = c->h->op + i;
        struct plumb_proof_plain_call call;
        struct plumb_proof_plain_seen seen;
        if (!plumb_base_in_time(c->p->budget, i))
            return plumb_base_fail_budget(c->p->budget, c->err);
        if (o->object != object || o->outcome == PLUMB_OUTCOME_FAIL)
            continue;
        const enum plumb_status status = plumb_proof_plain_read(
            c->p, c->h, i, plumb_op_is_pending(o), &call, &seen, c->err);
        if (status != PLUMB_OK)
            return status;
        if (call.operation->breaks_closure)
            closure->kind = PLAIN_NOT_CLOSED;
    }
    return plumb_proof_closure_of_core(c, closure)
               ? PLUMB_OK
               : plumb_base_fail_budget(c->p->budget, c->err);
}

static enum plumb_status note_values(const struct plumb_proof_core *c,
                                     struct plumb_proof_plain_table *remaining)
{
    for (uint32_t at = 0; at < c->count; at++) {
        struct plumb_value v;
        if (!plumb_base_in_time(c->p->budget, at) ||
            (plumb_proof_plain_belongs(&c->op[at].call, &v) &&
             !plumb_proof_plain_enter(c->p, remaining, v, PLAIN_ABSENT)))
            return plumb_base_fail_budget(c->p->budget, c->err);
    }
    return PLUMB_OK;
}

static enum plumb_status justify_missing(
    const struct plumb_proof_core *c, uint32_t i,
    const struct plumb_proof_closure *closure,
    const struct plumb_proof_plain_table *remaining)
{
    struct plumb_proof_plain_call call;
    struct plumb_proof_plain_seen seen;
    struct plumb_value v;
    const enum plumb_status status = plumb_proof_plain_read(
        c->p, c->h, i, plumb_op_is_pending(c->h->op + i), &call, &seen, c->err);
    const bool missed = c->p->type->missed && c->p->type->missed(c->p, &call);
    if (status != PLUMB_OK ||
        (!missed && plumb_proof_plain_is_read_only(c->p, &call)))
        return status;
    if (closure->kind == PLAIN_NOT_CLOSED)
        return reject(c, i, "is missing, but is not read-only");
    if (plumb_proof_closure_keeps(closure, &call, c->h->op + i))
        return reject(c, i, "is missing, but an answer may depend on it");
    if (!plumb_proof_plain_belongs(&call, &v))
        return reject(c, i, "is missing, but belongs to no value");
    if (plumb_proof_plain_find(remaining, v, PLAIN_ABSENT))
        return reject(c, i, "is missing, but others of its value are not");
    return PLUMB_OK;
}

static enum plumb_status justify_all(
    const struct plumb_proof_core *c, const struct plumb_core *from,
    const struct plumb_proof_closure *closure,
    const struct plumb_proof_plain_table *remaining)
{
    uint32_t at = 0;
    assert(c->op || c->count == 0);
    for (uint32_t i = 0; i < c->h->count; i++) {
        const struct plumb_op *const o = c->h->op + i;
        if (!plumb_base_in_time(c->p->budget, i))
            return plumb_base_fail_budget(c->p->budget, c->err);
        if (at < from->count && from->op[at] == i) {
            at++;
            continue;
        }
        if (o->outcome == PLUMB_OUTCOME_FAIL || o->object != from->object ||
            o->call >= from->cut)
            continue;
        const enum plumb_status status =
            justify_missing(c, i, closure, remaining);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

static enum plumb_status check_missing(const struct plumb_proof_core *c,
                                       const struct plumb_core *from)
{
    struct plumb_proof_closure closure = { .kind = PLAIN_NOT_CLOSED };
    struct plumb_proof_plain_state *const s =
        plumb_proof_plain_state_new(c->p); /* its table */
    if (!s)
        return plumb_base_fail_memory(c->err);
    enum plumb_status status = ask_closed(c, from->object, &closure);
    if (status == PLUMB_OK)
        status = note_values(c, &s->table);
    if (status == PLUMB_OK)
        status = justify_all(c, from, &closure, &s->table);
    plumb_proof_closure_release(c, &closure);
    plumb_proof_plain_state_free(c->p, s);
    return status;
}

static unsigned most_steps(const struct plumb_proof_plain *p)
{
    const struct plumb_proof_plain_type *const type = p->type;
    unsigned most = 1u + (type->call != NULL) + (type->give_back != NULL);
    for (unsigned i = 0; type->steps && i < type->operations; i++)
        if (type->steps[type->operation[i].kind] > most)
            most = type->steps[type->operation[i].kind];
    return most;
}

enum plumb_status plumb_verify_violation(
    const struct plumb_history *h, struct plumb_spec_ref spec,
    const struct plumb_core *core, const struct plumb_certificate_step *step,
    uint32_t count, struct plumb_budget *budget, struct plumb_error *err)
{
    return plumb_verify_violation_within(h, spec, core, step, count, 0, budget,
                                         err);
}

enum plumb_status plumb_verify_violation_within(
    const struct plumb_history *h, struct plumb_spec_ref spec,
    const struct plumb_core *core, const struct plumb_certificate_step *step,
    uint32_t count, uint64_t effort, struct plumb_budget *budget,
    struct plumb_error *err)
{
    struct plumb_proof_core c = { .h = h, .err = err };
    enum plumb_status status =
        plumb_proof_plain_new(spec, h->symbols, budget, &c.p, err);
    if (status != PLUMB_OK)
        return status;
    c.p->limit = effort;
    c.p->lenient = true; /* it must be one whatever nobody knows */
    const size_t room = (size_t)core->count * most_steps(c.p);
    c.op = plumb_base_alloc_zeroed(budget, room * sizeof *c.op);
    status = c.op ? read_ops(&c, core) : plumb_base_fail_memory(err);
    if (status == PLUMB_OK)
        status = check_missing(&c, core);
    if (status == PLUMB_OK)
        status = c.count <= PLUMB_ENUMERATE && count == 0
                     ? plumb_proof_core_enumerate(&c)
                     : plumb_proof_core_certify(&c, step, count);
    PLUMB_RELEASE(budget, c.op, room);
    PLUMB_RELEASE(budget, c.by_index, c.by_index ? c.count : 0);
    plumb_proof_plain_free(c.p);
    return status;
}
