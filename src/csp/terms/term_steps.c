/* term_steps.c - the steps of any term in a state.
 *
 * Each operator works on the steps its operands have added: it turns events
 * and targets into its own, in place. */
#include "term_steps.h"

#include "base/fail.h"
#include "participants.h"
#include "term_moves.h"
#include <string.h>

/* ---- what operators need ---- */

enum plumb_status plumb_csp_term_aim(struct plumb_csp_stepping *g, uint32_t k,
                                     uint32_t term)
{
    if (term == PLUMB_NO_TERM)
        return g->err->status;
    const uint32_t normal = plumb_csp_term_normal(g->t, term, g->err);
    if (normal == PLUMB_NO_TERM)
        return g->err->status;
    *plumb_csp_term_target(g, k) = normal;
    return PLUMB_OK;
}

enum plumb_status plumb_csp_term_add_step(struct plumb_csp_stepping *g,
                                          struct plumb_csp_step step,
                                          const uint32_t *globals,
                                          uint32_t term)
{
    const size_t stride = plumb_csp_term_stride(g);
    struct plumb_budget *const budget = g->t->world->budget;
    uint32_t *const v =
        plumb_csp_steps_vector(g->steps, stride, budget, &step.target);
    if (!v || !plumb_csp_steps_add(g->steps, &step, budget))
        return plumb_base_fail_memory(g->err);
    memcpy(v, globals, (stride - 1) * sizeof *v);
    PLUMB_TRY(plumb_csp_steps_in_time(g->t->world, g->steps->count, g->err));
    return plumb_csp_term_aim(g, g->steps->count - 1, term);
}

enum plumb_status plumb_csp_term_holds(struct plumb_csp_stepping *g,
                                       uint32_t formula, bool *holds)
{
    int32_t value = 1;
    enum plumb_status status = PLUMB_OK;
    if (formula != PLUMB_NONE)
        status =
            plumb_csp_formula_value(g->t->world->formulas, formula,
                                    (const int32_t *)g->before, &value, g->err);
    *holds = value != 0;
    return status;
}

/* The operand goes on inside `term`. */
static enum plumb_status keep_around(struct plumb_csp_stepping *g, uint32_t k,
                                     uint32_t term, uint32_t operand)
{
    const uint32_t made = plumb_csp_term_replace(
        g->t, term, operand, *plumb_csp_term_target(g, k), g->err);
    return plumb_csp_term_aim(g, k, made);
}

static const uint32_t *operands(const struct plumb_csp_stepping *g,
                                uint32_t term)
{
    return g->t->node[term].operand;
}

/* ---- operators of one thread ---- */

static enum plumb_status go_sequence(struct plumb_csp_stepping *g,
                                     uint32_t term)
{
    uint32_t k = g->steps->count;
    enum plumb_status status = plumb_csp_term_go(g, operands(g, term)[0]);
    for (; !status && k < g->steps->count; k++) {
        if (g->steps->step[k].event == PLUMB_TICK) {
            g->steps->step[k].event = PLUMB_TAU;
            status = plumb_csp_term_aim(g, k, operands(g, term)[1]);
        } else {
            status = keep_around(g, k, term, 0);
        }
    }
    return status;
}

static enum plumb_status go_atomic(struct plumb_csp_stepping *g, uint32_t term)
{
    uint32_t k = g->steps->count;
    enum plumb_status status = plumb_csp_term_go(g, operands(g, term)[0]);
    for (; !status && k < g->steps->count; k++) {
        g->steps->step[k].atomic = true;
        status = keep_around(g, k, term, 0);
    }
    return status;
}

static enum plumb_status go_choice(struct plumb_csp_stepping *g, uint32_t term)
{
    const struct plumb_csp_term_node n = g->t->node[term];
    enum plumb_status status = PLUMB_OK;
    for (uint32_t i = 0; !status && i < n.count; i++)
        status = plumb_csp_term_go(g, n.operand[i]);
    return status;
}

/* A guard, which has no operand for a test that fails; or an ifa. */
static enum plumb_status go_test(struct plumb_csp_stepping *g, uint32_t term)
{
    const struct plumb_csp_term_node n = g->t->node[term];
    bool holds;
    const enum plumb_status status =
        plumb_csp_term_holds(g, n.operand[0], &holds);
    const uint32_t child = holds ? 1 : 2;
    return status || child == n.count ? status
                                      : plumb_csp_term_go(g, n.operand[child]);
}

static enum plumb_status go_assert(struct plumb_csp_stepping *g, uint32_t term)
{
    bool holds;
    const struct plumb_csp_place at = plumb_csp_term_place(g->t, term);
    const enum plumb_status status =
        plumb_csp_term_holds(g, operands(g, term)[0], &holds);
    if (status || g->offer)
        return status;
    if (!holds)
        return plumb_base_fail(g->err, PLUMB_EINPUT, at.line, at.column,
                               "the assertion does not hold");
    const struct plumb_csp_step step = { .event = PLUMB_TAU, .place = at };
    return plumb_csp_term_add_step(g, step, g->base, operands(g, term)[1]);
}

/* Arguments that mention globals get the values they have now. */
static enum plumb_status go_reference(struct plumb_csp_stepping *g,
                                      uint32_t term)
{
    const uint32_t settled =
        plumb_csp_term_settle(g->t, term, g->before, g->err);
    if (settled == PLUMB_NO_TERM)
        return g->err->status;
    return plumb_csp_term_go(g, settled);
}

/* ---- what cannot be unfolded ---- */

/* A bound has no value, or there are too many values, or fewer copies than
 * none. */
static enum plumb_status go_indexed(struct plumb_csp_stepping *g, uint32_t term)
{
    const struct plumb_csp_term_node n = g->t->node[term];
    const struct plumb_csp_place at = plumb_csp_term_place(g->t, term);
    int32_t value = 0;
    for (uint32_t i = 0; i < n.operand[2]; i++)
        if (plumb_csp_formula_value(g->t->world->formulas, n.operand[3 + i],
                                    (const int32_t *)g->before, &value, g->err))
            return g->err->status;
    if (n.operand[0] == PLUMB_COPIES)
        return plumb_base_fail(g->err, PLUMB_EINPUT, at.line, at.column,
                               "%d copies; the number cannot be negative",
                               (int)value);
    return plumb_base_fail(g->err, PLUMB_EINPUT, at.line, at.column,
                           "the range has more than %d values",
                           PLUMB_MOST_VALUES);
}

static enum plumb_status go_outside(struct plumb_csp_stepping *g, uint32_t term)
{
    const struct plumb_csp_terms *const t = g->t;
    const struct plumb_csp_term_node n = t->node[term];
    const uint32_t *const reference = operands(g, n.operand[0]);
    const struct plumb_csp_definition *const d =
        &t->world->model->definition[reference[0]];
    const struct plumb_csp_bounds of = d->bounds[n.operand[1]];
    const struct plumb_csp_place at = plumb_csp_term_place(t, term);
    const char *const name = d->parameter[n.operand[1]];
    const char *const index = strchr(name, '.'); /* of an array's element */
    int32_t value = 0;
    plumb_csp_formula_is_constant(t->world->formulas,
                                  reference[1 + n.operand[1]], &value);
    return plumb_base_fail(
        g->err, PLUMB_EINPUT, at.line, at.column,
        "%d is outside the range %d..%d of parameter %.*s%s%s%s of %s",
        (int)value, (int)of.low, (int)of.high, (int)strcspn(name, "."), name,
        index ? "[" : "", index ? index + 1 : "", index ? "]" : "", d->name);
}

/* ---- operators that several take part in, one at a time ---- */

static bool is_visible(const struct plumb_csp_step *s)
{
    return s->event != PLUMB_TAU;
}

static enum plumb_status go_hide(struct plumb_csp_stepping *g, uint32_t term)
{
    uint32_t k = g->steps->count;
    const uint32_t set = operands(g, term)[1];
    enum plumb_status status = plumb_csp_term_go(g, operands(g, term)[0]);
    for (; !status && k < g->steps->count; k++) {
        struct plumb_csp_step *const s = &g->steps->step[k];
        if (!s->half && !g->offer &&
            plumb_csp_event_sets_has(&g->t->sets, set, s->event)) {
            s->inside = s->event;
            s->event = PLUMB_TAU;
        }
        status = keep_around(g, k, term, 0);
    }
    return status;
}

/* What is seen decides; taus go on undecided. */
static enum plumb_status go_external(struct plumb_csp_stepping *g,
                                     uint32_t term)
{
    const struct plumb_csp_term_node n = g->t->node[term];
    enum plumb_status status = PLUMB_OK;
    for (uint32_t i = 0; !status && i < n.count; i++) {
        uint32_t k = g->steps->count;
        status = plumb_csp_term_go(g, n.operand[i]);
        for (; !status && k < g->steps->count; k++)
            if (!is_visible(&g->steps->step[k]))
                status = keep_around(g, k, term, i);
    }
    return status;
}

/* The first that is seen of the second operand ends the first one. */
static enum plumb_status go_interrupt(struct plumb_csp_stepping *g,
                                      uint32_t term)
{
    uint32_t k = g->steps->count;
    enum plumb_status status = plumb_csp_term_go(g, operands(g, term)[0]);
    for (; !status && k < g->steps->count; k++)
        if (g->steps->step[k].event != PLUMB_TICK)
            status = keep_around(g, k, term, 0);
    struct plumb_csp_stepping second = *g;
    second.who = NULL;
    if (!status)
        status = plumb_csp_term_go(&second, operands(g, term)[1]);
    for (; !status && k < g->steps->count; k++)
        if (!is_visible(&g->steps->step[k]))
            status = keep_around(g, k, term, 1);
    return status;
}

/* ---- all of them ---- */

/* The others are always plain or not acting. */
static enum plumb_status go_operator(struct plumb_csp_stepping *g,
                                     uint32_t term)
{
    static enum plumb_status (*const go[])(struct plumb_csp_stepping * g,
                                           uint32_t term) = {
        [PLUMB_TERM_SEND] = plumb_csp_channel_send,
        [PLUMB_TERM_RECEIVE] = plumb_csp_channel_receive,
        [PLUMB_TERM_REFERENCE] = go_reference,
        [PLUMB_TERM_SEQUENCE] = go_sequence,
        [PLUMB_TERM_CHOICE] = go_choice,
        [PLUMB_TERM_EXTERNAL] = go_external,
        [PLUMB_TERM_INTERLEAVE] = plumb_csp_several_go,
        [PLUMB_TERM_SYNCHRONY] = plumb_csp_several_go,
        [PLUMB_TERM_MULTISET] = plumb_csp_copies_go,
        [PLUMB_TERM_HIDE] = go_hide,
        [PLUMB_TERM_INTERRUPT] = go_interrupt,
        [PLUMB_TERM_GUARD] = go_test,
        [PLUMB_TERM_IFA] = go_test,
        [PLUMB_TERM_ATOMIC] = go_atomic,
        [PLUMB_TERM_ASSERT] = go_assert,
        [PLUMB_TERM_INDEXED] = go_indexed,
        [PLUMB_TERM_OUTSIDE] = go_outside,
    };
    const uint16_t operation = g->t->node[term].operation;
    return go[operation] ? go[operation](g, term) : PLUMB_OK;
}

/* Is what a term does done by those in it?  A choice has to be made first. */
static bool passes_on(const struct plumb_csp_terms *t, uint32_t term)
{
    switch ((enum plumb_csp_term_kind)t->node[term].operation) {
    case PLUMB_TERM_REFERENCE:
    case PLUMB_TERM_SEQUENCE:
    case PLUMB_TERM_INTERLEAVE:
    case PLUMB_TERM_SYNCHRONY:
    case PLUMB_TERM_MULTISET:
    case PLUMB_TERM_HIDE:
    case PLUMB_TERM_INTERRUPT:
    case PLUMB_TERM_ATOMIC:
        return true;
    default:
        return plumb_csp_participants_settled_test(t, term) != PLUMB_NO_TERM;
    }
}

static enum plumb_status go_not_plain(struct plumb_csp_stepping *g,
                                      uint32_t term)
{
    struct plumb_csp_stepping own = *g;
    if (!g->who || passes_on(g->t, term))
        return go_operator(g, term);
    own.who = NULL;
    return go_operator(&own, term);
}

static enum plumb_status go_acting(struct plumb_csp_stepping *g, uint32_t term)
{
    bool failed;
    if (!plumb_csp_term_is_plain(g->t, term, &failed, g->err))
        return failed ? g->err->status : go_not_plain(g, term);
    if (g->offer)
        return PLUMB_OK;
    const size_t globals = g->t->world->model->slots;
    const struct plumb_csp_layout layout = { g->before, globals, globals + 1,
                                             globals };
    return plumb_csp_term_moves_steps(g->t, term, &layout, g->steps, g->err);
}

enum plumb_status plumb_csp_term_go(struct plumb_csp_stepping *g, uint32_t term)
{
    if (!plumb_csp_term_enter(g->t, term, g->err))
        return g->err->status;
    const uint32_t acting = plumb_csp_term_acting(g->t, term, g->err);
    const enum plumb_status status =
        acting == PLUMB_NO_TERM ? g->err->status : go_acting(g, acting);
    plumb_csp_term_leave(g->t);
    return status;
}
