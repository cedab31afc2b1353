/* system_shape.c - components of a system, and their steps together. */
#include "system_shape.h"

#include "base/fail.h"
#include "base/memory.h"
#include "csp/terms/joint.h"
#include "csp/terms/participants.h"
#include "csp/terms/term_moves.h"
#include "csp/terms/term_reach.h"
#include <string.h>

/* ---- finding it ---- */

struct finder {
    struct plumb_csp_system *s;
    struct plumb_csp_terms *t;
    struct plumb_error *err;
};

static struct plumb_csp_shape *find(struct finder *f, uint32_t written,
                                    bool top, struct plumb_csp_shape *above);

static struct plumb_csp_shape *refuse(struct finder *f)
{
    plumb_base_fail_memory(f->err);
    return NULL;
}

/* What a term is about, seen through references.  By PAT 2's counting only the
 * first of all is looked through: others are states of their own. */
static uint32_t look_through(struct finder *f, uint32_t term, bool top)
{
    const bool through = top || f->t->world->counting == PLUMB_COUNT_PAT3;
    for (uint32_t i = 0; i < PLUMB_DEEPEST; i++) {
        if (!through || f->t->node[term].operation != PLUMB_TERM_REFERENCE ||
            !plumb_csp_term_is_settled(f->t, term))
            break;
        const uint32_t body = plumb_csp_term_body(f->t, term, f->err);
        if (body == PLUMB_NO_TERM)
            return body;
        term = body;
    }
    return term;
}

/* P(n) = ||| i:{1..n} @ P(n-1) is n! of them. */
enum { MOST_COMPONENTS = 1 << 20 };

static struct plumb_csp_shape *add_component(struct finder *f, uint32_t written,
                                             struct plumb_csp_shape *shape)
{
    struct plumb_csp_system *const s = f->s;
    if (s->components == MOST_COMPONENTS) {
        const struct plumb_csp_place at = plumb_csp_term_place(f->t, written);
        plumb_base_fail(f->err, PLUMB_EINPUT, at.line, at.column,
                        "more than %d parallel processes", MOST_COMPONENTS);
        return NULL;
    }
    if (!PLUMB_APPEND(
            s->world->budget, s->component, s->components,
            s->component_capacity,
            (struct plumb_csp_component){ .shape = shape, .written = written }))
        return refuse(f);
    return shape;
}

static struct plumb_csp_shape *find_hide(struct finder *f, uint32_t term,
                                         struct plumb_csp_shape *shape)
{
    struct plumb_csp_world *const w = f->t->world;
    const struct plumb_csp_term_node n = f->t->node[term];
    shape->kind = PLUMB_SHAPE_HIDE;
    shape->set = n.operand[1];
    if (plumb_csp_event_sets_ready(&f->t->sets, w->events, w->formulas,
                                   shape->set, f->err))
        return NULL;
    struct plumb_csp_shape **const operand =
        plumb_base_arena_alloc(&f->s->arena, sizeof(struct plumb_csp_shape *));
    if (!operand)
        return refuse(f);
    *operand = find(f, n.operand[0], false, shape);
    shape->operands = 1;
    shape->operand = operand;
    return *operand ? shape : NULL;
}

static bool find_alphabets(struct finder *f, uint32_t term,
                           struct plumb_csp_shape *shape)
{
    const struct plumb_csp_term_node n = f->t->node[term];
    uint32_t *const alphabet =
        plumb_base_arena_alloc(&f->s->arena, n.count * sizeof *alphabet);
    if (!alphabet)
        return refuse(f) != NULL;
    for (uint32_t i = 0; i < n.count; i++) {
        alphabet[i] = plumb_csp_term_alphabet(f->t, n.operand[i], f->err);
        if (alphabet[i] == PLUMB_NO_SET)
            return false;
    }
    shape->alphabet = alphabet;
    return true;
}

static struct plumb_csp_shape *find_joint(struct finder *f, uint32_t term,
                                          struct plumb_csp_shape *shape)
{
    const struct plumb_csp_term_node n = f->t->node[term];
    struct plumb_csp_shape **const operand =
        plumb_base_arena_alloc(&f->s->arena, n.count * sizeof *operand);
    shape->kind = PLUMB_SHAPE_JOINT;
    if (!operand)
        return refuse(f);
    if (n.operation == PLUMB_TERM_PARALLEL && !find_alphabets(f, term, shape))
        return NULL;
    for (uint32_t i = 0; i < n.count; i++) {
        operand[i] = find(f, n.operand[i], false, shape);
        if (!operand[i])
            return NULL;
    }
    shape->operands = n.count;
    shape->operand = operand;
    return shape;
}

static struct plumb_csp_shape *find_inside(struct finder *f, uint32_t written,
                                           uint32_t term,
                                           struct plumb_csp_shape *shape)
{
    switch ((enum plumb_csp_term_kind)f->t->node[term].operation) {
    case PLUMB_TERM_INTERLEAVE:
    case PLUMB_TERM_PARALLEL:
        return find_joint(f, term, shape);
    case PLUMB_TERM_HIDE:
        return find_hide(f, term, shape);
    default:
        return add_component(f, written, shape);
    }
}

static struct plumb_csp_shape *find(struct finder *f, uint32_t written,
                                    bool top, struct plumb_csp_shape *above)
{
    struct plumb_csp_shape *const shape =
        plumb_base_arena_zeroed(&f->s->arena, sizeof *shape);
    if (!shape)
        return refuse(f);
    if (!plumb_csp_term_enter(f->t, written, f->err))
        return NULL;
    const uint32_t first = f->s->components;
    const uint32_t term = look_through(f, written, top);
    struct plumb_csp_shape *const found =
        term == PLUMB_NO_TERM ? NULL : find_inside(f, written, term, shape);
    shape->first = first;
    shape->components = f->s->components - first;
    shape->above = above;
    plumb_csp_term_leave(f->t);
    return found;
}

enum plumb_status plumb_csp_system_find_shape(struct plumb_csp_system *s,
                                              uint32_t written,
                                              struct plumb_error *err)
{
    struct finder f = { s, s->world->terms, err };
    s->top = find(&f, written, true, NULL);
    return s->top ? PLUMB_OK : err->status;
}

/* ---- steps of a component ---- */

static uint64_t actor(uint32_t component)
{
    return (uint64_t)1 << (component < 63 ? component : 63);
}

static void mark_actors(struct plumb_csp_steps *steps, uint32_t from,
                        uint32_t component)
{
    for (uint32_t k = from; k < steps->count; k++)
        steps->step[k].actors = actor(component);
}

/* Steps of a term by itself, put into the state. */
static enum plumb_status widen(struct plumb_csp_system *s, uint32_t component,
                               struct plumb_csp_stepping *g)
{
    const size_t slot = s->globals + component;
    struct plumb_budget *const budget = s->world->budget;
    for (uint32_t k = 0; k < s->own.count; k++) {
        struct plumb_csp_step step = s->own.step[k];
        const uint32_t *const from =
            plumb_csp_steps_target(&s->own, k, (size_t)s->globals + 1);
        uint32_t *const v =
            plumb_csp_steps_vector(g->steps, s->slots, budget, &step.target);
        if (!v || !plumb_csp_steps_add(g->steps, &step, budget))
            return plumb_base_fail_memory(g->err);
        memcpy(v, g->before, s->slots * sizeof *v);
        memcpy(v, from, s->globals * sizeof *v);
        v[slot] = from[s->globals];
    }
    return PLUMB_OK;
}

static enum plumb_status go_slowly(struct plumb_csp_system *s,
                                   uint32_t component, uint32_t term,
                                   struct plumb_csp_stepping *g)
{
    struct plumb_csp_stepping own = *g;
    own.steps = &s->own;
    plumb_csp_steps_clear(&s->own);
    PLUMB_TRY(plumb_csp_term_go(&own, term));
    return widen(s, component, g);
}

/* What acts in a slot.  A reference that has to look at globals is asked what
 * it is now, so that its moves may be known after all. */
static uint32_t acting_in(struct plumb_csp_stepping *g, size_t slot)
{
    const uint32_t term = plumb_csp_term_acting(g->t, g->before[slot], g->err);
    if (term == PLUMB_NO_TERM ||
        g->t->node[term].operation != PLUMB_TERM_REFERENCE)
        return term;
    const uint32_t settled =
        plumb_csp_term_settle(g->t, term, g->before, g->err);
    return settled == PLUMB_NO_TERM
               ? settled
               : plumb_csp_term_acting(g->t, settled, g->err);
}

enum plumb_status plumb_csp_component_go(struct plumb_csp_system *s,
                                         uint32_t component,
                                         struct plumb_csp_stepping *g)
{
    const size_t slot = s->globals + component;
    const uint32_t from = g->steps->count;
    const uint32_t term = acting_in(g, slot);
    bool failed;
    if (term == PLUMB_NO_TERM)
        return g->err->status;
    enum plumb_status status = PLUMB_OK;
    if (!plumb_csp_term_is_plain(g->t, term, &failed, g->err)) {
        status = failed ? g->err->status : go_slowly(s, component, term, g);
    } else if (!g->offer) {
        const struct plumb_csp_layout layout = { g->before, s->slots, s->slots,
                                                 slot };
        status =
            plumb_csp_term_moves_steps(g->t, term, &layout, g->steps, g->err);
    }
    mark_actors(g->steps, from, component);
    return status;
}

/* The same, and who takes part. */
static enum plumb_status go_participant(struct plumb_csp_system *s,
                                        uint32_t component,
                                        const struct plumb_csp_stepping *g)
{
    const struct plumb_csp_component *const c = &s->component[component];
    const uint32_t from = g->steps->count;
    struct plumb_csp_stepping own = *g;
    bool failed;
    own.who = c->several ? g->who : NULL;
    own.place = c->place;
    const enum plumb_status status = plumb_csp_component_go(s, component, &own);
    if (c->several || status != PLUMB_OK)
        return status;
    plumb_csp_participants_mark(
        g->steps, from,
        plumb_csp_participants_bit(g->who, c->place, PLUMB_NO_TERM));
    g->t->split |= plumb_csp_participants_are_in(
        g->t, g->before[s->globals + component], &failed, g->err);
    return failed ? g->err->status : PLUMB_OK;
}

/* ---- steps together ---- */

struct together {
    struct plumb_csp_system *s;
    const struct plumb_csp_shape *shape;
};

static enum plumb_status go_operand(void *context, uint32_t operand,
                                    struct plumb_csp_stepping *g)
{
    const struct together *const c = context;
    return plumb_csp_shape_go(c->s, c->shape->operand[operand], g);
}

static enum plumb_status merge(void *context, uint32_t operand,
                               const uint32_t *from, uint32_t *to,
                               struct plumb_error *err)
{
    const struct together *const c = context;
    const struct plumb_csp_shape *const part = c->shape->operand[operand];
    const size_t first = c->s->globals + part->first;
    (void)err;
    memcpy(to + first, from + first, part->components * sizeof *to);
    return PLUMB_OK;
}

static void finish(void *context, uint32_t *to)
{
    const struct together *const c = context;
    for (uint32_t i = 0; i < c->shape->components; i++)
        to[c->s->globals + c->shape->first + i] = PLUMB_FINISHED;
}

static enum plumb_status go_joint(struct plumb_csp_system *s,
                                  const struct plumb_csp_shape *shape,
                                  struct plumb_csp_stepping *g)
{
    struct together context = { s, shape };
    const struct plumb_csp_joint j = {
        .operands = shape->operands,
        .alphabet = shape->alphabet,
        .stride = s->slots,
        .globals = s->globals,
        .context = &context,
        .go = go_operand,
        .merge = merge,
        .finish = finish,
    };
    return plumb_csp_joint_go(&j, g);
}

static void hide(const struct plumb_csp_terms *t, uint32_t set,
                 struct plumb_csp_steps *steps, uint32_t from)
{
    for (uint32_t k = from; k < steps->count; k++) {
        struct plumb_csp_step *const step = &steps->step[k];
        if (!step->half &&
            plumb_csp_event_sets_has(&t->sets, set, step->event)) {
            step->inside = step->event;
            step->event = PLUMB_TAU;
        }
    }
}

enum plumb_status plumb_csp_shape_go(struct plumb_csp_system *s,
                                     const struct plumb_csp_shape *shape,
                                     struct plumb_csp_stepping *g)
{
    if (shape->kind == PLUMB_SHAPE_COMPONENT)
        return g->who ? go_participant(s, shape->first, g)
                      : plumb_csp_component_go(s, shape->first, g);
    if (shape->kind == PLUMB_SHAPE_JOINT)
        return go_joint(s, shape, g);
    const uint32_t from = g->steps->count;
    const enum plumb_status status =
        plumb_csp_shape_go(s, shape->operand[0], g);
    if (!g->offer) /* half a step is nobody's event yet */
        hide(g->t, shape->set, g->steps, from);
    return status;
}

enum plumb_status plumb_csp_component_steps(struct plumb_csp_system *s,
                                            uint32_t component,
                                            const uint32_t *state,
                                            struct plumb_csp_steps *steps,
                                            struct plumb_error *err)
{
    struct plumb_csp_terms *const t = s->world->terms;
    const uint32_t term =
        plumb_csp_term_acting(t, state[s->globals + component], err);
    bool failed = true;
    plumb_csp_steps_clear(steps);
    if (term == PLUMB_NO_TERM ||
        !plumb_csp_term_is_plain(t, term, &failed, err))
        return failed ? err->status : PLUMB_END;
    struct plumb_csp_stepping g = {
        .t = t, .before = state, .base = state, .steps = steps, .err = err
    };
    const enum plumb_status status = plumb_csp_component_go(s, component, &g);
    const struct plumb_csp_shape *above = s->component[component].shape->above;
    for (; !status && above; above = above->above)
        if (above->kind == PLUMB_SHAPE_HIDE)
            hide(t, above->set, steps, 0);
    return status;
}
