/* successors.c - moves of components, run in place. */
#include "model/successors.h"

#include "base/fail.h"
#include "base/memory.h"
#include "model/known_moves.h"
#include <string.h>

struct plumb_quick {
    struct plumb_known *known; /* that others may look at too */
    struct plumb_known own;    /* of the first alone */
    bool learns;               /* the first: what is not known is worked out */
    struct plumb_system *system;
    struct plumb_terms *t;
    struct plumb_cursor *cursor;
    struct plumb_budget *budget;
    struct plumb_registers registers;
    uint32_t *changed; /* room for a list of slots         */
    uint32_t *said;    /* by what is compiled */
    size_t said_room;
    struct plumb_steps steps; /* of a component that is SLOW      */
    uint32_t *work;           /* the state, and what effects make of it: the
                                 cursor's */
    const uint32_t *vector;   /* the state */
    struct plumb_error err;   /* seen by nobody, but for its status */
    uint32_t ticks;           /* components that can terminate */
};

/* ---- making one ---- */

static bool open_quick(struct plumb_quick *q, struct plumb_known *known,
                       struct plumb_cursor *cursor)
{
    const struct plumb_system *const s = known->system;
    q->known = known;
    q->t = known->t;
    q->cursor = cursor;
    q->changed = plumb_alloc(q->budget, s->slots * sizeof *q->changed);
    return q->changed;
}

struct plumb_quick *plumb_quick_new(struct plumb_system *s,
                                    struct plumb_cursor *cursor,
                                    struct plumb_budget *budget)
{
    struct plumb_quick *const q = plumb_alloc_zeroed(budget, sizeof *q);
    if (!q)
        return NULL;
    q->system = s;
    q->budget = budget;
    q->learns = true;
    if (plumb_known_open(&q->own, s, budget) && open_quick(q, &q->own, cursor))
        return q;
    plumb_quick_free(q);
    return NULL;
}

struct plumb_quick *plumb_quick_fork(const struct plumb_quick *from,
                                     struct plumb_cursor *cursor)
{
    struct plumb_quick *const q = plumb_alloc_zeroed(from->budget, sizeof *q);
    if (!q)
        return NULL;
    q->system = from->system;
    q->budget = from->budget;
    if (open_quick(q, from->known, cursor))
        return q;
    plumb_quick_free(q);
    return NULL;
}

void plumb_quick_free(struct plumb_quick *q)
{
    if (!q)
        return;
    const struct plumb_system *const s = q->system;
    plumb_release(q->budget, q->registers.at,
                  q->registers.count * sizeof *q->registers.at);
    plumb_release(q->budget, q->changed, s->slots * sizeof *q->changed);
    plumb_release(q->budget, q->said, q->said_room * sizeof *q->said);
    plumb_steps_release(&q->steps, q->budget);
    if (q->learns)
        plumb_known_close(&q->own);
    plumb_release(q->budget, q, sizeof *q);
}

void plumb_successors_release(struct plumb_successors *s,
                              struct plumb_budget *budget)
{
    plumb_release(budget, s->at, s->capacity * sizeof *s->at);
}

static bool refuse(struct plumb_quick *q)
{
    plumb_fail_memory(&q->err);
    return false;
}

/* ---- what may have to be learnt ---- */

/* NULL when memory is refused, or it is not known and not to be learnt here;
 * likewise in what follows. */
static const struct plumb_known_term *term_at(struct plumb_quick *q,
                                              uint32_t number)
{
    const struct plumb_known_term *const term =
        plumb_known_term(q->known, number);
    return term || !q->learns ? term
                              : plumb_learn_term(q->known, number, &q->err);
}

static const struct plumb_known_writes *writes_of(struct plumb_quick *q,
                                                  uint32_t move)
{
    const struct plumb_known_writes *const w =
        plumb_known_writes(q->known, move);
    return w || !q->learns ? w : plumb_learn_writes(q->known, move, &q->err);
}

static bool is_settled(struct plumb_quick *q, uint32_t move)
{
    return q->t->move[move].settled ||
           (q->learns && plumb_term_settle_move(q->t, move, &q->err));
}

static enum plumb_status value_of(struct plumb_quick *q, uint32_t formula,
                                  int32_t *value)
{
    struct plumb_formulas *const f = q->t->world->formulas;
    const int32_t *const slots = (const int32_t *)q->vector;
    const enum plumb_status status =
        plumb_formula_look(f, &q->registers, formula, slots, value, &q->err);
    return status == PLUMB_END && q->learns
               ? plumb_formula_value(f, formula, slots, value, &q->err)
               : status;
}

static enum plumb_status run(struct plumb_quick *q, uint32_t effect)
{
    struct plumb_formulas *const f = q->t->world->formulas;
    int32_t *const slots = (int32_t *)q->work;
    const enum plumb_status status =
        plumb_effect_look(f, &q->registers, effect, slots, &q->err);
    return status == PLUMB_END && q->learns
               ? plumb_effect_run(f, effect, slots, &q->err)
               : status;
}

/* The event of a prefix, whose data are to be evaluated; UINT32_MAX if it has
 * no number. */
static uint32_t find_event(struct plumb_quick *q, uint32_t prefix)
{
    enum { MOST_DATA = 64 };
    const struct plumb_node *const n = plumb_node(q->t, prefix);
    int32_t data[MOST_DATA];
    if (n->count - 3 > MOST_DATA)
        return UINT32_MAX;
    for (uint32_t i = 3; i < n->count; i++)
        if (value_of(q, n->operand[i], &data[i - 3]))
            return UINT32_MAX;
    return plumb_event_find(q->t->world->events, PLUMB_EVENT_PLAIN,
                            n->operand[0], data, n->count - 3);
}

static uint32_t event_of(struct plumb_quick *q, uint32_t prefix)
{
    const uint32_t event = find_event(q, prefix);
    return event == UINT32_MAX && q->learns
               ? plumb_term_event(q->t, prefix, q->vector, &q->err)
               : event;
}

/* A reference with the values that its arguments have; PLUMB_NO_TERM if there
 * is no such term. */
static uint32_t find_reference(struct plumb_quick *q, uint32_t reference)
{
    enum { MOST_OPERANDS = 16 };
    const struct plumb_node *const n = plumb_node(q->t, reference);
    uint32_t operand[MOST_OPERANDS] = { n->operand[0] };
    if (n->count > MOST_OPERANDS)
        return PLUMB_NO_TERM;
    for (uint32_t i = 1; i < n->count; i++) {
        int32_t value;
        if (value_of(q, n->operand[i], &value))
            return PLUMB_NO_TERM;
        operand[i] = plumb_formula_find_constant(q->t->world->formulas, value);
    }
    return plumb_term_find(q->t, PLUMB_TERM_REFERENCE, operand, n->count);
}

static uint32_t settle(struct plumb_quick *q, uint32_t reference)
{
    const uint32_t term = find_reference(q, reference);
    if (term != PLUMB_NO_TERM || !q->learns)
        return term;
    q->t->nesting = 0;
    return plumb_term_settle(q->t, reference, q->vector, &q->err);
}

/* ---- one move ---- */

static bool add(struct plumb_quick *q, struct plumb_successors *out,
                const struct plumb_successor *s)
{
    if (out->count == out->capacity) {
        void *block = out->at;
        if (!plumb_grow(q->budget, &block, &out->capacity, out->count + 1,
                        sizeof *out->at))
            return refuse(q);
        out->at = block;
    }
    out->at[out->count++] = *s;
    return true;
}

static uint32_t hide(const struct plumb_quick *q, uint32_t component,
                     uint32_t event)
{
    const struct plumb_shape *above =
        q->system->component[component].shape->above;
    for (; above && event >= PLUMB_FIRST_EVENT; above = above->above)
        if (above->kind == PLUMB_SHAPE_HIDE &&
            plumb_event_sets_has(&q->t->sets, above->set, event))
            event = PLUMB_TAU;
    return event;
}

/* The root of `work`, which differs in q->changed; that is put back. */
static bool find_root(struct plumb_quick *q, uint32_t component,
                      uint32_t target, uint32_t changed, uint64_t *root)
{
    const uint32_t slot = q->system->globals + component;
    q->changed[changed] = slot;
    q->work[slot] = target;
    const bool good =
        plumb_cursor_root(q->cursor, q->changed, changed + 1, root) ||
        refuse(q);
    for (uint32_t i = 0; i <= changed; i++)
        q->work[q->changed[i]] = q->vector[q->changed[i]];
    return good;
}

/* Change `work`; false if something is wrong. */
static bool run_effect(struct plumb_quick *q, uint32_t move, uint32_t *changed)
{
    const uint32_t effect = q->t->move[move].effect;
    *changed = 0;
    if (!effect)
        return true;
    const struct plumb_known_writes *const w = writes_of(q, move);
    if (!w)
        return false;
    *changed = w->count;
    for (uint32_t i = 0; i < w->count; i++)
        q->changed[i] = q->known->slot[w->first + i];
    if (!run(q, effect))
        return true;
    memcpy(q->work, q->vector, q->system->slots * sizeof *q->work);
    return false;
}

/* A move of which `work` has the effect: but for its root, all about it. */
static bool describe(struct plumb_quick *q, uint32_t component, uint32_t number,
                     struct plumb_successor *s)
{
    const struct plumb_move *const m = &q->t->move[number];
    s->event = m->event;
    if (m->atomic)
        return false;
    if (m->event == PLUMB_UNKNOWN)
        s->event = event_of(q, m->prefix);
    if (s->event == UINT32_MAX)
        return false;
    if (q->known->joined[component] && s->event >= PLUMB_FIRST_EVENT &&
        !m->program)
        return false;
    s->event = hide(q, component, s->event);
    return true;
}

static bool take(struct plumb_quick *q, uint32_t component, uint32_t first,
                 uint32_t number, struct plumb_successors *out)
{
    struct plumb_successor s = { .move = number - first };
    uint32_t changed;
    return is_settled(q, number) && describe(q, component, number, &s) &&
           run_effect(q, number, &changed) &&
           find_root(q, component, q->t->move[number].target, changed,
                     &s.root) &&
           add(q, out, &s);
}

static bool holds(struct plumb_quick *q, uint32_t guard, bool *failed)
{
    int32_t value = 1;
    if (guard != PLUMB_NONE)
        *failed |= value_of(q, guard, &value) != PLUMB_OK;
    return value != 0;
}

/* Those who terminate wait until all do. */
static bool go_moves(struct plumb_quick *q, uint32_t component,
                     const struct plumb_known_term *term,
                     struct plumb_successors *out)
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
static bool take_native(struct plumb_quick *q, uint32_t component,
                        uint32_t first, const uint32_t *at,
                        struct plumb_successors *out)
{
    struct plumb_successor s = { .move = at[0] };
    const uint32_t number = first + at[0], changed = at[1];
    if (!is_settled(q, number) || !describe(q, component, number, &s))
        return false;
    for (uint32_t i = 0; i < changed; i++) {
        q->changed[i] = at[2 + 2 * i];
        q->work[at[2 + 2 * i]] = at[3 + 2 * i];
    }
    return find_root(q, component, q->t->move[number].target, changed,
                     &s.root) &&
           add(q, out, &s);
}

static bool make_room_to_say(struct plumb_quick *q)
{
    void *block = q->said;
    if (q->known->most_said <= q->said_room)
        return true;
    if (!plumb_grow(q->budget, &block, &q->said_room, q->known->most_said,
                    sizeof *q->said))
        return refuse(q);
    q->said = block;
    return true;
}

static bool go_native(struct plumb_quick *q, uint32_t component,
                      const struct plumb_known_term *term,
                      struct plumb_successors *out)
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
        if (q->t->move[term->first + q->said[at]].event == PLUMB_TICK)
            tick = true;
        else if (!take_native(q, component, term->first, q->said + at, out))
            return false;
    }
    q->ticks += tick;
    return true;
}

bool plumb_quick_moves(const struct plumb_quick *q, uint32_t term,
                       uint32_t *first, uint32_t *count)
{
    const struct plumb_known_term *const t = plumb_known_term(q->known, term);
    if (!t || t->kind != PLUMB_MOVING)
        return false;
    *first = t->first;
    *count = t->count;
    return true;
}

bool plumb_quick_writes(struct plumb_quick *q, uint32_t move,
                        const uint32_t **slot, uint32_t *count)
{
    const struct plumb_known_writes *const w = writes_of(q, move);
    if (!w)
        return false;
    *slot = q->known->slot + w->first;
    *count = w->count;
    return true;
}

void plumb_quick_bind(struct plumb_quick *q,
                      const struct plumb_native_entry *table)
{
    plumb_learn_compiled(q->known, table);
}

/* ---- what is not plain ---- */

/* Any term, one step after the other. */
static bool add_step(struct plumb_quick *q, uint32_t component, uint32_t k,
                     struct plumb_successors *out)
{
    const struct plumb_step *const step = &q->steps.step[k];
    const size_t slots = q->system->slots;
    struct plumb_successor s = { .event = step->event };
    if (step->half || step->atomic ||
        (q->known->joined[component] && s.event >= PLUMB_FIRST_EVENT &&
         !step->program))
        return false;
    s.event = hide(q, component, s.event);
    memcpy(q->work, plumb_steps_target(&q->steps, k, slots),
           slots * sizeof *q->work);
    const bool good =
        plumb_cursor_root(q->cursor, q->known->all, (uint32_t)slots, &s.root) ||
        refuse(q);
    memcpy(q->work, q->vector, slots * sizeof *q->work);
    return good && add(q, out, &s);
}

static bool go_slowly(struct plumb_quick *q, uint32_t component,
                      struct plumb_successors *out)
{
    struct plumb_stepping g = { q->t, q->vector, q->vector,
                                NULL, &q->steps, &q->err };
    bool tick = false;
    if (!q->learns)
        return false;
    q->t->nesting = 0;
    plumb_steps_clear(&q->steps);
    if (plumb_component_go(q->system, component, &g))
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
static void make_registers(struct plumb_quick *q)
{
    void *block = q->registers.at;
    if (plumb_grow(q->budget, &block, &q->registers.count,
                   plumb_formulas_registers(q->t->world->formulas),
                   sizeof *q->registers.at))
        q->registers.at = block;
}

void plumb_quick_state(struct plumb_quick *q, const uint32_t *vector)
{
    q->vector = vector;
    q->err.status = PLUMB_OK;
    q->work = plumb_cursor_work(q->cursor);
    if (plumb_formulas_registers(q->t->world->formulas) > q->registers.count)
        make_registers(q);
}

bool plumb_quick_term(struct plumb_quick *q, uint32_t component,
                      uint32_t *acting)
{
    const struct plumb_known_term *const term =
        term_at(q, q->vector[q->system->globals + component]);
    *acting = term && term->kind == PLUMB_MOVING ? term->acting : PLUMB_NO_TERM;
    return term != NULL;
}

bool plumb_quick_was_refused(const struct plumb_quick *q)
{
    return q->err.status == PLUMB_EMEMORY;
}

/* The term of a component with arguments evaluated; NULL if it is SLOW. */
static const struct plumb_known_term *moving_term(struct plumb_quick *q,
                                                  uint32_t component)
{
    enum { MOST_REFERENCES = 16 };
    uint32_t number = q->vector[q->system->globals + component];
    for (unsigned i = 0; i < MOST_REFERENCES; i++) {
        const struct plumb_known_term *const term = term_at(q, number);
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

bool plumb_quick_component(struct plumb_quick *q, uint32_t component,
                           struct plumb_successors *out)
{
    const struct plumb_known_term *const found = moving_term(q, component);
    if (!found)
        return go_slowly(q, component, out);
    const struct plumb_known_term term = *found;
    return term.native ? go_native(q, component, &term, out)
                       : go_moves(q, component, &term, out);
}

bool plumb_quick_all(struct plumb_quick *q, struct plumb_successors *out)
{
    q->ticks = 0;
    for (uint32_t c = 0; c < q->system->components; c++)
        if (!plumb_quick_component(q, c, out))
            return false;
    return q->ticks < q->system->components;
}
