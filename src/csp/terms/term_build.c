/* term_build.c - from the text of a process to a term.
 *
 * Locals are replaced by what they stand for; nothing is unfolded or evaluated
 * that is not a constant.  What a channel input binds is left open: the
 * continuation is a term in which that local has no value, which is enough to
 * tell it from others; it is built again for each message (term_channels.c). */
#include "term_build.h"

#include "base/fail.h"
#include "base/memory.h"
#include "spans.h"
#include <string.h>

/* Ranges in ranges multiply. */
enum { MOST_PARTS = 1 << 22 };

struct builder {
    struct plumb_csp_terms *t;
    plumb_csp_binding *binding;
    uint32_t locals, depth;
    uint32_t parts; /* looked at so far */
    struct plumb_error *err;
};

static uint32_t build(struct builder *b, const struct plumb_csp_process *p);

static uint32_t refuse(struct builder *b, size_t from)
{
    b->t->listed = from;
    plumb_base_fail_memory(b->err);
    return PLUMB_NO_TERM;
}

static bool has_room(struct builder *b, const struct plumb_csp_process *p)
{
    if (b->parts++ < MOST_PARTS)
        return true;
    plumb_base_fail(
        b->err, PLUMB_EINPUT, p->place.line, p->place.column,
        "the process has more than %d parts; are the ranges too large?",
        MOST_PARTS);
    return false;
}

static struct plumb_csp_formulas *formulas(const struct builder *b)
{
    return b->t->world->formulas;
}

/* ---- operands; false when memory was refused ---- */

static bool push(struct builder *b, uint32_t operand)
{
    return plumb_csp_term_push(b->t, operand);
}

/* No expression stands for no condition. */
static bool push_formula(struct builder *b, const struct plumb_csp_expr *e)
{
    if (!e)
        return push(b, PLUMB_NONE);
    const uint32_t formula = plumb_csp_formula(formulas(b), e, b->binding);
    return formula != PLUMB_NO_FORMULA && push(b, formula);
}

static bool push_formulas(struct builder *b,
                          const struct plumb_csp_expr *const *e, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!push_formula(b, e[i]))
            return false;
    return true;
}

static bool push_effect(struct builder *b,
                        const struct plumb_csp_program *program)
{
    const uint32_t effect = plumb_csp_effect(formulas(b), program, b->binding);
    return effect != PLUMB_NO_FORMULA && push(b, effect);
}

/* Of an event: a program that does nothing for these arguments is still one,
 * and keeps the event from synchronising. */
static bool push_program(struct builder *b, const struct plumb_csp_process *p)
{
    uint32_t effect = plumb_csp_effect(formulas(b), p->program, b->binding);
    if (effect == 0 && p->program && !p->event.tau)
        effect = plumb_csp_effect_idle(formulas(b));
    return effect != PLUMB_NO_FORMULA && push(b, effect);
}

/* ---- processes; an error of a child is passed on ---- */

#define PUSH_CHILD(b, from, p)                                                 \
    do {                                                                       \
        const uint32_t child_ = build(b, p);                                   \
        if (child_ == PLUMB_NO_TERM) {                                         \
            (b)->t->listed = (from);                                           \
            return PLUMB_NO_TERM;                                              \
        }                                                                      \
        if (!push(b, child_))                                                  \
            return refuse(b, from);                                            \
    } while (0)

static uint32_t finish(struct builder *b, size_t from,
                       enum plumb_csp_term_kind operation,
                       const struct plumb_csp_process *p)
{
    return plumb_csp_term_pop(b->t, from, operation, p, b->err);
}

static uint32_t build_prefix(struct builder *b,
                             const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    if (!push(b, p->event.tau ? PLUMB_UNNAMED : p->event.name) ||
        !push_program(b, p))
        return refuse(b, from);
    PUSH_CHILD(b, from, p->child[0]);
    if (!p->event.tau && !push_formulas(b, p->event.data, p->event.count))
        return refuse(b, from);
    return finish(b, from, PLUMB_TERM_PREFIX, p);
}

static uint32_t build_send(struct builder *b, const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    if (!push(b, p->channel) || !push_formula(b, p->channel_index) ||
        !push_effect(b, p->program))
        return refuse(b, from);
    PUSH_CHILD(b, from, p->child[0]);
    if (!push_formulas(b, p->data, p->count))
        return refuse(b, from);
    return finish(b, from, PLUMB_TERM_SEND, p);
}

/* What a receiver's locals stand for is kept with it. */
static uint32_t keep_binding(struct builder *b, uint32_t receive)
{
    if (receive == PLUMB_NO_TERM || b->t->node[receive].binding)
        return receive;
    plumb_csp_binding *const copy = plumb_base_arena_alloc(
        &b->t->arena, ((size_t)b->locals + 1) * sizeof *copy);
    if (!copy)
        return refuse(b, b->t->listed);
    copy[0] = b->locals;
    if (b->locals)
        memcpy(copy + 1, b->binding, b->locals * sizeof *copy);
    b->t->node[receive].binding = copy;
    return receive;
}

static bool push_patterns(struct builder *b, const struct plumb_csp_process *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const bool binds = p->binds[i] != UINT32_MAX;
        if (!push(b, p->binds[i]) ||
            !push_formula(b, binds ? NULL : p->data[i]))
            return false;
    }
    return true;
}

static uint32_t build_receive(struct builder *b,
                              const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->binds[i] != UINT32_MAX)
            b->binding[p->binds[i]] = UINT32_MAX;
    if (!push(b, p->channel) || !push_formula(b, p->channel_index) ||
        !push_effect(b, p->program) || !push_formula(b, p->accepts))
        return refuse(b, from);
    PUSH_CHILD(b, from, p->child[0]);
    if (!push_patterns(b, p))
        return refuse(b, from);
    return keep_binding(b, finish(b, from, PLUMB_TERM_RECEIVE, p));
}

static uint32_t build_reference(struct builder *b,
                                const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    if (!push(b, p->definition) || !push_formulas(b, p->data, p->count))
        return refuse(b, from);
    return finish(b, from, PLUMB_TERM_REFERENCE, p);
}

static bool push_indexed(struct builder *b, const struct plumb_csp_process *p,
                         uint32_t range);

static bool push_child(struct builder *b, uint32_t child)
{
    if (child == PLUMB_NO_TERM || push(b, child))
        return child != PLUMB_NO_TERM;
    plumb_base_fail_memory(b->err);
    return false;
}

static bool push_spans(struct builder *b, const struct plumb_csp_range *r)
{
    bool good = push(b, r->local) && push(b, 2 * r->spans);
    for (uint32_t i = 0; good && i < r->spans; i++)
        good =
            push_formula(b, r->span[i].low) && push_formula(b, r->span[i].high);
    return good;
}

/* The index is left open: enough to tell the operator from others, and to look
 * at what may come. */
static bool push_unknown(struct builder *b, const struct plumb_csp_process *p,
                         uint32_t range)
{
    const size_t from = b->t->listed;
    const struct plumb_csp_range *const r = &p->range[range];
    if (!push(b, p->kind) || !push_spans(b, r)) {
        plumb_base_fail_memory(b->err);
        return false;
    }
    b->binding[r->local] = UINT32_MAX;
    return push_indexed(b, p, range + 1) &&
           push_child(b, finish(b, from, PLUMB_TERM_INDEXED, p));
}

static bool push_values(struct builder *b, const struct plumb_csp_process *p,
                        uint32_t range)
{
    struct plumb_csp_range_walk w =
        plumb_csp_range_begin(formulas(b), &p->range[range], b->binding);
    plumb_csp_binding *const index = &b->binding[p->range[range].local];
    for (int32_t value; plumb_csp_range_next(&w, &value);) {
        *index = plumb_csp_formula_constant(formulas(b), value);
        if (*index == PLUMB_NO_FORMULA) {
            plumb_base_fail_memory(b->err);
            return false;
        }
        if (!push_indexed(b, p, range + 1))
            return false;
    }
    return true;
}

/* child[0] for all values of the ranges: pushed; false on an error. */
static bool push_indexed(struct builder *b, const struct plumb_csp_process *p,
                         uint32_t range)
{
    if (!has_room(b, p))
        return false;
    if (range == p->ranges)
        return push_child(b, build(b, p->child[0]));
    const struct plumb_csp_range *const r = &p->range[range];
    const plumb_csp_binding before = b->binding[r->local];
    bool good = false;
    switch (plumb_csp_range_state(formulas(b), r, b->binding)) {
    case PLUMB_RANGE_KNOWN:
        good = push_values(b, p, range);
        break;
    case PLUMB_RANGE_UNKNOWN:
        good = push_unknown(b, p, range);
        break;
    case PLUMB_RANGE_REFUSED:
        plumb_base_fail_memory(b->err);
        break;
    }
    b->binding[r->local] = before;
    return good;
}

/* None at all: no choice is Stop, nobody at work has terminated. */
static uint32_t build_empty(enum plumb_csp_term_kind operation)
{
    return operation == PLUMB_TERM_INTERLEAVE ||
                   operation == PLUMB_TERM_PARALLEL
               ? PLUMB_SKIPPED
               : PLUMB_STOPPED;
}

static uint32_t build_several(struct builder *b,
                              const struct plumb_csp_process *p,
                              enum plumb_csp_term_kind operation)
{
    const size_t from = b->t->listed;
    if (p->ranges) {
        if (!push_indexed(b, p, 0)) {
            b->t->listed = from;
            return PLUMB_NO_TERM;
        }
    } else {
        for (uint32_t i = 0; i < p->children; i++)
            PUSH_CHILD(b, from, p->child[i]);
    }
    const size_t count = b->t->listed - from;
    if (count == 0)
        return build_empty(operation);
    if (count == 1) {
        b->t->listed = from;
        return b->t->list[from];
    }
    return finish(b, from, operation, p);
}

static uint32_t build_sequence(struct builder *b,
                               const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    PUSH_CHILD(b, from, p->child[0]);
    PUSH_CHILD(b, from, p->child[1]);
    return finish(b, from, PLUMB_TERM_SEQUENCE, p);
}

static uint32_t build_interrupt(struct builder *b,
                                const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    PUSH_CHILD(b, from, p->child[0]);
    PUSH_CHILD(b, from, p->child[1]);
    return finish(b, from, PLUMB_TERM_INTERRUPT, p);
}

static uint32_t build_unknown_copies(struct builder *b,
                                     const struct plumb_csp_process *p,
                                     uint32_t copies)
{
    const size_t from = b->t->listed;
    if (!push(b, p->kind) || !push(b, PLUMB_NONE) || !push(b, 1) ||
        !push(b, copies))
        return refuse(b, from);
    PUSH_CHILD(b, from, p->child[0]);
    return finish(b, from, PLUMB_TERM_INDEXED, p);
}

static uint32_t build_copies(struct builder *b,
                             const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    int32_t copies = 1;
    if (p->copies) {
        const uint32_t formula =
            plumb_csp_formula(formulas(b), p->copies, b->binding);
        if (formula == PLUMB_NO_FORMULA)
            return refuse(b, from);
        if (!plumb_csp_formula_is_constant(formulas(b), formula, &copies) ||
            copies < 0)
            return build_unknown_copies(b, p, formula);
    }
    if (copies == 0)
        return build_empty(PLUMB_TERM_INTERLEAVE);
    if (!push(b, p->copies ? (uint32_t)copies : PLUMB_MANY))
        return refuse(b, from);
    PUSH_CHILD(b, from, p->child[0]);
    return finish(b, from, PLUMB_TERM_COPIES, p);
}

static uint32_t build_hide(struct builder *b, const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    PUSH_CHILD(b, from, p->child[0]);
    const uint32_t set = plumb_csp_event_sets_text(&b->t->sets, formulas(b),
                                                   &p->hidden, b->binding);
    if (set == PLUMB_NO_SET || !push(b, set))
        return refuse(b, from);
    return finish(b, from, PLUMB_TERM_HIDE, p);
}

/* A condition and children; a child that was not written is Skip. */
static uint32_t build_conditional(struct builder *b,
                                  const struct plumb_csp_process *p,
                                  enum plumb_csp_term_kind operation,
                                  uint32_t children)
{
    const size_t from = b->t->listed;
    if (!push_formula(b, p->condition))
        return refuse(b, from);
    for (uint32_t i = 0; i < children; i++)
        if (i < p->children && p->child[i])
            PUSH_CHILD(b, from, p->child[i]);
        else if (!push(b, PLUMB_SKIPPED))
            return refuse(b, from);
    return finish(b, from, operation, p);
}

static uint32_t build_case(struct builder *b, const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    for (uint32_t i = 0; i < p->children; i++) {
        if (!push_formula(b, p->conditions[i]))
            return refuse(b, from);
        PUSH_CHILD(b, from, p->child[i]);
    }
    return finish(b, from, PLUMB_TERM_CASE, p);
}

static uint32_t build_atomic(struct builder *b,
                             const struct plumb_csp_process *p)
{
    const size_t from = b->t->listed;
    PUSH_CHILD(b, from, p->child[0]);
    return finish(b, from, PLUMB_TERM_ATOMIC, p);
}

static uint32_t build_any(struct builder *b, const struct plumb_csp_process *p)
{
    switch (p->kind) {
    case PLUMB_STOP:
        return PLUMB_STOPPED;
    case PLUMB_SKIP:
        return PLUMB_SKIPPED;
    case PLUMB_PREFIX:
        return build_prefix(b, p);
    case PLUMB_SEND:
        return build_send(b, p);
    case PLUMB_RECEIVE:
        return build_receive(b, p);
    case PLUMB_REFERENCE:
        return build_reference(b, p);
    case PLUMB_SEQUENCE:
        return build_sequence(b, p);
    case PLUMB_EXTERNAL:
        return build_several(b, p, PLUMB_TERM_EXTERNAL);
    case PLUMB_CHOICE:
        return build_several(b, p, PLUMB_TERM_CHOICE);
    case PLUMB_INTERNAL:
        return build_several(b, p, PLUMB_TERM_INTERNAL);
    case PLUMB_INTERLEAVE:
        return build_several(b, p, PLUMB_TERM_INTERLEAVE);
    case PLUMB_PARALLEL:
        return build_several(b, p, PLUMB_TERM_PARALLEL);
    case PLUMB_COPIES:
        return build_copies(b, p);
    case PLUMB_HIDE:
        return build_hide(b, p);
    case PLUMB_INTERRUPT:
        return build_interrupt(b, p);
    case PLUMB_GUARD:
        return build_conditional(b, p, PLUMB_TERM_GUARD, 1);
    case PLUMB_IF:
        return build_conditional(b, p, PLUMB_TERM_IF, 2);
    case PLUMB_IFA:
        return build_conditional(b, p, PLUMB_TERM_IFA, 2);
    case PLUMB_IFB:
        return build_conditional(b, p, PLUMB_TERM_IFB, 1);
    case PLUMB_CASE:
        return build_case(b, p);
    case PLUMB_ATOMIC:
        return build_atomic(b, p);
    case PLUMB_ASSERT:
        return build_conditional(b, p, PLUMB_TERM_ASSERT, 1);
    }
    return PLUMB_STOPPED;
}

static uint32_t build(struct builder *b, const struct plumb_csp_process *p)
{
    if (b->depth >= PLUMB_DEEPEST) {
        plumb_base_fail(b->err, PLUMB_EINPUT, p->place.line, p->place.column,
                        "the process is nested too deeply");
        return PLUMB_NO_TERM;
    }
    if (!has_room(b, p))
        return PLUMB_NO_TERM;
    b->depth++;
    const uint32_t term = build_any(b, p);
    b->depth--;
    return term;
}

uint32_t plumb_csp_term_build(struct plumb_csp_terms *t,
                              const struct plumb_csp_process *p,
                              plumb_csp_binding *binding, uint32_t locals,
                              struct plumb_error *err)
{
    struct builder b = { t, binding, locals, 0, 0, err };
    return build(&b, p);
}

/* ---- a process that stands alone ---- */

static void count_local(uint32_t *locals, uint32_t local)
{
    if (local != UINT32_MAX && local >= *locals)
        *locals = local + 1;
}

static void expr_locals(const struct plumb_csp_expr *e, uint32_t *locals)
{
    if (!e)
        return;
    if (e->kind == PLUMB_EXPR_LOCAL)
        count_local(locals, e->number);
    for (uint32_t i = 0; i < e->operands; i++)
        expr_locals(e->operand[i], locals);
}

static void program_locals(const struct plumb_csp_statement *s,
                           uint32_t *locals)
{
    for (; s; s = s->next) {
        expr_locals(s->target, locals);
        expr_locals(s->value, locals);
        program_locals(s->body, locals);
        program_locals(s->otherwise, locals);
    }
}

static void ranges_locals(const struct plumb_csp_range *range, uint32_t ranges,
                          uint32_t *locals)
{
    for (uint32_t i = 0; i < ranges; i++) {
        count_local(locals, range[i].local);
        for (uint32_t k = 0; k < range[i].spans; k++) {
            expr_locals(range[i].span[k].low, locals);
            expr_locals(range[i].span[k].high, locals);
        }
    }
}

static void set_locals(const struct plumb_csp_event_set *set, uint32_t *locals)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->ranges)
            ranges_locals(set->range[i], set->ranges[i], locals);
        for (uint32_t d = 0; d < set->event[i].count; d++)
            expr_locals(set->event[i].data[d], locals);
    }
}

/* How many locals a text speaks of: one more than the largest number. */
static void process_locals(const struct plumb_csp_process *p, uint32_t *locals)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->binds)
            count_local(locals, p->binds[i]);
        if (p->data)
            expr_locals(p->data[i], locals);
    }
    for (uint32_t i = 0; i < p->event.count; i++)
        expr_locals(p->event.data[i], locals);
    if (p->program)
        program_locals(p->program->first, locals);
    expr_locals(p->condition, locals);
    expr_locals(p->channel_index, locals);
    expr_locals(p->accepts, locals);
    expr_locals(p->copies, locals);
    ranges_locals(p->range, p->ranges, locals);
    set_locals(&p->hidden, locals);
    for (uint32_t i = 0; i < p->children; i++) {
        if (p->conditions)
            expr_locals(p->conditions[i], locals);
        process_locals(p->child[i], locals);
    }
}

uint32_t plumb_csp_term_of(struct plumb_csp_terms *t,
                           const struct plumb_csp_process *p,
                           const plumb_csp_binding *binding,
                           struct plumb_error *err)
{
    uint32_t locals = 0;
    process_locals(p, &locals);
    struct plumb_budget *const budget = t->world->budget;
    const size_t size = ((size_t)locals + 1) * sizeof(plumb_csp_binding);
    plumb_csp_binding *const copy = plumb_base_alloc(budget, size);
    if (!copy) {
        plumb_base_fail_memory(err);
        return PLUMB_NO_TERM;
    }
    for (uint32_t i = 0; i < locals; i++)
        copy[i] = binding ? binding[i] : UINT32_MAX;
    const uint32_t term = plumb_csp_term_build(t, p, copy, locals, err);
    plumb_base_release(budget, copy, size);
    return term;
}
