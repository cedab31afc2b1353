/* core.c - is a core a weakening of the history?
 *
 * Let S be an order in which the operations of the history took effect.  It
 * stays a legal order of what is left when
 *   - the operations of other objects go, as objects do not share states;
 *   - read-only ones go, as the states around them are the same;
 *   - those that belong to a value go, where the type is closed under that.
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
#include <assert.h>

/* ---- the operations that remain ---- */

static enum plumb_status reject(const struct plumb_proof_core *c, uint32_t i,
                                const char *why)
{
    char words[PLUMB_WORDS];
    plumb_proof_words_of_operation(c->h, i, words);
    return plumb_proof_words_fail(c->h, i, c->err, "core: %s %s", words, why);
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
    return PLUMB_OK;
}

/* ---- the operations that are missing ---- */

/* May operations be deleted by value?  All operations of the object count,
 * FAIL ones aside. */
static enum plumb_status ask_closed(const struct plumb_proof_core *c,
                                    uint32_t object, bool *closed)
{
    *closed = plumb_proof_plain_is_closed(c->p);
    for (uint32_t i = 0; *closed && i < c->h->count; i++) {
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
        *closed = !call.operation->breaks_closure;
    }
    return PLUMB_OK;
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
    const struct plumb_proof_plain_table *remaining)
{
    struct plumb_proof_plain_call call;
    struct plumb_proof_plain_seen seen;
    struct plumb_value v;
    const enum plumb_status status = plumb_proof_plain_read(
        c->p, c->h, i, plumb_op_is_pending(c->h->op + i), &call, &seen, c->err);
    if (status != PLUMB_OK || plumb_proof_plain_is_read_only(c->p, &call))
        return status;
    if (!remaining)
        return reject(c, i, "is missing, but is not read-only");
    if (!plumb_proof_plain_belongs(&call, &v))
        return reject(c, i, "is missing, but belongs to no value");
    if (plumb_proof_plain_find(remaining, v, PLAIN_ABSENT))
        return reject(c, i, "is missing, but others of its value are not");
    return PLUMB_OK;
}

static enum plumb_status justify_all(
    const struct plumb_proof_core *c, const struct plumb_core *from,
    const struct plumb_proof_plain_table *remaining)
{
    uint32_t at = 0;
    assert(c->op || c->count == 0);
    for (uint32_t i = 0; i < c->h->count; i++) {
        const struct plumb_op *const o = c->h->op + i;
        if (!plumb_base_in_time(c->p->budget, i))
            return plumb_base_fail_budget(c->p->budget, c->err);
        bool remains = false;
        for (; at < c->count && c->op[at].index == i; at++)
            remains = true;
        if (remains)
            continue;
        if (o->outcome == PLUMB_OUTCOME_FAIL || o->object != from->object ||
            o->call >= from->cut)
            continue;
        const enum plumb_status status = justify_missing(c, i, remaining);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

static enum plumb_status check_missing(const struct plumb_proof_core *c,
                                       const struct plumb_core *from)
{
    bool closed;
    struct plumb_proof_plain_state *const s =
        plumb_proof_plain_state_new(c->p); /* its table */
    if (!s)
        return plumb_base_fail_memory(c->err);
    enum plumb_status status = ask_closed(c, from->object, &closed);
    if (status == PLUMB_OK)
        status = note_values(c, &s->table);
    if (status == PLUMB_OK)
        status = justify_all(c, from, closed ? &s->table : NULL);
    plumb_proof_plain_state_free(c->p, s);
    return status;
}

static unsigned most_steps(const struct plumb_proof_plain *p)
{
    const struct plumb_proof_plain_type *const type = p->type;
    unsigned most = 1;
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
    struct plumb_proof_core c = { .h = h, .err = err };
    enum plumb_status status =
        plumb_proof_plain_new(spec, h->symbols, budget, &c.p, err);
    if (status != PLUMB_OK)
        return status;
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
    plumb_proof_plain_free(c.p);
    return status;
}
