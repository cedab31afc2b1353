/* term_build.c - from the text of a process to a term.
 *
 * Locals are replaced by what they stand for; nothing is unfolded or evaluated
 * that is not a constant.  What a channel input binds is left open: the
 * continuation is a term in which that local has no value, which is enough to
 * tell it from others; it is built again for each message (term_channels.c). */
#include "term_build.h"

#include "base/fail.h"
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
    bool failed; /* then nothing is pushed any more, and all that is begun ends
                    as PLUMB_NO_TERM */
};

static uint32_t build(struct builder *b, const struct plumb_csp_process *p);

static void refuse(struct builder *b)
{
    if (!b->failed)
        plumb_base_fail_memory(b->err);
    b->failed = true;
}

static bool has_room(struct builder *b, const struct plumb_csp_process *p)
{
    if (b->parts++ < MOST_PARTS)
        return true;
    plumb_base_fail(
        b->err, PLUMB_EINPUT, p->place.line, p->place.column,
        "the process has more than %d parts; are the ranges too large?",
        MOST_PARTS);
    b->failed = true;
    return false;
}

static struct plumb_csp_formulas *formulas(const struct builder *b)
{
    return b->t->world->formulas;
}

/* ---- operands ---- */

static void push(struct builder *b, uint32_t operand)
{
    if (!b->failed && !plumb_csp_term_push(b->t, operand))
        refuse(b);
}

/* What a formula, an effect or a set of events became. */
static void push_made(struct builder *b, uint32_t made)
{
    if (made == PLUMB_NO_FORMULA)
        refuse(b);
    else
        push(b, made);
}

/* No expression stands for no condition. */
static void push_formula(struct builder *b, const struct plumb_csp_expr *e)
{
    if (e)
        push_made(b, plumb_csp_formula(formulas(b), e, b->binding));
    else
        push(b, PLUMB_NONE);
}

static void push_formulas(struct builder *b,
                          const struct plumb_csp_expr *const *e, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        push_formula(b, e[i]);
}

static void push_effect(struct builder *b,
                        const struct plumb_csp_program *program)
{
    push_made(b, plumb_csp_effect(formulas(b), program, b->binding));
}

/* Of an event: a program that does nothing for these arguments is still one,
 * and keeps the event from synchronising. */
static void push_program(struct builder *b, const struct plumb_csp_process *p)
{
    uint32_t effect = plumb_csp_effect(formulas(b), p->program, b->binding);
    if (effect == 0 && p->program && !p->event.tau)
        effect = plumb_csp_effect_idle(formulas(b));
    push_made(b, effect);
}

/* An error of a child was said where it was met. */
static void push_term(struct builder *b, uint32_t term)
{
    b->failed |= term == PLUMB_NO_TERM;
    push(b, term);
}

static void push_child(struct builder *b, const struct plumb_csp_process *p)
{
    if (!b->failed)
        push_term(b, build(b, p));
}

/* ---- processes ---- */

static uint32_t finish(struct builder *b, size_t from,
                       enum plumb_csp_term_kind operation,
                       const struct plumb_csp_process *p)
{
    if (!b->failed)
        return plumb_csp_term_pop(b->t, from, operation, p, b->err);
    b->t->listed = from;
    return PLUMB_NO_TERM;
}

/* Operands of a process that became a term, as term_store.h lists them. */

static void push_prefix(struct builder *b, const struct plumb_csp_process *p)
{
    push(b, p->event.tau ? PLUMB_UNNAMED : p->event.name);
    push_program(b, p);
    push_child(b, p->child[0]);
    push_formulas(b, p->event.data, p->event.tau ? 0 : p->event.count);
}

static void push_send(struct builder *b, const struct plumb_csp_process *p)
{
    push(b, p->channel);
    push_formula(b, p->channel_index);
    push_effect(b, p->program);
    push_child(b, p->child[0]);
    push_formulas(b, p->data, p->count);
}

/* What a receiver's locals stand for is kept with it. */
static uint32_t keep_binding(struct builder *b, uint32_t receive)
{
    if (receive == PLUMB_NO_TERM || b->t->node[receive].binding)
        return receive;
    plumb_csp_binding *const copy = plumb_base_arena_alloc(
        &b->t->arena, ((size_t)b->locals + 1) * sizeof *copy);
    if (!copy) {
        refuse(b);
        return PLUMB_NO_TERM;
    }
    copy[0] = b->locals;
    if (b->locals)
        memcpy(copy + 1, b->binding, b->locals * sizeof *copy);
    b->t->node[receive].binding = copy;
    return receive;
}

static bool binds(const struct plumb_csp_process *p, uint32_t i)
{
    return p->binds[i] != UINT32_MAX;
}

static void push_receive(struct builder *b, const struct plumb_csp_process *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (binds(p, i))
            b->binding[p->binds[i]] = UINT32_MAX;
    push(b, p->channel);
    push_formula(b, p->channel_index);
    push_effect(b, p->program);
    push_formula(b, p->accepts);
    push_child(b, p->child[0]);
    for (uint32_t i = 0; i < p->count; i++) {
        push(b, p->binds[i]);
        push_formula(b, binds(p, i) ? NULL : p->data[i]);
    }
}

static void push_reference(struct builder *b, const struct plumb_csp_process *p)
{
    push(b, p->definition);
    push_formulas(b, p->data, p->count);
}

static void push_indexed(struct builder *b, const struct plumb_csp_process *p,
                         uint32_t range);

/* The index is left open: enough to tell the operator from others, and to look
 * at what may come. */
static void push_unknown(struct builder *b, const struct plumb_csp_process *p,
                         uint32_t range)
{
    const size_t from = b->t->listed;
    const struct plumb_csp_range *const r = &p->range[range];
    push(b, p->kind);
    push(b, r->local);
    push(b, 2 * r->spans);
    for (uint32_t i = 0; i < r->spans; i++) {
        push_formula(b, r->span[i].low);
        push_formula(b, r->span[i].high);
    }
    b->binding[r->local] = UINT32_MAX;
    push_indexed(b, p, range + 1);
    push_term(b, finish(b, from, PLUMB_TERM_INDEXED, p));
}

static void push_values(struct builder *b, const struct plumb_csp_process *p,
                        uint32_t range)
{
    struct plumb_csp_range_walk w =
        plumb_csp_range_begin(formulas(b), &p->range[range], b->binding);
    plumb_csp_binding *const index = &b->binding[p->range[range].local];
    for (int32_t value; !b->failed && plumb_csp_range_next(&w, &value);) {
        *index = plumb_csp_formula_constant(formulas(b), value);
        if (*index == PLUMB_NO_FORMULA)
            refuse(b);
        push_indexed(b, p, range + 1);
    }
}

/* child[0] for all values of the ranges. */
static void push_indexed(struct builder *b, const struct plumb_csp_process *p,
                         uint32_t range)
{
    if (b->failed || !has_room(b, p))
        return;
    if (range == p->ranges) {
        push_child(b, p->child[0]);
        return;
    }
    const struct plumb_csp_range *const r = &p->range[range];
    const plumb_csp_binding before = b->binding[r->local];
    switch (plumb_csp_range_state(formulas(b), r, b->binding)) {
    case PLUMB_RANGE_KNOWN:
        push_values(b, p, range);
        break;
    case PLUMB_RANGE_UNKNOWN:
        push_unknown(b, p, range);
        break;
    case PLUMB_RANGE_REFUSED:
        refuse(b);
        break;
    }
    b->binding[r->local] = before;
}

/* None at all: no choice is Stop, nobody at work has terminated. */
static uint32_t build_empty(enum plumb_csp_term_kind operation)
{
    return operation == PLUMB_TERM_INTERLEAVE ||
                   operation == PLUMB_TERM_PARALLEL
               ? PLUMB_SKIPPED
               : PLUMB_STOPPED;
}

/* Of one, that one. */
static uint32_t build_few(struct builder *b, size_t from,
                          enum plumb_csp_term_kind operation)
{
    if (b->t->listed == from)
        return build_empty(operation);
    b->t->listed = from;
    return b->t->list[from];
}

static void push_children(struct builder *b, const struct plumb_csp_process *p)
{
    for (uint32_t i = 0; i < p->children; i++)
        push_child(b, p->child[i]);
}

static void push_several(struct builder *b, const struct plumb_csp_process *p)
{
    if (p->ranges)
        push_indexed(b, p, 0);
    else
        push_children(b, p);
}

static uint32_t build_unknown_copies(struct builder *b,
                                     const struct plumb_csp_process *p,
                                     uint32_t copies)
{
    const size_t from = b->t->listed;
    push(b, p->kind);
    push(b, PLUMB_NONE);
    push(b, 1);
    push(b, copies);
    push_child(b, p->child[0]);
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
        if (formula == PLUMB_NO_FORMULA) {
            refuse(b);
            return PLUMB_NO_TERM;
        }
        if (!plumb_csp_formula_is_constant(formulas(b), formula, &copies) ||
            copies < 0)
            return build_unknown_copies(b, p, formula);
    }
    if (copies == 0)
        return build_empty(PLUMB_TERM_INTERLEAVE);
    push(b, p->copies ? (uint32_t)copies : PLUMB_MANY);
    push_child(b, p->child[0]);
    return finish(b, from, PLUMB_TERM_COPIES, p);
}

static void push_hide(struct builder *b, const struct plumb_csp_process *p)
{
    push_child(b, p->child[0]);
    push_made(b, plumb_csp_event_sets_text(&b->t->sets, formulas(b), &p->hidden,
                                           b->binding));
}

/* A condition and children; a child that was not written is Skip. */
static void push_conditional(struct builder *b,
                             const struct plumb_csp_process *p)
{
    const bool two = p->kind == PLUMB_IF || p->kind == PLUMB_IFA;
    push_formula(b, p->condition);
    for (uint32_t i = 0; i < (two ? 2 : 1); i++)
        if (i < p->children && p->child[i])
            push_child(b, p->child[i]);
        else
            push(b, PLUMB_SKIPPED);
}

static void push_case(struct builder *b, const struct plumb_csp_process *p)
{
    for (uint32_t i = 0; i < p->children; i++) {
        push_formula(b, p->conditions[i]);
        push_child(b, p->child[i]);
    }
}

static uint32_t build_any(struct builder *b, const struct plumb_csp_process *p)
{
    static const struct {
        enum plumb_csp_term_kind operation;
        void (*push)(struct builder *b, const struct plumb_csp_process *p);
    } form[] = {
        [PLUMB_PREFIX] = { PLUMB_TERM_PREFIX, push_prefix },
        [PLUMB_SEND] = { PLUMB_TERM_SEND, push_send },
        [PLUMB_RECEIVE] = { PLUMB_TERM_RECEIVE, push_receive },
        [PLUMB_REFERENCE] = { PLUMB_TERM_REFERENCE, push_reference },
        [PLUMB_SEQUENCE] = { PLUMB_TERM_SEQUENCE, push_children },
        [PLUMB_EXTERNAL] = { PLUMB_TERM_EXTERNAL, push_several },
        [PLUMB_CHOICE] = { PLUMB_TERM_CHOICE, push_several },
        [PLUMB_INTERNAL] = { PLUMB_TERM_INTERNAL, push_several },
        [PLUMB_INTERLEAVE] = { PLUMB_TERM_INTERLEAVE, push_several },
        [PLUMB_PARALLEL] = { PLUMB_TERM_PARALLEL, push_several },
        [PLUMB_HIDE] = { PLUMB_TERM_HIDE, push_hide },
        [PLUMB_INTERRUPT] = { PLUMB_TERM_INTERRUPT, push_children },
        [PLUMB_GUARD] = { PLUMB_TERM_GUARD, push_conditional },
        [PLUMB_IF] = { PLUMB_TERM_IF, push_conditional },
        [PLUMB_IFA] = { PLUMB_TERM_IFA, push_conditional },
        [PLUMB_IFB] = { PLUMB_TERM_IFB, push_conditional },
        [PLUMB_CASE] = { PLUMB_TERM_CASE, push_case },
        [PLUMB_ATOMIC] = { PLUMB_TERM_ATOMIC, push_children },
        [PLUMB_ASSERT] = { PLUMB_TERM_ASSERT, push_conditional },
    };
    const enum plumb_csp_term_kind operation = form[p->kind].operation;
    const size_t from = b->t->listed;
    if (p->kind == PLUMB_STOP || p->kind == PLUMB_SKIP)
        return p->kind == PLUMB_STOP ? PLUMB_STOPPED : PLUMB_SKIPPED;
    if (p->kind == PLUMB_COPIES)
        return build_copies(b, p);
    form[p->kind].push(b, p);
    if (form[p->kind].push == push_several && !b->failed &&
        b->t->listed - from < 2)
        return build_few(b, from, operation);
    const uint32_t term = finish(b, from, operation, p);
    return p->kind == PLUMB_RECEIVE ? keep_binding(b, term) : term;
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
    struct builder b = {
        .t = t, .binding = binding, .locals = locals, .err = err
    };
    return build(&b, p);
}

uint32_t plumb_csp_term_build_received(struct plumb_csp_terms *t,
                                       uint32_t receive,
                                       plumb_csp_binding *binding,
                                       uint32_t locals, struct plumb_error *err)
{
    const struct plumb_csp_process *const p = t->node[receive].origin;
    const size_t from = t->listed;
    struct builder b = {
        .t = t, .binding = binding, .locals = locals, .err = err
    };
    push_formula(&b, p->accepts);
    push_effect(&b, p->program);
    push_child(&b, p->child[0]);
    for (uint32_t i = 0; i < p->count; i++)
        push_formula(&b, binds(p, i) ? NULL : p->data[i]);
    return finish(&b, from, PLUMB_TERM_RECEIVED, p);
}
