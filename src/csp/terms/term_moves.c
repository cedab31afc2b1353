/* term_moves.c - the moves of plain terms, worked out once.
 *
 * Choice is the union of moves, a condition is one more thing to hold, P;Q
 * turns the end of P into a tau.  All of that is done here and never again:
 * in a state there are only guards to evaluate and effects to run. */
#include "term_moves.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/states/steps.h"
#include <string.h>

enum answer { PLAIN, NOT_PLAIN, FAILED };

/* A term whose first steps are behind more than PLUMB_FARTHEST operators, or
 * that has more alternatives for its conditions, is not worked out but looked at state
 * by state: conditions may end there what has no end here. */
enum { MOST_ALTERNATIVES = 64 };

/* What is put around moves that come from an operand. */
struct around {
    uint32_t guard; /* one more condition, or PLUMB_NONE            */
    uint32_t term;  /* a SEQUENCE or ATOMIC that stays, or PLUMB_NONE */
};

static enum answer moves_of(struct plumb_csp_terms *t, uint32_t term,
                            uint32_t *acting, struct plumb_error *err);

static enum answer refused(struct plumb_error *err)
{
    plumb_base_fail_memory(err);
    return FAILED;
}

/* ---- conditions: PLUMB_NONE is true ---- */

/* False when memory is refused. */
static bool conjoin(struct plumb_csp_terms *t, uint32_t a, uint32_t b,
                    uint32_t *both)
{
    if (plumb_csp_term_always(t, a))
        a = PLUMB_NONE;
    if (plumb_csp_term_always(t, b))
        b = PLUMB_NONE;
    if (a == PLUMB_NONE || b == PLUMB_NONE) {
        *both = a == PLUMB_NONE ? b : a;
        return true;
    }
    *both = plumb_csp_formula_and(t->world->formulas, a, b);
    return *both != PLUMB_NO_FORMULA;
}

static bool negate(struct plumb_csp_terms *t, uint32_t formula,
                   uint32_t *opposite)
{
    *opposite = plumb_csp_formula_not(t->world->formulas, formula);
    return *opposite != PLUMB_NO_FORMULA;
}

/* ---- adding moves ---- */

static enum answer add(struct plumb_csp_terms *t,
                       const struct plumb_csp_move *m, struct plumb_error *err)
{
    if (plumb_csp_term_never(t, m->guard))
        return PLAIN;
    if (!PLUMB_GROW(t->world->budget, t->move, t->move_capacity, t->moves + 1))
        return refused(err);
    t->move[t->moves] = *m;
    if (plumb_csp_term_always(t, m->guard))
        t->move[t->moves].guard = PLUMB_NONE;
    t->moves++;
    return PLAIN;
}

static enum answer add_tau(struct plumb_csp_terms *t, uint32_t term,
                           uint32_t guard, uint32_t target,
                           struct plumb_error *err)
{
    return add(t,
               &(struct plumb_csp_move){ .guard = guard,
                                         .event = PLUMB_TAU,
                                         .target = target,
                                         .prefix = term },
               err);
}

static enum answer add_wrapped(struct plumb_csp_terms *t,
                               struct plumb_csp_move m,
                               const struct around *around,
                               struct plumb_error *err)
{
    if (!conjoin(t, around->guard, m.guard, &m.guard))
        return refused(err);
    if (around->term != PLUMB_NONE) {
        const struct plumb_csp_term_node n = t->node[around->term];
        const bool sequence = n.operation == PLUMB_TERM_SEQUENCE;
        m.atomic |= !sequence;
        m.settled = false;
        if (sequence && m.event == PLUMB_TICK) {
            m.event = PLUMB_TAU;
            m.target = n.operand[1];
        } else if (m.event != PLUMB_TICK) {
            m.target =
                plumb_csp_term_replace(t, around->term, 0, m.target, err);
            if (m.target == PLUMB_NO_TERM)
                return FAILED;
        }
    }
    return add(t, &m, err);
}

/* The moves of `acting`, which are known. */
static enum answer add_all(struct plumb_csp_terms *t, uint32_t acting,
                           const struct around *around, struct plumb_error *err)
{
    const uint32_t first = t->node[acting].moves;
    for (uint32_t i = 0; i < t->node[acting].move_count; i++)
        if (add_wrapped(t, t->move[first + i], around, err))
            return FAILED;
    return PLAIN;
}

/* ---- the operators ---- */

static enum answer prefix_moves(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    struct plumb_csp_move m = { .guard = PLUMB_NONE,
                                .event = PLUMB_TAU,
                                .effect = n.operand[1],
                                .target = n.operand[2],
                                .prefix = term,
                                .program = n.operand[1] != 0 };
    bool known = true;
    int32_t value;
    for (uint32_t i = 3; i < n.count; i++)
        known &= plumb_csp_formula_is_constant(t->world->formulas, n.operand[i],
                                               &value);
    if (!known)
        m.event = PLUMB_UNKNOWN;
    else if (n.operand[0] != PLUMB_UNNAMED)
        m.event = plumb_csp_term_event(t, term, NULL, err);
    if (known && m.event == UINT32_MAX)
        return FAILED;
    return add(t, &m, err);
}

static enum answer if_moves(struct plumb_csp_terms *t, uint32_t term,
                            struct plumb_error *err)
{
    const uint32_t *const operand = t->node[term].operand;
    uint32_t otherwise;
    if (!negate(t, operand[0], &otherwise))
        return refused(err);
    if (add_tau(t, term, operand[0], operand[1], err))
        return FAILED;
    return add_tau(t, term, otherwise, operand[2], err);
}

/* The first condition that holds: each excludes those before it. */
static enum answer case_moves(struct plumb_csp_terms *t, uint32_t term,
                              struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    uint32_t before = PLUMB_NONE;
    for (uint32_t i = 0; i < n.count; i += 2) {
        uint32_t here, opposite;
        if (!conjoin(t, before, n.operand[i], &here))
            return refused(err);
        if (add_tau(t, term, here, n.operand[i + 1], err))
            return FAILED;
        if (n.operand[i] == PLUMB_NONE)
            return PLAIN;
        if (!negate(t, n.operand[i], &opposite) ||
            !conjoin(t, before, opposite, &before))
            return refused(err);
    }
    return add_tau(t, term, before, PLUMB_SKIPPED, err);
}

static enum answer internal_moves(struct plumb_csp_terms *t, uint32_t term,
                                  struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    for (uint32_t i = 0; i < n.count; i++)
        if (add_tau(t, term, PLUMB_NONE, n.operand[i], err))
            return FAILED;
    return PLAIN;
}

/* All operands first, then their moves in one row. */
static enum answer choice_moves(struct plumb_csp_terms *t, uint32_t term,
                                struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[term];
    uint32_t acting;
    for (uint32_t i = 0; i < n.count; i++) {
        const enum answer a = moves_of(t, n.operand[i], &acting, err);
        if (a != PLAIN)
            return a;
    }
    t->node[term].moves = (uint32_t)t->moves;
    const struct around nothing = { PLUMB_NONE, PLUMB_NONE };
    for (uint32_t i = 0; i < n.count; i++) {
        acting = plumb_csp_term_acting(t, n.operand[i], err);
        if (acting == PLUMB_NO_TERM || add_all(t, acting, &nothing, err))
            return FAILED;
    }
    return PLAIN;
}

/* Those of one operand, with something around them. */
static enum answer inner_moves(struct plumb_csp_terms *t, uint32_t term,
                               uint32_t operand, const struct around *around,
                               struct plumb_error *err)
{
    uint32_t acting;
    const enum answer a = moves_of(t, operand, &acting, err);
    if (a != PLAIN)
        return a;
    t->node[term].moves = (uint32_t)t->moves;
    return add_all(t, acting, around, err);
}

static enum answer guard_moves(struct plumb_csp_terms *t, uint32_t term,
                               struct plumb_error *err)
{
    const uint32_t *const operand = t->node[term].operand;
    const struct around around = { operand[0], PLUMB_NONE };
    return plumb_csp_term_never(t, operand[0])
               ? PLAIN
               : inner_moves(t, term, operand[1], &around, err);
}

/* A branch that is never taken is not looked at: it may have no end. */
static enum answer branch(struct plumb_csp_terms *t, uint32_t condition,
                          uint32_t child, uint32_t *acting,
                          struct plumb_error *err)
{
    *acting = PLUMB_STOPPED;
    return moves_of(t,
                    plumb_csp_term_never(t, condition) ? PLUMB_STOPPED : child,
                    acting, err);
}

static enum answer ifa_moves(struct plumb_csp_terms *t, uint32_t term,
                             struct plumb_error *err)
{
    const uint32_t *const operand = t->node[term].operand;
    uint32_t otherwise, yes, no;
    if (!negate(t, operand[0], &otherwise))
        return refused(err);
    enum answer a = branch(t, operand[0], operand[1], &yes, err);
    if (a == PLAIN)
        a = branch(t, otherwise, operand[2], &no, err);
    if (a != PLAIN)
        return a;
    if (t->node[yes].move_count + t->node[no].move_count > MOST_ALTERNATIVES)
        return NOT_PLAIN;
    t->node[term].moves = (uint32_t)t->moves;
    if (add_all(t, yes, &(struct around){ operand[0], PLUMB_NONE }, err))
        return FAILED;
    return add_all(t, no, &(struct around){ otherwise, PLUMB_NONE }, err);
}

/* SEQUENCE and ATOMIC stay around what their first operand does. */
static enum answer staying_moves(struct plumb_csp_terms *t, uint32_t term,
                                 struct plumb_error *err)
{
    const struct around around = { PLUMB_NONE, term };
    return inner_moves(t, term, t->node[term].operand[0], &around, err);
}

static enum answer operator_moves(struct plumb_csp_terms *t, uint32_t term,
                                  struct plumb_error *err)
{
    const uint32_t *const operand = t->node[term].operand;
    switch ((enum plumb_csp_term_kind)t->node[term].operation) {
    case PLUMB_TERM_STOP:
    case PLUMB_TERM_DONE:
        return PLAIN;
    case PLUMB_TERM_SKIP:
        return add(t,
                   &(struct plumb_csp_move){ .guard = PLUMB_NONE,
                                             .event = PLUMB_TICK,
                                             .target = PLUMB_STOPPED,
                                             .prefix = term },
                   err);
    case PLUMB_TERM_PREFIX:
        return prefix_moves(t, term, err);
    case PLUMB_TERM_IF:
        return if_moves(t, term, err);
    case PLUMB_TERM_IFB:
        return add_tau(t, term, operand[0], operand[1], err);
    case PLUMB_TERM_CASE:
        return case_moves(t, term, err);
    case PLUMB_TERM_INTERNAL:
        return internal_moves(t, term, err);
    case PLUMB_TERM_CHOICE:
        return choice_moves(t, term, err);
    case PLUMB_TERM_GUARD:
        return guard_moves(t, term, err);
    case PLUMB_TERM_IFA:
        return ifa_moves(t, term, err);
    case PLUMB_TERM_SEQUENCE:
    case PLUMB_TERM_ATOMIC:
        return staying_moves(t, term, err);
    default:
        return NOT_PLAIN;
    }
}

/* `term` acts.  Its moves stay unknown until they are complete: a process that
 * begins with itself is looked for until that is too far. */
static enum answer work_out(struct plumb_csp_terms *t, uint32_t term,
                            struct plumb_error *err)
{
    const uint32_t first = (uint32_t)t->moves;
    t->looking++;
    const enum answer a = operator_moves(t, term, err);
    t->looking--;
    if (a == PLAIN && t->node[term].moves == PLUMB_UNKNOWN)
        t->node[term].moves = first;
    if (a == PLAIN)
        t->node[term].move_count = (uint32_t)t->moves - t->node[term].moves;
    else
        t->node[term].moves = a == NOT_PLAIN ? PLUMB_NOT_PLAIN : PLUMB_UNKNOWN;
    return a;
}

static enum answer moves_of(struct plumb_csp_terms *t, uint32_t term,
                            uint32_t *acting, struct plumb_error *err)
{
    *acting = plumb_csp_term_acting(t, term, err);
    if (*acting == PLUMB_NO_TERM)
        return FAILED;
    const uint32_t moves = t->node[*acting].moves;
    if (moves == PLUMB_NOT_PLAIN)
        return NOT_PLAIN;
    if (moves != PLUMB_UNKNOWN)
        return PLAIN;
    return t->looking < t->farthest ? work_out(t, *acting, err) : NOT_PLAIN;
}

bool plumb_csp_term_is_plain(struct plumb_csp_terms *t, uint32_t term,
                             bool *failed, struct plumb_error *err)
{
    uint32_t acting;
    const enum answer a = moves_of(t, term, &acting, err);
    *failed = a == FAILED;
    return a == PLAIN;
}

/* ---- in a state ---- */

uint32_t plumb_csp_term_event(struct plumb_csp_terms *t, uint32_t prefix,
                              const uint32_t *globals, struct plumb_error *err)
{
    enum { MOST_DATA = 64 };
    const struct plumb_csp_term_node n = t->node[prefix];
    int32_t data[MOST_DATA];
    if (n.count - 3 > MOST_DATA) {
        const struct plumb_csp_place at = plumb_csp_term_place(t, prefix);
        plumb_base_fail(err, PLUMB_EINPUT, at.line, at.column,
                        "an event has more than %d data values", MOST_DATA);
        return UINT32_MAX;
    }
    for (uint32_t i = 3; i < n.count; i++) {
        if (plumb_csp_formula_is_constant(t->world->formulas, n.operand[i],
                                          &data[i - 3]))
            continue;
        if (plumb_csp_formula_value(t->world->formulas, n.operand[i],
                                    (const int32_t *)globals, &data[i - 3],
                                    err))
            return UINT32_MAX;
    }
    const uint32_t event = plumb_csp_event_number(
        t->world->events, PLUMB_EVENT_PLAIN, n.operand[0], data, n.count - 3);
    if (event == UINT32_MAX)
        plumb_base_fail_memory(err);
    return event;
}

/* The target of a move is made normal when it is taken first. */
bool plumb_csp_term_settle_move(struct plumb_csp_terms *t, uint32_t move,
                                struct plumb_error *err)
{
    if (t->move[move].settled)
        return true;
    const uint32_t target = plumb_csp_term_normal(t, t->move[move].target, err);
    if (target == PLUMB_NO_TERM)
        return false;
    t->move[move].target = target;
    t->move[move].settled = true;
    return true;
}

static enum plumb_status guard_holds(struct plumb_csp_terms *t, uint32_t guard,
                                     const uint32_t *state, bool *holds,
                                     struct plumb_error *err)
{
    *holds = true;
    if (guard == PLUMB_NONE)
        return PLUMB_OK;
    int32_t value = 0;
    const enum plumb_status status = plumb_csp_formula_value(
        t->world->formulas, guard, (const int32_t *)state, &value, err);
    *holds = value != 0;
    return status;
}

static enum plumb_status take(struct plumb_csp_terms *t, uint32_t move,
                              const struct plumb_csp_layout *layout,
                              struct plumb_csp_steps *steps,
                              struct plumb_error *err)
{
    if (!plumb_csp_term_settle_move(t, move, err))
        return err->status;
    const struct plumb_csp_move m = t->move[move];
    struct plumb_csp_step step = { .event = m.event,
                                   .owner = move,
                                   .effect = { m.effect },
                                   .atomic = m.atomic,
                                   .program = m.program,
                                   .place = plumb_csp_term_place(t, m.prefix) };
    if (m.event == PLUMB_UNKNOWN) {
        step.event = plumb_csp_term_event(t, m.prefix, layout->state, err);
        if (step.event == UINT32_MAX)
            return err->status;
    }
    uint32_t *const v = plumb_csp_steps_vector(steps, layout->stride,
                                               t->world->budget, &step.target);
    if (!v || !plumb_csp_steps_add(steps, &step, t->world->budget))
        return plumb_base_fail_memory(err);
    memcpy(v, layout->state, layout->copied * sizeof *v);
    v[layout->slot] = m.target;
    if (!m.effect)
        return PLUMB_OK;
    return plumb_csp_effect_run(t->world->formulas, m.effect, (int32_t *)v,
                                err);
}

enum plumb_status plumb_csp_term_moves_steps(
    struct plumb_csp_terms *t, uint32_t term,
    const struct plumb_csp_layout *layout, struct plumb_csp_steps *steps,
    struct plumb_error *err)
{
    const uint32_t first = t->node[term].moves;
    const uint32_t end = first + t->node[term].move_count;
    for (uint32_t i = first; i < end; i++) {
        bool holds;
        PLUMB_TRY(guard_holds(t, t->move[i].guard, layout->state, &holds, err));
        if (holds)
            PLUMB_TRY(take(t, i, layout, steps, err));
        PLUMB_TRY(plumb_csp_steps_in_time(t->world, i - first, err));
    }
    return PLUMB_OK;
}
