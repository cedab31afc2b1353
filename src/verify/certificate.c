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
 *   spare T has a configuration with the states of C + o, and the operations
 * but for a spare one.  Nobody waits for that, so what follows C + o follows
 *         there as well: it is as near as C + o.
 *   read  r is read-only, can be taken in C and leaves S as it is, and C + r is
 *         in T, or has a spare operation too many as above.  Take r first, then
 * the others as before.  They go through the same sets of states, or larger
 * ones, because r at its old place could only take states away; and who waited
 * for r waits no longer. So C + r is hopeful, with no more steps (just as many
 * if r was not among them, being pending), as many spare operations and one
 * more operation; or T has one with as many steps and fewer spare ones. idle  o
 * is pending and S + o is a part of S.  Nobody waits for o, so the steps behind
 * o can be taken from C: one fewer. twin  t can be taken in C, has the same
 * name, arguments, outcome and answer as o, returns no later, and C + t is in
 * T.  Exchange the two in what follows: the states stay the same.  Operations
 * between them did not wait for t, so they were called before t returned, hence
 *         before o did, and do not wait for o.  If t was not to follow it is
 *         pending, hence so is o: t replaces o.  C + t is one step nearer.
 *   late  no legal order goes on from C with o (late.c says why): C + o is not
 *         hopeful, whatever the other rules leave out, so o is no first step
 *         to a complete configuration.
 *
 * Each contradicts the choice of C, so none in T is hopeful.
 *
 * Configurations are compared exactly.  A set of operations is kept as the
 * number of the first operations up to its last member, and a list of those
 * that are missing among them: short, if few operations overlap. */
#include "verify/core.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "verify/late.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A configuration is a row of words: `upto`, the numbers of missing operations
 * and of states, then the missing operations, then the states, ascending. */
enum { UPTO, MISSING, STATES, HEADER };

struct words {
    uint32_t *at;
    size_t count, capacity;
};

/* Open addressing: number + 1, or 0. */
struct finder {
    uint32_t *slot;
    size_t slots, used;
};

struct prover {
    const struct core *core;
    struct plain *p;
    struct late *late; /* NULL: no step is */
    struct words pool; /* all configurations of the certificate */
    size_t *row;       /* by number: where in the pool          */
    uint32_t rows;     /* read so far                           */
    size_t row_capacity;
    struct finder row_finder;
    struct plain_state **state; /* all states, by number        */
    uint64_t *state_hash;
    uint32_t states;
    size_t state_capacity, hash_capacity;
    struct finder state_finder;
    /* Scratch. */
    struct plain_set set;
    struct words next; /* the configuration behind a step       */
    struct words less; /* and without one operation             */
    uint32_t *enabled; /* operations that real time allows      */
    uint8_t *leads;    /* of each: does it lead out of T?       */
    uint32_t enableds;
    uint32_t *spare; /* operations that the rule may do without */
    uint32_t spares;
};

#define NOWHERE UINT32_MAX

/* ---- rows of words ---- */

static bool add_words(struct prover *v, struct words *w, const uint32_t *from,
                      size_t count)
{
    void *block = w->at;
    const bool grown = plumb_grow(v->p->budget, &block, &w->capacity,
                                  w->count + count, sizeof *w->at);
    w->at = block;
    if (!grown)
        return false;
    if (count)
        memcpy(w->at + w->count, from, count * sizeof *from);
    w->count += count;
    return true;
}

static bool add_word(struct prover *v, struct words *w, uint32_t word)
{
    return add_words(v, w, &word, 1);
}

static size_t row_size(const uint32_t *row)
{
    return HEADER + (size_t)row[MISSING] + row[STATES];
}

static const uint32_t *missing_of(const uint32_t *row)
{
    return row + HEADER;
}

static const uint32_t *states_of(const uint32_t *row)
{
    return row + HEADER + row[MISSING];
}

static const uint32_t *row_at(const struct prover *v, uint32_t number)
{
    return v->pool.at + v->row[number];
}

/* ---- finding rows and states ---- */

static bool make_slot(struct prover *v, struct finder *f,
                      uint64_t (*hash)(const struct prover *v, uint32_t number))
{
    if (2 * (f->used + 1) <= f->slots)
        return true;
    struct finder larger = { .slots = f->slots ? 2 * f->slots : 64,
                             .used = f->used };
    larger.slot =
        plumb_alloc_zeroed(v->p->budget, larger.slots * sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < f->slots; i++) {
        if (!f->slot[i])
            continue;
        size_t j = (size_t)hash(v, f->slot[i] - 1) & (larger.slots - 1);
        while (larger.slot[j])
            j = (j + 1) & (larger.slots - 1);
        larger.slot[j] = f->slot[i];
    }
    plumb_release(v->p->budget, f->slot, f->slots * sizeof *f->slot);
    *f = larger;
    return true;
}

static uint64_t hash_words(const uint32_t *row)
{
    return plumb_hash_bytes(row, row_size(row) * sizeof *row);
}

static uint64_t hash_row(const struct prover *v, uint32_t number)
{
    return hash_words(row_at(v, number));
}

static uint64_t hash_state(const struct prover *v, uint32_t number)
{
    return v->state_hash[number];
}

/* The slot of a configuration, or the free one where it belongs.  There must
 * be slots. */
static size_t row_slot(const struct prover *v, const uint32_t *row)
{
    const struct finder *const f = &v->row_finder;
    const size_t size = row_size(row);
    size_t i = (size_t)hash_words(row) & (f->slots - 1);
    while (f->slot[i]) {
        const uint32_t *const there = row_at(v, f->slot[i] - 1);
        if (row_size(there) == size &&
            memcmp(there, row, size * sizeof *row) == 0)
            break;
        i = (i + 1) & (f->slots - 1);
    }
    return i;
}

static size_t state_slot(const struct prover *v, const struct plain_state *s,
                         uint64_t hash)
{
    const struct finder *const f = &v->state_finder;
    size_t i = (size_t)hash & (f->slots - 1);
    while (f->slot[i] &&
           (v->state_hash[f->slot[i] - 1] != hash ||
            !plumb_plain_state_equal(v->p, v->state[f->slot[i] - 1], s)))
        i = (i + 1) & (f->slots - 1);
    return i;
}

/* Takes over the state.  False when memory is used up. */
static bool number_state(struct prover *v, struct plain_state *s,
                         uint32_t *number)
{
    const uint64_t hash = plumb_plain_state_hash(v->p, s);
    void *state = v->state, *hashes = v->state_hash;
    const bool grown = plumb_grow(v->p->budget, &state, &v->state_capacity,
                                  (size_t)v->states + 1, sizeof *v->state) &&
                       plumb_grow(v->p->budget, &hashes, &v->hash_capacity,
                                  (size_t)v->states + 1, sizeof *v->state_hash);
    v->state = state;
    v->state_hash = hashes;
    if (!grown || v->states == NOWHERE ||
        !make_slot(v, &v->state_finder, hash_state)) {
        plumb_plain_state_free(v->p, s);
        return false;
    }
    uint32_t *const slot = v->state_finder.slot + state_slot(v, s, hash);
    if (*slot) {
        plumb_plain_state_free(v->p, s);
        *number = *slot - 1;
        return true;
    }
    v->state[v->states] = s;
    v->state_hash[v->states] = hash;
    *number = v->states++;
    *slot = v->states;
    v->state_finder.used++;
    return true;
}

static uint32_t find_state(const struct prover *v, const struct plain_state *s)
{
    const uint64_t hash = plumb_plain_state_hash(v->p, s);
    const uint32_t found = v->state_finder.slot[state_slot(v, s, hash)];
    return found ? found - 1 : NOWHERE;
}

/* ---- steps ---- */

/* Those not in the configuration whose call is before the first return among
 * the others that are not in it.  Calls ascend, so only those before it can
 * have returned before it, and behind the first that has to wait all do. */
static void list_enabled(struct prover *v, const uint32_t *row)
{
    const struct core *const c = v->core;
    const uint32_t *const missing = missing_of(row);
    const uint32_t left = c->count - row[UPTO];
    uint32_t first_return = PLUMB_NEVER;
    v->enableds = 0;
    for (uint32_t n = 0; n < row[MISSING] + left; n++) {
        const uint32_t i =
            n < row[MISSING] ? missing[n] : row[UPTO] + n - row[MISSING];
        if (c->op[i].called > first_return)
            break;
        v->enabled[v->enableds++] = i;
        if (c->op[i].ret < first_return)
            first_return = c->op[i].ret;
    }
    v->p->work += v->enableds / 16;
}

/* v->set: the states after operation i. */
static enum plumb_status step_states(struct prover *v, const uint32_t *row,
                                     uint32_t i)
{
    plumb_plain_set_release(v->p, &v->set);
    for (uint32_t n = 0; n < row[STATES]; n++) {
        const enum plumb_status status = plumb_plain_set_add(
            v->p, &v->set,
            plumb_plain_state_copy(v->p, v->state[states_of(row)[n]]));
        if (status != PLUMB_OK)
            return status;
    }
    return plumb_plain_set_step(v->p, &v->set, &v->core->op[i].call, NULL);
}

/* v->next: the operations of `row` and operation i, without states yet. */
static bool step_operations(struct prover *v, const uint32_t *row, uint32_t i)
{
    struct words *const w = &v->next;
    const uint32_t upto = row[UPTO] > i ? row[UPTO] : i + 1;
    const uint32_t header[HEADER] = { upto, 0, 0 };
    w->count = 0;
    if (!add_words(v, w, header, HEADER))
        return false;
    for (uint32_t n = 0; n < row[MISSING]; n++)
        if (missing_of(row)[n] != i && !add_word(v, w, missing_of(row)[n]))
            return false;
    for (uint32_t n = row[UPTO]; n < i; n++)
        if (!add_word(v, w, n))
            return false;
    w->at[MISSING] = (uint32_t)(w->count - HEADER);
    return true;
}

static int compare_words(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void seal(struct words *w)
{
    w->at[STATES] = (uint32_t)(w->count - HEADER - w->at[MISSING]);
    qsort(w->at + HEADER + w->at[MISSING], w->at[STATES], sizeof *w->at,
          compare_words);
}

/* Put the states in v->set, numbered, at the end of v->next. */
static bool add_states(struct prover *v)
{
    while (v->set.count) {
        uint32_t number;
        if (!number_state(v, v->set.member[--v->set.count].state, &number) ||
            !add_word(v, &v->next, number))
            return false;
    }
    seal(&v->next);
    return true;
}

/* The same, but with those that no configuration has as NOWHERE. */
static bool add_known_states(struct prover *v)
{
    for (size_t n = 0; n < v->set.count; n++)
        if (!add_word(v, &v->next, find_state(v, v->set.member[n].state)))
            return false;
    seal(&v->next);
    return true;
}

/* ---- reading the certificate ---- */

/* Number the configuration in v->next: rows + 1, even if it was there. */
static bool add_row(struct prover *v)
{
    void *block = v->row;
    const bool grown = plumb_grow(v->p->budget, &block, &v->row_capacity,
                                  (size_t)v->rows + 1, sizeof *v->row);
    v->row = block;
    if (!grown || !make_slot(v, &v->row_finder, hash_row))
        return false;
    uint32_t *const slot = v->row_finder.slot + row_slot(v, v->next.at);
    if (*slot) {
        v->row[v->rows++] = v->row[*slot - 1];
        return true;
    }
    v->row[v->rows] = v->pool.count;
    if (!add_words(v, &v->pool, v->next.at, v->next.count))
        return false;
    *slot = ++v->rows;
    v->row_finder.used++;
    return true;
}

static bool is_complete(const struct prover *v, const uint32_t *row)
{
    for (uint32_t n = 0; n < row[MISSING]; n++)
        if (!core_op_is_pending(v->core->op + missing_of(row)[n]))
            return false;
    for (uint32_t i = row[UPTO]; i < v->core->count; i++)
        if (!core_op_is_pending(v->core->op + i))
            return false;
    return true;
}

static enum plumb_status reject_step(const struct prover *v, const char *why)
{
    return plumb_fail(v->core->err, PLUMB_EINPUT, 0, 0,
                      "step %lu of the certificate: %s", (unsigned long)v->rows,
                      why);
}

static enum plumb_status add_initial(struct prover *v)
{
    const uint32_t header[HEADER] = { 0, 0, 0 };
    const enum plumb_status status = plumb_plain_set_init(v->p, &v->set);
    if (status != PLUMB_OK || !add_words(v, &v->next, header, HEADER) ||
        !add_states(v) || !add_row(v))
        return plumb_fail_memory(v->core->err);
    return PLUMB_OK;
}

/* The place in the core of an operation of the history. */
static uint32_t find_op(const struct core *c, uint32_t index)
{
    uint32_t low = 0, high = c->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->op[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->op[low].index == index ? low : NOWHERE;
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
    const uint32_t i = find_op(v->core, step->op);
    if (step->parent >= v->rows)
        return reject_step(v, "its parent does not come before it");
    if (i == NOWHERE)
        return reject_step(v, "its operation is not in the core");
    const uint32_t *const row = row_at(v, step->parent);
    if (!is_enabled(v, row, i))
        return reject_step(v, "its operation has taken effect already, or has "
                              "to wait for another");
    const enum plumb_status status = step_states(v, row, i);
    if (status != PLUMB_OK)
        return plumb_words_stop(status, v->core->err);
    if (!v->set.count)
        return reject_step(v, "the states do not allow its operation");
    if (!step_operations(v, row, i) || !add_states(v) || !add_row(v))
        return plumb_fail_memory(v->core->err);
    return PLUMB_OK;
}

/* ---- is it closed? ---- */

static bool is_in_table(const struct prover *v, const uint32_t *row)
{
    return v->row_finder.slot[row_slot(v, row)] != 0;
}

static bool has_same_states(const uint32_t *a, const uint32_t *b)
{
    return a[STATES] == b[STATES] &&
           memcmp(states_of(a), states_of(b), a[STATES] * sizeof *a) == 0;
}

/* Both ascend. */
static bool has_only_states_of(const uint32_t *a, const uint32_t *b)
{
    uint32_t m = 0;
    for (uint32_t n = 0; n < a[STATES]; n++) {
        while (m < b[STATES] && states_of(b)[m] < states_of(a)[n])
            m++;
        if (m == b[STATES] || states_of(b)[m] != states_of(a)[n])
            return false;
    }
    return true;
}

static enum plumb_status look_ahead(struct prover *v, const uint32_t *row,
                                    uint32_t i)
{
    const enum plumb_status status = step_states(v, row, i);
    if (status != PLUMB_OK)
        return plumb_words_stop(status, v->core->err);
    if (!step_operations(v, row, i) || !add_known_states(v))
        return plumb_fail_memory(v->core->err);
    return PLUMB_OK;
}

/* ---- the rule *spare* ---- */

static bool has_operation(const uint32_t *row, uint32_t i)
{
    return i < row[UPTO] &&
           !bsearch(&i, missing_of(row), row[MISSING], sizeof i, compare_words);
}

static bool is_spare(const struct core_op *o)
{
    return core_op_is_pending(o) && !o->reads;
}

/* v->less: `row` without operation i, which it has. */
static bool drop_operation(struct prover *v, const uint32_t *row, uint32_t i)
{
    struct words *const w = &v->less;
    const uint32_t *const missing = missing_of(row);
    uint32_t before = 0;
    while (before < row[MISSING] && missing[before] < i)
        before++;
    w->count = 0;
    if (!add_words(v, w, row, HEADER) || !add_words(v, w, missing, before) ||
        !add_word(v, w, i) ||
        !add_words(v, w, missing + before, row[MISSING] - before))
        return false;
    while (w->count > HEADER && w->at[w->count - 1] == w->at[UPTO] - 1) {
        w->count--; /* a row ends with its last member */
        w->at[UPTO]--;
    }
    w->at[MISSING] = (uint32_t)(w->count - HEADER);
    return add_words(v, w, states_of(row), row[STATES]);
}

/* Is v->next in the table, or a configuration that spares an operation? */
static enum plumb_status look_up(struct prover *v, bool *covered)
{
    *covered = is_in_table(v, v->next.at);
    for (uint32_t n = 0; n < v->spares && !*covered; n++) {
        if (!has_operation(v->next.at, v->spare[n]))
            continue;
        if (!drop_operation(v, v->next.at, v->spare[n]))
            return plumb_fail_memory(v->core->err);
        *covered = is_in_table(v, v->less.at);
    }
    return PLUMB_OK;
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
        if (status == PLUMB_OK && has_same_states(v->next.at, row))
            status = look_up(v, closed);
        if (status != PLUMB_OK)
            return status;
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

static bool same_answers(const struct plain_seen *a, const struct plain_seen *b)
{
    if (!a || !b)
        return a == b;
    return a->nres == b->nres && same_values(a->res, b->res, a->nres) &&
           plumb_plain_same(a->term, strlen(a->term), b->term, strlen(b->term));
}

static bool are_twins(const struct prover *v, const struct core_op *a,
                      const struct core_op *b)
{
    const struct plain_call *const x = &a->call, *const y = &b->call;
    return x->operation == y->operation && x->nargs == y->nargs &&
           same_values(x->args, y->args, x->nargs) &&
           same_answers(x->seen, y->seen) &&
           (!v->p->type->looks_at_thread || x->thread == y->thread);
}

enum { LEADS_OUT, LEADS_IN, NEED_NOT };

/* The rule *twin*, for the n-th operation that is enabled. */
static bool has_twin(const struct prover *v, uint32_t n)
{
    const struct core_op *const o = v->core->op + v->enabled[n];
    for (uint32_t m = 0; m < v->enableds; m++) {
        const struct core_op *const t = v->core->op + v->enabled[m];
        if (v->leads[m] == LEADS_IN && t->ret <= o->ret && are_twins(v, o, t))
            return true;
    }
    return false;
}

/* Is the step of v->next not allowed at all, or idle? */
static bool need_not(const struct prover *v, const uint32_t *row, uint32_t i)
{
    if (!v->set.count)
        return true;
    return core_op_is_pending(v->core->op + i) &&
           has_only_states_of(v->next.at, row);
}

static enum plumb_status look_around(struct prover *v, const uint32_t *row)
{
    for (uint32_t n = 0; n < v->enableds; n++) {
        bool covered = false;
        enum plumb_status status = look_ahead(v, row, v->enabled[n]);
        const bool need =
            status == PLUMB_OK && !need_not(v, row, v->enabled[n]);
        if (need)
            status = look_up(v, &covered);
        if (status != PLUMB_OK)
            return status;
        v->leads[n] = !need ? NEED_NOT : covered ? LEADS_IN : LEADS_OUT;
    }
    return PLUMB_OK;
}

/* Does the n-th enabled operation lead out, and no rule makes it superfluous?
 */
static bool is_open(const struct prover *v, const uint32_t *row, uint32_t n)
{
    return v->leads[n] == LEADS_OUT && !has_twin(v, n) &&
           !plumb_late_is(v->late, v->enabled[n], row[UPTO], missing_of(row),
                          row[MISSING]);
}

static enum plumb_status reject_open(const struct prover *v, uint32_t number,
                                     uint32_t op)
{
    char words[PLUMB_WORDS];
    const uint32_t index = v->core->op[op].index;
    plumb_words_of_operation(v->core->h, index, words);
    return plumb_words_fail(v->core->h, index, v->core->err,
                            "configuration %lu of the certificate: the step "
                            "by %s leads out of it",
                            (unsigned long)number, words);
}

static enum plumb_status check_row(struct prover *v, uint32_t number)
{
    const uint32_t *const row = row_at(v, number);
    bool closed;
    if (is_complete(v, row))
        return plumb_fail(v->core->err, PLUMB_EINPUT, 0, 0,
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
    for (uint32_t n = 0; n < v->rows && status == PLUMB_OK; n++) {
        if (v->row[n] != fresh)
            continue;
        fresh += row_size(row_at(v, n));
        status = check_row(v, n);
    }
    return status;
}

static void release(struct prover *v)
{
    struct plumb_budget *const b = v->p->budget;
    for (uint32_t i = 0; i < v->states; i++)
        plumb_plain_state_free(v->p, v->state[i]);
    plumb_release(b, v->state, v->state_capacity * sizeof *v->state);
    plumb_release(b, v->state_hash, v->hash_capacity * sizeof *v->state_hash);
    plumb_release(b, v->state_finder.slot,
                  v->state_finder.slots * sizeof *v->state_finder.slot);
    plumb_release(b, v->row, v->row_capacity * sizeof *v->row);
    plumb_release(b, v->row_finder.slot,
                  v->row_finder.slots * sizeof *v->row_finder.slot);
    plumb_release(b, v->pool.at, v->pool.capacity * sizeof *v->pool.at);
    plumb_release(b, v->next.at, v->next.capacity * sizeof *v->next.at);
    plumb_release(b, v->less.at, v->less.capacity * sizeof *v->less.at);
    plumb_release(b, v->spare, v->core->count * sizeof *v->spare);
    plumb_release(b, v->enabled, v->core->count * sizeof *v->enabled);
    plumb_release(b, v->leads, v->core->count);
    plumb_plain_set_release(v->p, &v->set);
    plumb_late_free(v->late);
}

enum plumb_status plumb_core_certify(const struct core *core,
                                     const struct plumb_certificate_step *step,
                                     uint32_t count)
{
    struct prover v = { .core = core, .p = core->p };
    assert(core->count);
    v.enabled = plumb_alloc(v.p->budget, core->count * sizeof *v.enabled);
    v.leads = plumb_alloc(v.p->budget, core->count);
    v.spare = plumb_alloc(v.p->budget, core->count * sizeof *v.spare);
    for (uint32_t i = 0; v.spare && i < core->count; i++)
        if (is_spare(core->op + i))
            v.spare[v.spares++] = i;
    const enum plumb_status status =
        !v.enabled || !v.leads || !v.spare || !plumb_late_new(core, &v.late)
            ? plumb_fail_memory(core->err)
        : count >= UINT32_MAX - 2
            ? plumb_fail(core->err, PLUMB_EINPUT, 0, 0,
                         "the certificate has too many steps")
            : prove(&v, step, count);
    release(&v);
    return status;
}
