/* term_normal.c - terms as they stand in states.
 *
 * Which processes are one state is what counts of states depend on; the rules
 * are those of PAT, found by comparing counts:
 * - Skip;Q is Q, so that a process that ends does not need a step for it;
 * - PAT 3: a reference whose arguments are known is what it stands for, where
 *   it is a state or a part of one that steps leave in place; what stands
 *   behind an arrow is not looked at before it is reached;
 * - PAT 2: a reference is itself. */
#include "base/fail.h"
#include "base/memory.h"
#include "term_build.h"
#include "term_reach.h"
#include "term_steps.h"
#include "term_store.h"

bool plumb_csp_term_is_settled(const struct plumb_csp_terms *t,
                               uint32_t reference)
{
    const struct plumb_csp_term_node *const n = &t->node[reference];
    int32_t value;
    for (uint32_t i = 1; i < n->count; i++)
        if (!plumb_csp_formula_is_constant(t->world->formulas, n->operand[i],
                                           &value))
            return false;
    return true;
}

/* ---- what a reference stands for ---- */

static void bind_parameters(const struct plumb_csp_terms *t, uint32_t reference,
                            plumb_csp_binding *binding, uint32_t locals)
{
    const struct plumb_csp_term_node *const n = &t->node[reference];
    int32_t value;
    for (uint32_t i = 0; i < locals; i++)
        binding[i] = UINT32_MAX;
    for (uint32_t i = 1; i < n->count && i <= locals; i++)
        if (plumb_csp_formula_is_constant(t->world->formulas, n->operand[i],
                                          &value))
            binding[i - 1] = n->operand[i];
}

/* The first parameter whose argument is not in its range. */
static uint32_t find_outside(const struct plumb_csp_terms *t,
                             uint32_t reference,
                             const struct plumb_csp_definition *d)
{
    const struct plumb_csp_term_node *const n = &t->node[reference];
    int32_t value;
    for (uint32_t i = 0; d->bounds && i < d->parameters; i++)
        if (plumb_csp_formula_is_constant(t->world->formulas, n->operand[1 + i],
                                          &value) &&
            (value < d->bounds[i].low || value > d->bounds[i].high))
            return i;
    return PLUMB_NONE;
}

static uint32_t build_body(struct plumb_csp_terms *t, uint32_t reference,
                           struct plumb_error *err)
{
    const struct plumb_csp_definition *const d =
        &t->world->model->definition[t->node[reference].operand[0]];
    struct plumb_budget *const budget = t->world->budget;
    const uint32_t outside[2] = { reference, find_outside(t, reference, d) };
    if (outside[1] != PLUMB_NONE)
        return plumb_csp_term_make(t, PLUMB_TERM_OUTSIDE, outside, 2,
                                   t->node[reference].origin, err);
    const size_t size = ((size_t)d->locals + 1) * sizeof(plumb_csp_binding);
    plumb_csp_binding *const binding = plumb_base_alloc(budget, size);
    if (!binding)
        return plumb_csp_term_refuse(err);
    bind_parameters(t, reference, binding, d->locals);
    const uint32_t body =
        plumb_csp_term_build(t, d->body, binding, d->locals, err);
    plumb_base_release(budget, binding, size);
    return body;
}

uint32_t plumb_csp_term_body(struct plumb_csp_terms *t, uint32_t reference,
                             struct plumb_error *err)
{
    if (t->node[reference].body == PLUMB_UNKNOWN) {
        const uint32_t body = build_body(t, reference, err);
        if (body == PLUMB_NO_TERM)
            return PLUMB_NO_TERM;
        t->node[reference].body = body;
    }
    return t->node[reference].body;
}

uint32_t plumb_csp_term_settle(struct plumb_csp_terms *t, uint32_t reference,
                               const uint32_t *globals, struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[reference];
    const size_t from = t->listed;
    bool good = plumb_csp_term_push(t, n.operand[0]);
    for (uint32_t i = 1; good && i < n.count; i++) {
        int32_t value;
        if (plumb_csp_formula_value(t->world->formulas, n.operand[i],
                                    (const int32_t *)globals, &value, err)) {
            t->listed = from;
            return PLUMB_NO_TERM;
        }
        const uint32_t formula =
            plumb_csp_formula_constant(t->world->formulas, value);
        good = formula != PLUMB_NO_FORMULA && plumb_csp_term_push(t, formula);
    }
    return good ? plumb_csp_term_pop(t, from, PLUMB_TERM_REFERENCE, n.origin,
                                     err)
                : plumb_csp_term_drop(t, from, err);
}

/* ---- normal forms ---- */

static uint32_t normal_reference(struct plumb_csp_terms *t, uint32_t term,
                                 struct plumb_error *err)
{
    if (t->world->counting == PLUMB_COUNT_PAT2 ||
        !plumb_csp_term_is_settled(t, term))
        return term;
    const uint32_t body = plumb_csp_term_body(t, term, err);
    return body == PLUMB_NO_TERM ? body : plumb_csp_term_normal(t, body, err);
}

static uint32_t normal_sequence(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    const uint32_t *const operand = t->node[term].operand;
    const uint32_t first = plumb_csp_term_normal(t, operand[0], err);
    if (first == PLUMB_NO_TERM)
        return first;
    if (first == PLUMB_SKIPPED)
        return plumb_csp_term_normal(t, operand[1], err);
    return plumb_csp_term_replace(t, term, 0, first, err);
}

static uint32_t normal_atomic(struct plumb_csp_terms *t, uint32_t term,
                              struct plumb_error *err)
{
    const uint32_t child =
        plumb_csp_term_normal(t, t->node[term].operand[0], err);
    if (child == PLUMB_NO_TERM || child == PLUMB_SKIPPED ||
        child == PLUMB_STOPPED || t->node[child].operation == PLUMB_TERM_ATOMIC)
        return child;
    return plumb_csp_term_replace(t, term, 0, child, err);
}

static uint32_t normal_children(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    const struct plumb_csp_children c = plumb_csp_term_children(&t->node[term]);
    uint32_t made = term;
    for (uint32_t i = 0; i < c.count && made != PLUMB_NO_TERM; i++) {
        const uint32_t child = t->node[term].operand[c.first + i * c.step];
        const uint32_t normal = plumb_csp_term_normal(t, child, err);
        made = normal == PLUMB_NO_TERM
                   ? normal
                   : plumb_csp_term_replace(t, made, i, normal, err);
    }
    return made;
}

/* The alphabets are those of the text, before anything is unfolded. */
static uint32_t normal_parallel(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    const size_t from = t->listed;
    bool good = true;
    for (uint32_t i = 0; good && i < n.count; i++)
        good = plumb_csp_term_push(t, n.operand[i]);
    for (uint32_t i = 0; good && i < n.count; i++) {
        const uint32_t set = plumb_csp_term_alphabet(t, n.operand[i], err);
        if (set == PLUMB_NO_SET) {
            t->listed = from;
            return PLUMB_NO_TERM;
        }
        good = plumb_csp_term_push(t, set);
    }
    if (!good)
        return plumb_csp_term_drop(t, from, err);
    const uint32_t made =
        plumb_csp_term_pop(t, from, PLUMB_TERM_SYNCHRONY, n.origin, err);
    return made == PLUMB_NO_TERM ? made : normal_children(t, made, err);
}

/* Is all of `set` hidden by `term` itself, a HIDE or a HIDE of one? */
static bool is_hidden_below(const struct plumb_csp_terms *t, uint32_t term,
                            uint32_t set)
{
    for (; t->node[term].operation == PLUMB_TERM_HIDE;
         term = t->node[term].operand[0])
        if (plumb_csp_event_sets_within(&t->sets, set,
                                        t->node[term].operand[1]))
            return true;
    return false;
}

/* `term` where `set` is hidden around it: of the HIDEs it begins with, those
 * that hide no more than that are left out.  So a process that hides each time
 * it comes back to itself does not grow. */
static uint32_t without_hiding(struct plumb_csp_terms *t, uint32_t term,
                               uint32_t set, struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    if (n.operation != PLUMB_TERM_HIDE)
        return term;
    const uint32_t child = without_hiding(t, n.operand[0], set, err);
    if (child == PLUMB_NO_TERM ||
        plumb_csp_event_sets_within(&t->sets, n.operand[1], set))
        return child;
    return plumb_csp_term_replace(t, term, 0, child, err);
}

static uint32_t normal_hide(struct plumb_csp_terms *t, uint32_t term,
                            struct plumb_error *err)
{
    const uint32_t set = t->node[term].operand[1];
    struct plumb_csp_world *const w = t->world;
    if (plumb_csp_event_sets_ready(&t->sets, w->events, w->formulas, set, err))
        return PLUMB_NO_TERM;
    uint32_t child = plumb_csp_term_normal(t, t->node[term].operand[0], err);
    if (child == PLUMB_NO_TERM || is_hidden_below(t, child, set))
        return child;
    child = without_hiding(t, child, set, err);
    return child == PLUMB_NO_TERM
               ? child
               : plumb_csp_term_replace(t, term, 0, child, err);
}

static uint32_t work_out_normal(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    switch ((enum plumb_csp_term_kind)t->node[term].operation) {
    case PLUMB_TERM_REFERENCE:
        return normal_reference(t, term, err);
    case PLUMB_TERM_SEQUENCE:
        return normal_sequence(t, term, err);
    case PLUMB_TERM_ATOMIC:
        return normal_atomic(t, term, err);
    case PLUMB_TERM_PARALLEL:
        return normal_parallel(t, term, err);
    case PLUMB_TERM_COPIES:
        return plumb_csp_copies_normal(t, term, err);
    case PLUMB_TERM_HIDE:
        return normal_hide(t, term, err);
    case PLUMB_TERM_INTERLEAVE:
    case PLUMB_TERM_SYNCHRONY:
    case PLUMB_TERM_INTERRUPT:
    case PLUMB_TERM_EXTERNAL:
        return normal_children(t, term, err);
    default:
        return term;
    }
}

uint32_t plumb_csp_term_normal(struct plumb_csp_terms *t, uint32_t term,
                               struct plumb_error *err)
{
    if (t->node[term].normal != PLUMB_UNKNOWN)
        return t->node[term].normal;
    if (!plumb_csp_term_enter(t, term, err))
        return PLUMB_NO_TERM;
    const uint32_t normal = work_out_normal(t, term, err);
    plumb_csp_term_leave(t);
    if (normal == PLUMB_NO_TERM)
        return normal;
    t->node[term].normal = normal;
    t->node[normal].normal = normal;
    return normal;
}

static uint32_t work_out_acting(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    term = plumb_csp_term_normal(t, term, err);
    if (term == PLUMB_NO_TERM ||
        t->node[term].operation != PLUMB_TERM_REFERENCE ||
        !plumb_csp_term_is_settled(t, term))
        return term;
    const uint32_t body = plumb_csp_term_body(t, term, err);
    return body == PLUMB_NO_TERM ? body : plumb_csp_term_acting(t, body, err);
}

uint32_t plumb_csp_term_acting(struct plumb_csp_terms *t, uint32_t term,
                               struct plumb_error *err)
{
    if (t->node[term].acting != PLUMB_UNKNOWN)
        return t->node[term].acting;
    if (!plumb_csp_term_enter(t, term, err))
        return PLUMB_NO_TERM;
    const uint32_t acting = work_out_acting(t, term, err);
    plumb_csp_term_leave(t);
    if (acting != PLUMB_NO_TERM)
        t->node[term].acting = acting;
    return acting;
}
