/* certificate.c - large cores: a set of configurations that no step leaves.
 *
 * Call a configuration hopeful if steps lead from it to a complete one.  If
 * the core had a legal order the initial configuration would be hopeful.  Let
 * T be the configurations of the certificate, and suppose some are hopeful.
 * Take one, C = (A, S), from which the fewest steps lead to a complete one, of
 * those one with the fewest spare operations in A (pending and not read-only),
 * and of those one with the most operations in A.  None in T is complete, so
 * there is a first step, say by operation o.  C + o is not in T, as it would be
 * nearer.  So one of these applies:
 *
 *   spare T has a configuration with the states of C + o, and its operations
 *         but for spare ones.  Nobody waits for those, so what follows C + o
 *         follows there as well: it is as near as C + o.
 *   read  r is read-only, can be taken in C and leaves S as it is, and C + r is
 *         in T, or has spare operations too many as above.  Take r first, then
 *         the others as before.  They go through the same sets of states, or
 *         larger ones, because r at its old place could only take states away;
 *         and who waited for r waits no longer.  So C + r is hopeful, with no
 *         more steps (just as many if r was not among them, being pending), as
 *         many spare operations and one more operation; or T has one as near
 *         and with fewer spare ones.
 *         A call or return r that leaves S as it is, of a specification where
 *         it then leaves everything that can follow as it is, is such a step.
 *   idle  o is pending and S + o is a part of S.  Nobody waits for o, so the
 *         steps behind o can be taken from C: one fewer.
 *   twin  t can be taken in C, has the same name, arguments, outcome and
 *         answer as o, returns no later, and C + t is in T, or has spare
 *         operations too many as above.  Exchange the two in what follows: the
 *         states stay the same.  Operations between them did not wait for t, so
 *         they were called before t returned, hence before o did, and do not
 *         wait for o.  If t was not to follow it is pending, hence so is o: t
 *         replaces o.  C + t is one step nearer, or one in T as near as it.
 *         (Where states name operations, none have twins.)
 *   late  no legal order goes on from C with o (deadline_rule.c says why): C + o is not
 *         hopeful, whatever the other rules leave out, so o is no first step
 *         to a complete configuration.
 *
 * Each contradicts the choice of C, so none in T is hopeful. */
#include "core.h"

#include "base/fail.h"
#include "base/memory.h"
#include "configurations.h"
#include "deadline_rule.h"
#include <assert.h>

#define NOWHERE UINT32_MAX

struct prover {
    const struct plumb_proof_core *core;
    struct plumb_proof_configurations
        table; /* T in the proof                            */
    struct plumb_proof_deadline
        *late; /* NULL: no step is                          */
    struct plumb_proof_spare
        *spare;        /* NULL: none is; made when all is read      */
    uint32_t *enabled; /* scratch: operations that real time allows */
    uint8_t *leads;    /* of each: does it lead out of T?           */
    uint32_t enableds;
};

/* Those not in the configuration whose call is before the first return among
 * the others that are not in it.  Calls ascend, so only those before it can
 * have returned before it, and behind the first that has to wait all do. */
static void list_enabled(struct prover *v, const uint32_t *row)
{
    const struct plumb_proof_core *const c = v->core;
    const uint32_t *const missing = plumb_proof_row_missing(row);
    const uint32_t left = c->count - row[ROW_UPTO];
    uint32_t first_return = PLUMB_NEVER;
    v->enableds = 0;
    for (uint32_t n = 0; n < row[ROW_MISSING] + left; n++) {
        const uint32_t i = n < row[ROW_MISSING]
                               ? missing[n]
                               : row[ROW_UPTO] + n - row[ROW_MISSING];
        if (c->op[i].called > first_return)
            break;
        v->enabled[v->enableds++] = i;
        if (c->op[i].ret < first_return)
            first_return = c->op[i].ret;
    }
    v->core->p->work += v->enableds / 16;
}

static bool is_complete(const struct prover *v, const uint32_t *row)
{
    for (uint32_t n = 0; n < row[ROW_MISSING]; n++)
        if (!plumb_proof_core_op_is_pending(v->core->op +
                                            plumb_proof_row_missing(row)[n]))
            return false;
    for (uint32_t i = row[ROW_UPTO]; i < v->core->count; i++)
        if (!plumb_proof_core_op_is_pending(v->core->op + i))
            return false;
    return true;
}

/* ---- reading the certificate ---- */

static enum plumb_status reject_step(const struct prover *v, const char *why)
{
    return plumb_base_fail(v->core->err, PLUMB_EINPUT, 0, 0,
                           "step %lu of the certificate: %s",
                           (unsigned long)v->table.rows, why);
}

static enum plumb_status add_initial(struct prover *v)
{
    if (plumb_proof_configurations_begin(&v->table) != PLUMB_OK ||
        !plumb_proof_configurations_add(&v->table))
        return plumb_base_fail_memory(v->core->err);
    return PLUMB_OK;
}

/* v->table.next: where the step by operation i leads. */
static enum plumb_status step_by(struct prover *v, const uint32_t *row,
                                 uint32_t i)
{
    const enum plumb_status status = plumb_proof_configurations_step(
        &v->table, row, i, &v->core->op[i].call);
    return status == PLUMB_OK ? status
                              : plumb_proof_words_stop(status, v->core->err);
}

/* The operation of the history at a place in their order. */
static uint32_t index_at(const struct plumb_proof_core *c, uint32_t place)
{
    return c->op[plumb_proof_core_nth(c, place)].index;
}

/* The first place of an operation of the history. */
static uint32_t find_op(const struct plumb_proof_core *c, uint32_t index)
{
    uint32_t low = 0, high = c->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (index_at(c, middle) < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && index_at(c, low) == index ? low : NOWHERE;
}

static bool is_enabled(struct prover *v, const uint32_t *row, uint32_t i)
{
    list_enabled(v, row);
    for (uint32_t n = 0; n < v->enableds; n++)
        if (v->enabled[n] == i)
            return true;
    return false;
}

static enum plumb_status read_step(struct prover *v,
                                   const struct plumb_certificate_step *step)
{
    uint32_t place = find_op(v->core, step->op);
    if (step->parent >= v->table.rows)
        return reject_step(v, "its parent does not come before it");
    if (place == NOWHERE)
        return reject_step(v, "its operation is not in the core");
    const uint32_t *const row = plumb_proof_row_at(&v->table, step->parent);
    while (plumb_proof_row_has_operation(
               row, plumb_proof_core_nth(v->core, place)) &&
           place + 1 < v->core->count &&
           index_at(v->core, place + 1) == step->op)
        place++; /* its next step */
    const uint32_t i = plumb_proof_core_nth(v->core, place);
    if (!is_enabled(v, row, i))
        return reject_step(
            v,
            "its operation has taken effect already, or must wait for another");
    const enum plumb_status status = step_by(v, row, i);
    if (status != PLUMB_OK)
        return status;
    if (!v->table.set.count)
        return reject_step(v, "the states do not allow its operation");
    if (!plumb_proof_configurations_add(&v->table))
        return plumb_base_fail_memory(v->core->err);
    return PLUMB_OK;
}

/* ---- is it closed? ---- */

static enum plumb_status look_ahead(struct prover *v, const uint32_t *row,
                                    uint32_t i)
{
    const enum plumb_status status = step_by(v, row, i);
    if (status == PLUMB_OK && !plumb_proof_configurations_complete(&v->table))
        return plumb_base_fail_memory(v->core->err);
    return status;
}

/* Is v->table.next in T, or does it have spare operations too many? */
static bool is_covered(const struct prover *v)
{
    return plumb_proof_configurations_has(&v->table, v->table.next.at) ||
           plumb_proof_spare_covers(v->spare, v->table.next.at);
}

/* The rule *read*. */
static enum plumb_status try_reads(struct prover *v, const uint32_t *row,
                                   bool *closed)
{
    enum plumb_status status = PLUMB_OK;
    *closed = false;
    for (uint32_t n = 0; n < v->enableds && !*closed; n++) {
        if (!v->core->op[v->enabled[n]].reads)
            continue;
        status = look_ahead(v, row, v->enabled[n]);
        if (status != PLUMB_OK)
            return status;
        *closed = plumb_proof_row_has_same_states(v->table.next.at, row) &&
                  is_covered(v);
    }
    return status;
}

static bool same_values(const struct plumb_value *a,
                        const struct plumb_value *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!plumb_value_equal(a[i], b[i]))
            return false;
    return true;
}

static bool same_answers(const struct plumb_proof_plain_seen *a,
                         const struct plumb_proof_plain_seen *b)
{
    if (!a || !b)
        return a == b;
    return a->nres == b->nres && same_values(a->res, b->res, a->nres) &&
           plumb_proof_plain_same(a->term, strlen(a->term), b->term,
                                  strlen(b->term));
}

static bool are_twins(const struct prover *v,
                      const struct plumb_proof_core_op *a,
                      const struct plumb_proof_core_op *b)
{
    const struct plumb_proof_plain_call *const x = &a->call, *const y =
                                                                 &b->call;
    return x->operation == y->operation && x->nargs == y->nargs &&
           same_values(x->args, y->args, x->nargs) &&
           same_answers(x->seen, y->seen) && x->more == y->more &&
           x->moment == y->moment &&
           (!v->core->p->type->looks_at_thread || x->thread == y->thread) &&
           (!plumb_proof_plain_is_told(v->core->p) || x->whose == y->whose);
}

enum { LEADS_OUT, LEADS_IN, NEED_NOT };

/* The rule *twin*, for the n-th operation that is enabled. */
static bool has_twin(const struct prover *v, uint32_t n)
{
    const struct plumb_proof_core_op *const o = v->core->op + v->enabled[n];
    for (uint32_t m = 0; m < v->enableds; m++) {
        const struct plumb_proof_core_op *const t = v->core->op + v->enabled[m];
        if (v->leads[m] == LEADS_IN && t->ret <= o->ret && are_twins(v, o, t))
            return true;
    }
    return false;
}

/* Is the step of v->table.next not allowed at all, or idle? */
static bool need_not(const struct prover *v, const uint32_t *row, uint32_t i)
{
    if (!v->table.set.count)
        return true;
    return plumb_proof_core_op_is_pending(v->core->op + i) &&
           plumb_proof_row_has_only_states_of(v->table.next.at, row);
}

static enum plumb_status look_around(struct prover *v, const uint32_t *row)
{
    for (uint32_t n = 0; n < v->enableds; n++) {
        const enum plumb_status status = look_ahead(v, row, v->enabled[n]);
        if (status != PLUMB_OK)
            return status;
        v->leads[n] = need_not(v, row, v->enabled[n]) ? NEED_NOT
                      : is_covered(v)                 ? LEADS_IN
                                                      : LEADS_OUT;
    }
    return PLUMB_OK;
}

/* Does the n-th enabled operation lead out, and no rule makes it superfluous?
 */
static bool is_open(const struct prover *v, const uint32_t *row, uint32_t n)
{
    return v->leads[n] == LEADS_OUT && !has_twin(v, n) &&
           !plumb_proof_deadline_is(v->late, v->enabled[n], row[ROW_UPTO],
                                    plumb_proof_row_missing(row),
                                    row[ROW_MISSING]);
}

static enum plumb_status reject_open(const struct prover *v, uint32_t number,
                                     uint32_t op)
{
    char words[PLUMB_WORDS];
    const uint32_t index = v->core->op[op].index;
    plumb_proof_words_of_operation(v->core->h, index, words);
    return plumb_proof_words_fail(
        v->core->h, index, v->core->err,
        "configuration %lu of the certificate: the step by %s leads to a "
        "configuration that is not listed",
        (unsigned long)number, words);
}

static enum plumb_status check_row(struct prover *v, uint32_t number)
{
    const uint32_t *const row = plumb_proof_row_at(&v->table, number);
    bool closed;
    if (is_complete(v, row))
        return plumb_base_fail(
            v->core->err, PLUMB_EINPUT, 0, 0,
            "configuration %lu of the certificate is complete: "
            "the core has a legal order",
            (unsigned long)number);
    list_enabled(v, row);
    enum plumb_status status = try_reads(v, row, &closed);
    if (status != PLUMB_OK || closed)
        return status;
    status = look_around(v, row);
    for (uint32_t n = 0; n < v->enableds && status == PLUMB_OK; n++)
        if (is_open(v, row, n))
            status = reject_open(v, number, v->enabled[n]);
    return status;
}

static enum plumb_status prove(struct prover *v,
                               const struct plumb_certificate_step *step,
                               uint32_t count)
{
    size_t fresh = 0; /* where the next configuration not seen before begins */
    enum plumb_status status = add_initial(v);
    for (uint32_t n = 0; n < count && status == PLUMB_OK; n++)
        status = read_step(v, step + n);
    if (status == PLUMB_OK &&
        !plumb_proof_spare_new(v->core, &v->table, &v->spare))
        status = plumb_base_fail_memory(v->core->err);
    for (uint32_t n = 0; n < v->table.rows && status == PLUMB_OK; n++) {
        if (v->table.row[n] != fresh)
            continue;
        fresh += plumb_proof_row_size(plumb_proof_row_at(&v->table, n));
        status = check_row(v, n);
    }
    return status;
}

static void release(struct prover *v)
{
    struct plumb_budget *const b = v->core->p->budget;
    plumb_proof_spare_free(v->spare);
    plumb_proof_deadline_free(v->late);
    plumb_proof_configurations_release(&v->table);
    PLUMB_RELEASE(b, v->enabled, v->core->count);
    plumb_base_release(b, v->leads, v->core->count);
}

enum plumb_status plumb_proof_core_certify(
    const struct plumb_proof_core *core,
    const struct plumb_certificate_step *step, uint32_t count)
{
    struct plumb_budget *const b = core->p->budget;
    struct prover v = { .core = core };
    plumb_proof_configurations_init(&v.table, core->p);
    assert(core->count);
    v.enabled = plumb_base_alloc(b, core->count * sizeof *v.enabled);
    v.leads = plumb_base_alloc(b, core->count);
    const enum plumb_status status =
        !v.enabled || !v.leads || !plumb_proof_deadline_new(core, &v.late)
            ? plumb_base_fail_memory(core->err)
        : count >= UINT32_MAX - 2
            ? plumb_base_fail(core->err, PLUMB_EINPUT, 0, 0,
                              "the certificate has too many steps")
            : prove(&v, step, count);
    release(&v);
    return status;
}
