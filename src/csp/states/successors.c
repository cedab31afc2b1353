/* successors.c - moves of components, run in place. */
#include "successors.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/known_moves.h"
#include <string.h>

struct plumb_csp_quick {
    struct plumb_csp_known *known; /* that others may look at too */
    struct plumb_csp_known own;    /* of the first alone */
    bool learns; /* the first: what is not known is worked out */
    struct plumb_csp_system *system;
    struct plumb_csp_terms *t;
    struct plumb_csp_cursor *cursor;
    struct plumb_budget *budget;
    struct plumb_csp_registers registers;
    uint32_t *said; /* by what is compiled */
    size_t said_room;
    struct plumb_csp_steps steps; /* of a component that is SLOW      */
    uint32_t *work;               /* the state, and what effects make of it: the
                                 cursor's */
    const uint32_t *vector;       /* the state */
    struct plumb_error err;       /* seen by nobody, but for its status */
    uint32_t ticks;               /* components that can terminate */
};

/* ---- making one ---- */

struct plumb_csp_quick *plumb_csp_quick_new(struct plumb_csp_system *s,
                                            struct plumb_csp_cursor *cursor,
                                            struct plumb_budget *budget)
{
    struct plumb_csp_quick *const q =
        plumb_base_alloc_zeroed(budget, sizeof *q);
    if (!q)
        return NULL;
    *q = (struct plumb_csp_quick){ .system = s,
                                   .budget = budget,
                                   .learns = true,
                                   .known = &q->own,
                                   .t = s->world->terms,
                                   .cursor = cursor };
    if (plumb_csp_known_open(&q->own, s, budget))
        return q;
    plumb_csp_quick_free(q);
    return NULL;
}

struct plumb_csp_quick *plumb_csp_quick_fork(const struct plumb_csp_quick *from,
                                             struct plumb_csp_cursor *cursor)
{
    struct plumb_csp_quick *const q =
        plumb_base_alloc_zeroed(from->budget, sizeof *q);
    if (!q)
        return NULL;
    *q = (struct plumb_csp_quick){ .system = from->system,
                                   .budget = from->budget,
                                   .known = from->known,
                                   .t = from->t,
                                   .cursor = cursor };
    return q;
}

void plumb_csp_quick_free(struct plumb_csp_quick *q)
{
    if (!q)
        return;
    PLUMB_RELEASE(q->budget, q->registers.at, q->registers.count);
    PLUMB_RELEASE(q->budget, q->said, q->said_room);
    plumb_csp_steps_release(&q->steps, q->budget);
    if (q->learns)
        plumb_csp_known_close(&q->own);
    plumb_base_release(q->budget, q, sizeof *q);
}

void plumb_csp_successors_release(struct plumb_csp_successors *s,
                                  struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, s->at, s->capacity);
}

static bool refuse(struct plumb_csp_quick *q)
{
    plumb_base_fail_memory(&q->err);
    return false;
}

/* ---- what may have to be learnt ---- */

/* NULL when memory is refused, or it is not known and not to be learnt here;
 * likewise in what follows. */
static const struct plumb_csp_known_term *term_at(struct plumb_csp_quick *q,
                                                  uint32_t number)
{
    const struct plumb_csp_known_term *const term =
        plumb_csp_known_term(q->known, number);
    return term || !q->learns ? term
                              : plumb_csp_learn_term(q->known, number, &q->err);
}

static const struct plumb_csp_known_writes *writes_of(struct plumb_csp_quick *q,
                                                      uint32_t move)
{
    const struct plumb_csp_known_writes *const w =
        plumb_csp_known_writes(q->known, move);
    return w || !q->learns ? w
                           : plumb_csp_learn_writes(q->known, move, &q->err);
}

static bool is_settled(struct plumb_csp_quick *q, uint32_t move)
{
    return q->t->move[move].settled ||
           (q->learns && plumb_csp_term_settle_move(q->t, move, &q->err));
}

static enum plumb_status value_of(struct plumb_csp_quick *q, uint32_t formula,
                                  int32_t *value)
{
    struct plumb_csp_formulas *const f = q->t->world->formulas;
    const int32_t *const slots = (const int32_t *)q->vector;
    const enum plumb_status status = plumb_csp_formula_look(
        f, &q->registers, formula, slots, value, &q->err);
    return status == PLUMB_END && q->learns
               ? plumb_csp_formula_value(f, formula, slots, value, &q->err)
               : status;
}

static enum plumb_status run(struct plumb_csp_quick *q, uint32_t effect)
{
    struct plumb_csp_formulas *const f = q->t->world->formulas;
    int32_t *const slots = (int32_t *)q->work;
    const enum plumb_status status =
        plumb_csp_effect_look(f, &q->registers, effect, slots, &q->err);
    if (status != PLUMB_END || !q->learns)
        return status;
    /* It may have begun. */
    memcpy(q->work, q->vector, q->system->slots * sizeof *q->work);
    return plumb_csp_effect_run(f, effect, slots, &q->err);
}

/* The event of a prefix, whose data are to be evaluated; UINT32_MAX if it has
 * no number. */
static uint32_t find_event(struct plumb_csp_quick *q, uint32_t prefix)
{
    enum { MOST_DATA = 64 };
    const struct plumb_csp_term_node *const n =
        plumb_csp_term_node(q->t, prefix);
    int32_t data[MOST_DATA];
    if (n->count - 3 > MOST_DATA)
        return UINT32_MAX;
    for (uint32_t i = 3; i < n->count; i++)
        if (value_of(q, n->operand[i], &data[i - 3]))
            return UINT32_MAX;
    return plumb_csp_event_find(q->t->world->events, PLUMB_EVENT_PLAIN,
                                n->operand[0], data, n->count - 3);
}

static uint32_t event_of(struct plumb_csp_quick *q, uint32_t prefix)
{
    const uint32_t event = find_event(q, prefix);
    return event == UINT32_MAX && q->learns
               ? plumb_csp_term_event(q->t, prefix, q->vector, &q->err)
               : event;
}

/* A reference with the values that its arguments have; PLUMB_NO_TERM if there
 * is no such term. */
static uint32_t find_reference(struct plumb_csp_quick *q, uint32_t reference)
{
    enum { MOST_OPERANDS = 16 };
    const struct plumb_csp_term_node *const n =
        plumb_csp_term_node(q->t, reference);
    uint32_t operand[MOST_OPERANDS] = { n->operand[0] };
    if (n->count > MOST_OPERANDS)
        return PLUMB_NO_TERM;
    for (uint32_t i = 1; i < n->count; i++) {
        int32_t value;
        if (value_of(q, n->operand[i], &value))
            return PLUMB_NO_TERM;
        operand[i] =
            plumb_csp_formula_find_constant(q->t->world->formulas, value);
    }
    return plumb_csp_term_find(q->t, PLUMB_TERM_REFERENCE, operand, n->count);
}

static uint32_t settle(struct plumb_csp_quick *q, uint32_t reference)
{
    const uint32_t term = find_reference(q, reference);
    if (term != PLUMB_NO_TERM || !q->learns)
        return term;
    q->t->nesting = 0;
    return plumb_csp_term_settle(q->t, reference, q->vector, &q->err);
}

/* ---- one move ---- */

static bool add(struct plumb_csp_quick *q, struct plumb_csp_successors *out,
                const struct plumb_csp_successor *s)
{
    return PLUMB_APPEND(q->budget, out->at, out->count, out->capacity, *s) ||
           refuse(q);
}

static uint32_t hide(const struct plumb_csp_quick *q, uint32_t component,
                     uint32_t event)
{
    const struct plumb_csp_shape *above =
        q->system->component[component].shape->above;
    for (; above && event >= PLUMB_FIRST_EVENT; above = above->above)
        if (above->kind == PLUMB_SHAPE_HIDE &&
            plumb_csp_event_sets_has(&q->t->sets, above->set, event))
            event = PLUMB_TAU;
    return event;
}

/* A move changes the term too, then its successor is found. */
static bool add_successor(struct plumb_csp_quick *q, uint32_t component,
                          uint32_t move,
                          const struct plumb_csp_known_step *step,
                          struct plumb_csp_successors *out)
{
    struct plumb_csp_successor s = { .event = step->event, .move = move };
    plumb_csp_cursor_set(q->cursor, q->system->globals + component,
                         step->target);
    return plumb_csp_cursor_root(q->cursor, &s.root) ? add(q, out, &s)
                                                     : refuse(q);
}

/* What `work` has become is told to the cursor and put back. */
static void tell_change(struct plumb_csp_quick *q, uint32_t slot)
{
    if (q->work[slot] == q->vector[slot])
        return;
    plumb_csp_cursor_set(q->cursor, slot, q->work[slot]);
    q->work[slot] = q->vector[slot];
}

/* False if something is wrong. */
static bool run_effect(struct plumb_csp_quick *q, uint32_t move)
{
    const uint32_t effect = q->t->move[move].effect;
    if (!effect)
        return true;
    const struct plumb_csp_known_writes *const w = writes_of(q, move);
    if (!w)
        return false;
    if (run(q, effect)) {
        memcpy(q->work, q->vector, q->system->slots * sizeof *q->work);
        return false;
    }
    for (uint32_t i = 0; i < w->count; i++)
        tell_change(q, q->known->slot[w->first + i]);
    return true;
}

/* What a move is in this state.  False if it is not so simple. */
static bool describe(struct plumb_csp_quick *q, uint32_t component,
                     uint32_t number, struct plumb_csp_known_step *step)
{
    if (!is_settled(q, number))
        return false;
    const struct plumb_csp_move *const m = &q->t->move[number];
    uint32_t event = m->event;
    if (m->atomic)
        return false;
    if (m->event == PLUMB_UNKNOWN)
        event = event_of(q, m->prefix);
    if (event == UINT32_MAX)
        return false;
    if (q->known->joined[component] && event >= PLUMB_FIRST_EVENT &&
        !m->program)
        return false;
    step->event = hide(q, component, event);
    step->target = q->t->move[number].target;
    return true;
}

/* The same, if it was not the same before. */
static inline bool find_step(struct plumb_csp_quick *q, uint32_t component,
                             uint32_t number, struct plumb_csp_known_step *step)
{
    const struct plumb_csp_known_step *const known =
        plumb_csp_known_step(q->known, component, number);
    if (known) {
        *step = *known;
        return true;
    }
    if (!describe(q, component, number, step))
        return false;
    return !q->learns || q->t->move[number].event == PLUMB_UNKNOWN ||
           plumb_csp_learn_step(q->known, component, number, step->event,
                                step->target) ||
           refuse(q);
}

static bool take(struct plumb_csp_quick *q, uint32_t component, uint32_t first,
                 uint32_t number, struct plumb_csp_successors *out)
{
    struct plumb_csp_known_step step;
    return find_step(q, component, number, &step) && run_effect(q, number) &&
           add_successor(q, component, number - first, &step, out);
}

static bool holds(struct plumb_csp_quick *q, uint32_t guard, bool *failed)
{
    int32_t value = 1;
    if (guard != PLUMB_NONE)
        *failed |= value_of(q, guard, &value) != PLUMB_OK;
    return value != 0;
}

/* Those who terminate wait until all do. */
static bool go_moves(struct plumb_csp_quick *q, uint32_t component,
                     const struct plumb_csp_known_term *term,
                     struct plumb_csp_successors *out)
{
    const uint32_t first = term->first, end = first + term->count;
    bool failed = false, tick = false;
    for (uint32_t i = first; i < end; i++) {
        if (!holds(q, q->t->move[i].guard, &failed))
            continue;
        if (failed)
            return false;
        if (q->t->move[i].event == PLUMB_TICK)
            tick = true;
        else if (!take(q, component, first, i, out))
            return false;
    }
    q->ticks += tick;
    return !failed;
}

/* ---- what is compiled ---- */

/* A move as it was told: from `at` on. */
static bool take_native(struct plumb_csp_quick *q, uint32_t component,
                        uint32_t first, const uint32_t *at,
                        struct plumb_csp_successors *out)
{
    struct plumb_csp_known_step step;
    if (!find_step(q, component, first + at[0], &step))
        return false;
    for (uint32_t i = 0; i < at[1]; i++)
        plumb_csp_cursor_set(q->cursor, at[2 + 2 * i], at[3 + 2 * i]);
    return add_successor(q, component, at[0], &step, out);
}

static bool make_room_to_say(struct plumb_csp_quick *q)
{
    return PLUMB_GROW(q->budget, q->said, q->said_room, q->known->most_said) ||
           refuse(q);
}

static bool go_native(struct plumb_csp_quick *q, uint32_t component,
                      const struct plumb_csp_known_term *term,
                      struct plumb_csp_successors *out)
{
    bool tick = false;
    if (!make_room_to_say(q))
        return false;
    const int said =
        term->native((const int32_t *)q->vector, (int32_t *)q->work, q->said);
    if (said < 0) {
        memcpy(q->work, q->vector, q->system->slots * sizeof *q->work);
        return false;
    }
    for (uint32_t at = 0; at < (uint32_t)said; at += 2 + 2 * q->said[at + 1]) {
        const uint32_t number = term->first + q->said[at];
        if (!plumb_csp_known_step(q->known, component, number) &&
            q->t->move[number].event == PLUMB_TICK)
            tick = true;
        else if (!take_native(q, component, term->first, q->said + at, out))
            return false;
    }
    q->ticks += tick;
    return true;
}

bool plumb_csp_quick_moves(const struct plumb_csp_quick *q, uint32_t term,
                           uint32_t *first, uint32_t *count)
{
    const struct plumb_csp_known_term *const t =
        plumb_csp_known_term(q->known, term);
    if (!t || t->kind != PLUMB_MOVING)
        return false;
    *first = t->first;
    *count = t->count;
    return true;
}

bool plumb_csp_quick_writes(struct plumb_csp_quick *q, uint32_t move,
                            const uint32_t **slot, uint32_t *count)
{
    const struct plumb_csp_known_writes *const w = writes_of(q, move);
    if (!w)
        return false;
    *slot = q->known->slot + w->first;
    *count = w->count;
    return true;
}

void plumb_csp_quick_bind(struct plumb_csp_quick *q,
                          const struct plumb_csp_native_entry *table)
{
    plumb_csp_learn_compiled(q->known, table);
}

/* ---- what is not plain ---- */

/* Any term, one step after the other. */
static bool add_step(struct plumb_csp_quick *q, uint32_t component, uint32_t k,
                     struct plumb_csp_successors *out)
{
    const struct plumb_csp_step *const step = &q->steps.step[k];
    const size_t slots = q->system->slots;
    struct plumb_csp_successor s = { .event = step->event };
    if (step->half || step->atomic ||
        (q->known->joined[component] && s.event >= PLUMB_FIRST_EVENT &&
         !step->program))
        return false;
    s.event = hide(q, component, s.event);
    const uint32_t *const target = plumb_csp_steps_target(&q->steps, k, slots);
    for (uint32_t i = 0; i < slots; i++)
        plumb_csp_cursor_set(q->cursor, i, target[i]);
    return plumb_csp_cursor_root(q->cursor, &s.root) ? add(q, out, &s)
                                                     : refuse(q);
}

static bool go_slowly(struct plumb_csp_quick *q, uint32_t component,
                      struct plumb_csp_successors *out)
{
    struct plumb_csp_stepping g = { .t = q->t,
                                    .before = q->vector,
                                    .base = q->vector,
                                    .steps = &q->steps,
                                    .err = &q->err };
    bool tick = false;
    if (!q->learns)
        return false;
    q->t->nesting = 0;
    plumb_csp_steps_clear(&q->steps);
    if (plumb_csp_component_go(q->system, component, &g))
        return false;
    for (uint32_t k = 0; k < q->steps.count; k++) {
        if (q->steps.step[k].event == PLUMB_TICK)
            tick = true;
        else if (!add_step(q, component, k, out))
            return false;
    }
    q->ticks += tick;
    return true;
}

/* ---- a component, and all ---- */

/* If memory is refused, nothing is looked at. */
static void make_registers(struct plumb_csp_quick *q)
{
    const size_t need = plumb_csp_formulas_registers(q->t->world->formulas);
    (void)PLUMB_GROW(q->budget, q->registers.at, q->registers.count, need);
}

void plumb_csp_quick_state(struct plumb_csp_quick *q, const uint32_t *vector)
{
    q->vector = vector;
    q->err.status = PLUMB_OK;
    q->work = plumb_csp_cursor_work(q->cursor);
    if (plumb_csp_formulas_registers(q->t->world->formulas) >
        q->registers.count)
        make_registers(q);
}

bool plumb_csp_quick_term(struct plumb_csp_quick *q, uint32_t component,
                          uint32_t *acting)
{
    const struct plumb_csp_known_term *const term =
        term_at(q, q->vector[q->system->globals + component]);
    *acting = term && term->kind == PLUMB_MOVING ? term->acting : PLUMB_NO_TERM;
    return term != NULL;
}

bool plumb_csp_quick_was_refused(const struct plumb_csp_quick *q)
{
    return q->err.status == PLUMB_EMEMORY;
}

/* The term of a component with arguments evaluated; NULL if it is SLOW. */
static const struct plumb_csp_known_term *moving_term(struct plumb_csp_quick *q,
                                                      uint32_t component)
{
    enum { MOST_REFERENCES = 16 };
    uint32_t number = q->vector[q->system->globals + component];
    for (unsigned i = 0; i < MOST_REFERENCES; i++) {
        const struct plumb_csp_known_term *const term = term_at(q, number);
        if (!term || term->kind == PLUMB_SLOW)
            return NULL;
        if (term->kind == PLUMB_MOVING)
            return term;
        number = settle(q, term->acting);
        if (number == PLUMB_NO_TERM)
            return NULL;
    }
    return NULL;
}

bool plumb_csp_quick_component(struct plumb_csp_quick *q, uint32_t component,
                               struct plumb_csp_successors *out)
{
    const struct plumb_csp_known_term *const found = moving_term(q, component);
    if (!found)
        return go_slowly(q, component, out);
    const struct plumb_csp_known_term term = *found;
    return term.native ? go_native(q, component, &term, out)
                       : go_moves(q, component, &term, out);
}

bool plumb_csp_quick_all(struct plumb_csp_quick *q,
                         struct plumb_csp_successors *out)
{
    q->ticks = 0;
    for (uint32_t c = 0; c < q->system->components; c++)
        if (!plumb_csp_quick_component(q, c, out))
            return false;
    return q->ticks < q->system->components;
}
