/* successors.c - moves of components, run in place. */
#include "model/successors.h"

#include "base/fail.h"
#include "base/memory.h"
#include "model/system_shape.h"
#include "model/term_moves.h"
#include <string.h>

enum kind {
    NOT_ASKED,
    MOVING,    /* it is plain: its moves are known   */
    REFERRING, /* arguments are to be evaluated first */
    SLOW
};

/* What is known of a term as it stands in a state. */
struct term {
    uint32_t acting;
    uint32_t first, count; /* its moves */
    enum kind kind;
    plumb_native_term *native; /* the same, compiled; or NULL */
};

/* The slots that a move may write, in order. */
struct writes {
    uint32_t first, count;
    bool known;
};

struct plumb_quick {
    struct plumb_system *system;
    struct plumb_terms *t;
    struct plumb_cursor *cursor;
    struct plumb_budget *budget;
    struct term *term; /* by number */
    size_t terms;
    struct writes *writes; /* by number of the move */
    size_t moves;
    uint32_t *slot; /* what writes[] is about */
    size_t slots, slot_capacity;
    uint64_t *bits;    /* room for a set of globals, twice */
    uint32_t *changed; /* room for a list of slots         */
    uint32_t *said;    /* by what is compiled */
    size_t said_room;
    uint32_t *all;            /* the list of all slots            */
    struct plumb_steps steps; /* of a component that is SLOW      */
    uint32_t *work;           /* the state, and what effects make of it */
    const uint32_t *vector;   /* the state */
    bool *joined; /* by component: some of its events may be others' too */
    struct plumb_error err; /* seen by nobody, but for its status */
    uint32_t ticks;         /* components that can terminate */
};

/* ---- making one ---- */

static size_t words_of(const struct plumb_quick *q)
{
    return (size_t)q->system->globals / 64 + 1;
}

static void find_joined(struct plumb_quick *q)
{
    for (uint32_t c = 0; c < q->system->components; c++) {
        const struct plumb_shape *above = q->system->component[c].shape->above;
        for (; above; above = above->above)
            q->joined[c] |=
                above->kind == PLUMB_SHAPE_JOINT && above->alphabet != NULL;
    }
}

struct plumb_quick *plumb_quick_new(struct plumb_system *s,
                                    struct plumb_cursor *cursor,
                                    struct plumb_budget *budget)
{
    struct plumb_quick *const q = plumb_alloc_zeroed(budget, sizeof *q);
    if (!q)
        return NULL;
    q->system = s;
    q->t = s->world->terms;
    q->cursor = cursor;
    q->budget = budget;
    q->bits = plumb_alloc(budget, 2 * words_of(q) * sizeof *q->bits);
    q->changed = plumb_alloc(budget, s->slots * sizeof *q->changed);
    q->work = plumb_alloc(budget, s->slots * sizeof *q->work);
    q->all = plumb_alloc(budget, s->slots * sizeof *q->all);
    q->joined =
        plumb_alloc_zeroed(budget, (s->components + 1) * sizeof *q->joined);
    if (!q->bits || !q->changed || !q->work || !q->joined || !q->all) {
        plumb_quick_free(q);
        return NULL;
    }
    find_joined(q);
    for (uint32_t i = 0; i < s->slots; i++)
        q->all[i] = i;
    return q;
}

void plumb_quick_free(struct plumb_quick *q)
{
    if (!q)
        return;
    const struct plumb_system *const s = q->system;
    plumb_release(q->budget, q->term, q->terms * sizeof *q->term);
    plumb_release(q->budget, q->writes, q->moves * sizeof *q->writes);
    plumb_release(q->budget, q->slot, q->slot_capacity * sizeof *q->slot);
    plumb_release(q->budget, q->bits, 2 * words_of(q) * sizeof *q->bits);
    plumb_release(q->budget, q->changed, s->slots * sizeof *q->changed);
    plumb_release(q->budget, q->work, s->slots * sizeof *q->work);
    plumb_release(q->budget, q->all, s->slots * sizeof *q->all);
    plumb_release(q->budget, q->said, q->said_room * sizeof *q->said);
    plumb_steps_release(&q->steps, q->budget);
    plumb_release(q->budget, q->joined,
                  (s->components + 1) * sizeof *q->joined);
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

/* ---- what is known of terms and moves ---- */

static void find_term(struct plumb_quick *q, uint32_t number, struct term *t)
{
    bool failed;
    q->t->nesting = 0;
    t->kind = SLOW;
    t->acting = plumb_term_acting(q->t, number, &q->err);
    if (t->acting == PLUMB_NO_TERM)
        return;
    if (plumb_term_is_plain(q->t, t->acting, &failed, &q->err)) {
        const struct plumb_node *const n = plumb_node(q->t, t->acting);
        t->first = n->moves;
        t->count = n->move_count;
        t->kind = MOVING;
    } else if (!failed &&
               plumb_node(q->t, t->acting)->operation == PLUMB_TERM_REFERENCE) {
        t->kind = REFERRING;
    }
}

/* NULL when memory is refused. */
static const struct term *term_at(struct plumb_quick *q, uint32_t number)
{
    if (number >= q->terms) {
        const size_t before = q->terms;
        void *block = q->term;
        if (!plumb_grow(q->budget, &block, &q->terms, (size_t)number + 1,
                        sizeof *q->term)) {
            refuse(q);
            return NULL;
        }
        q->term = block;
        memset(q->term + before, 0, (q->terms - before) * sizeof *q->term);
    }
    if (q->term[number].kind == NOT_ASKED)
        find_term(q, number, &q->term[number]);
    return &q->term[number];
}

static bool add_slot(struct plumb_quick *q, uint32_t slot)
{
    if (q->slots == q->slot_capacity) {
        void *block = q->slot;
        if (!plumb_grow(q->budget, &block, &q->slot_capacity, q->slots + 1,
                        sizeof *q->slot))
            return refuse(q);
        q->slot = block;
    }
    q->slot[q->slots++] = slot;
    return true;
}

static bool find_writes(struct plumb_quick *q, uint32_t move, struct writes *w)
{
    const size_t words = words_of(q);
    memset(q->bits, 0, 2 * words * sizeof *q->bits);
    plumb_effect_access(q->t->world->formulas, q->t->move[move].effect,
                        q->bits + words, q->bits);
    w->first = (uint32_t)q->slots;
    for (uint32_t i = 0; i < q->system->globals; i++)
        if (q->bits[i / 64] >> i % 64 & 1 && !add_slot(q, i))
            return false;
    w->count = (uint32_t)q->slots - w->first;
    w->known = true;
    return true;
}

static const struct writes *writes_of(struct plumb_quick *q, uint32_t move)
{
    if (move >= q->moves) {
        const size_t before = q->moves;
        void *block = q->writes;
        if (!plumb_grow(q->budget, &block, &q->moves, (size_t)move + 1,
                        sizeof *q->writes)) {
            refuse(q);
            return NULL;
        }
        q->writes = block;
        memset(q->writes + before, 0, (q->moves - before) * sizeof *q->writes);
    }
    struct writes *const w = &q->writes[move];
    return w->known || find_writes(q, move, w) ? w : NULL;
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
        plumb_cursor_root(q->cursor, q->work, q->changed, changed + 1, root) ||
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
    const struct writes *const w = writes_of(q, move);
    if (!w)
        return false;
    *changed = w->count;
    for (uint32_t i = 0; i < w->count; i++)
        q->changed[i] = q->slot[w->first + i];
    if (!plumb_effect_run(q->t->world->formulas, effect, (int32_t *)q->work,
                          &q->err))
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
        s->event = plumb_term_event(q->t, m->prefix, q->vector, &q->err);
    if (s->event == UINT32_MAX)
        return false;
    if (q->joined[component] && s->event >= PLUMB_FIRST_EVENT && !m->program)
        return false;
    s->event = hide(q, component, s->event);
    return true;
}

static bool take(struct plumb_quick *q, uint32_t component, uint32_t first,
                 uint32_t number, struct plumb_successors *out)
{
    struct plumb_successor s = { .move = number - first };
    uint32_t changed;
    return plumb_term_settle_move(q->t, number, &q->err) &&
           describe(q, component, number, &s) &&
           run_effect(q, number, &changed) &&
           find_root(q, component, q->t->move[number].target, changed,
                     &s.root) &&
           add(q, out, &s);
}

static bool holds(struct plumb_quick *q, uint32_t guard, bool *failed)
{
    int32_t value = 1;
    if (guard != PLUMB_NONE)
        *failed |= plumb_formula_value(q->t->world->formulas, guard,
                                       (const int32_t *)q->vector, &value,
                                       &q->err) != PLUMB_OK;
    return value != 0;
}

/* Those who terminate wait until all do. */
static bool go_moves(struct plumb_quick *q, uint32_t component,
                     const struct term *term, struct plumb_successors *out)
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
    if (!plumb_term_settle_move(q->t, number, &q->err) ||
        !describe(q, component, number, &s))
        return false;
    for (uint32_t i = 0; i < changed; i++) {
        q->changed[i] = at[2 + 2 * i];
        q->work[at[2 + 2 * i]] = at[3 + 2 * i];
    }
    return find_root(q, component, q->t->move[number].target, changed,
                     &s.root) &&
           add(q, out, &s);
}

static bool go_native(struct plumb_quick *q, uint32_t component,
                      const struct term *term, struct plumb_successors *out)
{
    bool tick = false;
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
    if (term >= q->terms || q->term[term].kind != MOVING)
        return false;
    *first = q->term[term].first;
    *count = q->term[term].count;
    return true;
}

bool plumb_quick_writes(struct plumb_quick *q, uint32_t move,
                        const uint32_t **slot, uint32_t *count)
{
    const struct writes *const w = writes_of(q, move);
    if (!w)
        return false;
    *slot = q->slot + w->first;
    *count = w->count;
    return true;
}

bool plumb_quick_bind(struct plumb_quick *q,
                      const struct plumb_native_entry *table)
{
    for (; table->go; table++) {
        void *block = q->said;
        if (!plumb_grow(q->budget, &block, &q->said_room, table->most,
                        sizeof *q->said))
            return false;
        q->said = block;
        if (table->term < q->terms)
            q->term[table->term].native = table->go;
    }
    return true;
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
        (q->joined[component] && s.event >= PLUMB_FIRST_EVENT &&
         !step->program))
        return false;
    s.event = hide(q, component, s.event);
    if (!plumb_cursor_root(q->cursor, plumb_steps_target(&q->steps, k, slots),
                           q->all, (uint32_t)slots, &s.root))
        return refuse(q);
    return add(q, out, &s);
}

static bool go_slowly(struct plumb_quick *q, uint32_t component,
                      struct plumb_successors *out)
{
    struct plumb_stepping g = { q->t, q->vector, q->vector,
                                NULL, &q->steps, &q->err };
    bool tick = false;
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

void plumb_quick_state(struct plumb_quick *q, const uint32_t *vector)
{
    q->vector = vector;
    q->err.status = PLUMB_OK;
    memcpy(q->work, vector, q->system->slots * sizeof *q->work);
}

uint32_t plumb_quick_term(struct plumb_quick *q, uint32_t component)
{
    const struct term *const term =
        term_at(q, q->vector[q->system->globals + component]);
    return term && term->kind == MOVING ? term->acting : PLUMB_NO_TERM;
}

bool plumb_quick_was_refused(const struct plumb_quick *q)
{
    return q->err.status == PLUMB_EMEMORY;
}

/* The term of a component with arguments evaluated; NULL if it is SLOW. */
static const struct term *moving_term(struct plumb_quick *q, uint32_t component)
{
    enum { MOST_REFERENCES = 16 };
    uint32_t number = q->vector[q->system->globals + component];
    for (unsigned i = 0; i < MOST_REFERENCES; i++) {
        const struct term *const term = term_at(q, number);
        if (!term || term->kind == SLOW)
            return NULL;
        if (term->kind == MOVING)
            return term;
        q->t->nesting = 0;
        number = plumb_term_settle(q->t, term->acting, q->vector, &q->err);
        if (number == PLUMB_NO_TERM)
            return NULL;
    }
    return NULL;
}

bool plumb_quick_component(struct plumb_quick *q, uint32_t component,
                           struct plumb_successors *out)
{
    const struct term *const found = moving_term(q, component);
    if (!found)
        return go_slowly(q, component, out);
    const struct term term = *found;
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
