/* queue_blame.c - who is it?
 *
 * The decider names values that are too much together at the earliest event: a
 * chain of values covers an empty answer, or there are more residents than open
 * removes.  All their operations, of peeks those that matter, are cut out as a
 * input of their own.  The removes of others are not there any more, so the
 * decider, asked again, needs fewer.  From these, values and peeks are left out
 * one by one as long as the rest is still wrong. */
#include "queue_prefix.h"

#include "base/arena.h"
#include "check/input/monitor_input.h"
#include <string.h>

enum { FEW = 128 };

/* ---- the chain over an empty answer ---- */

struct chain {
    struct plumb_check_queue_prefix *p;
    uint32_t reach; /* from where the next value has to cover */
    uint32_t best;  /* the value that covers most */
    uint32_t residents, credit;
};

static void forget_gone(struct plumb_check_queue_prefix *p)
{
    while (p->gones)
        p->out[p->gone[--p->gones]] = false;
}

static void accuse(struct plumb_check_queue_prefix *p, uint32_t v)
{
    if (p->out[v])
        return;
    p->out[v] = true;
    p->suspect[p->suspects++] = v;
}

/* No empty answer is possible after event `now`: whose fault is it? */
static void extend(struct chain *c, uint32_t now)
{
    const struct plumb_check_queue_value *const value = c->p->view->value;
    if (c->best != PLUMB_NO_OP && value[c->best].dc > now) {
        accuse(c->p, c->best);
        c->reach = value[c->best].dc;
        return;
    }
    /* More residents than open removes: they are in the order of er, so the
     * first ones do for later moments, too. */
    for (uint32_t i = 0; i < c->residents && i <= c->credit; i++)
        accuse(c->p, c->p->resident[i]);
}

static void come(struct chain *c, uint32_t v)
{
    const struct plumb_check_queue_value *const value = c->p->view->value;
    if (value[v].rem == PLUMB_NO_OP)
        c->p->resident[c->residents++] = v;
    if (c->best == PLUMB_NO_OP || value[v].dc > value[c->best].dc)
        c->best = v;
}

static void follow(struct chain *c, const struct plumb_check_input_op *o,
                   bool returns)
{
    if (!returns) {
        c->credit += o->role == PLUMB_ROLE_REMOVE &&
                     !plumb_check_queue_has_returned(c->p->view, o);
        return;
    }
    if (o->term == PLUMB_TERM_EMPTY)
        return;
    const uint32_t v = plumb_check_queue_value_of(c->p->view, o);
    if (c->p->view->value[v].er == o->ret)
        come(c, v);
}

/* Values that leave no moment for p->empty. */
static void find_chain(struct plumb_check_queue_prefix *p)
{
    const struct plumb_check_input *const input = p->view->input;
    const struct plumb_check_input_op *const empty = &input->op[p->empty];
    struct chain c = { .p = p, .reach = empty->call, .best = PLUMB_NO_OP };
    forget_gone(p);
    for (uint32_t i = 0; i < input->events; i++) {
        const uint32_t event = input->event[i];
        const struct plumb_check_input_op *const o = &input->op[event / 2];
        const uint32_t now = plumb_check_input_rank(input, event);
        if (now >= empty->ret)
            break;
        follow(&c, o, plumb_check_input_is_return(event));
        if (now >= c.reach)
            extend(&c, now);
    }
    for (uint32_t i = 0; i < p->suspects; i++)
        p->out[p->suspect[i]] = false;
}

/* ---- the operations of suspects ---- */

static bool is_wanted_peek(const struct plumb_check_queue_value *x,
                           const struct plumb_check_input_op *o)
{
    return o->ret == x->hr || o->call == x->dc;
}

static bool is_suspect(const struct plumb_check_queue_prefix *p,
                       const struct plumb_check_input_op *o, uint32_t i)
{
    const bool pending = plumb_check_input_is_pending(o);
    if (i == p->empty)
        return true;
    if (o->role == PLUMB_ROLE_REMOVE && pending)
        return o->call <= p->view->end;
    if (o->term == PLUMB_TERM_EMPTY || (o->role != PLUMB_ROLE_ADD && pending))
        return false;
    const uint32_t v = plumb_check_queue_value_of(p->view, o);
    return p->out[v] && (o->role != PLUMB_ROLE_PEEK ||
                         is_wanted_peek(&p->view->value[v], o));
}

/* Indexes of p's input into `pick`; returns how many. */
static uint32_t collect(struct plumb_check_queue_prefix *p, uint32_t *pick)
{
    const struct plumb_check_input *const input = p->view->input;
    uint32_t count = 0;
    forget_gone(p);
    for (uint32_t i = 0; i < p->suspects; i++)
        p->out[p->suspect[i]] = true;
    for (uint32_t i = 0; i < input->count; i++)
        if (is_suspect(p, &input->op[i], i))
            pick[count++] = i;
    for (uint32_t i = 0; i < p->suspects; i++)
        p->out[p->suspect[i]] = false;
    return count;
}

/* All that may matter to the events up to p->view->end: values that were added
 * by then, or answered without having been. */
static uint32_t collect_all(struct plumb_check_queue_prefix *p, uint32_t *pick)
{
    const struct plumb_check_input *const input = p->view->input;
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_input_op *const o = &input->op[i];
        const bool ends = plumb_check_queue_has_returned(p->view, o);
        const bool known =
            o->role == PLUMB_ROLE_ADD ||
            (!plumb_check_input_is_pending(o) && o->term != PLUMB_TERM_EMPTY);
        const struct plumb_check_queue_value *const x =
            known ? &p->view->value[plumb_check_queue_value_of(p->view, o)]
                  : NULL;
        if (ends || (x && (x->ec <= p->view->end || x->hr != PLUMB_NEVER)) ||
            (o->role == PLUMB_ROLE_REMOVE && plumb_check_input_is_pending(o) &&
             o->call <= p->view->end))
            pick[count++] = i;
    }
    return count;
}

/* ---- asking again ---- */

static enum plumb_check_queue_word ask(const struct plumb_check_input *input,
                                       const struct plumb_check_monitoring *m,
                                       struct plumb_base_arena *arena,
                                       struct plumb_check_queue_view *view,
                                       struct plumb_check_queue_prefix *p)
{
    if (!plumb_check_queue_view_open(view, input, m->budget, arena) ||
        !plumb_check_queue_prefix_open(p, view, arena))
        return PLUMB_QUEUE_ENDED;
    const enum plumb_check_queue_word word =
        plumb_check_queue_prefix_decide(p, m->sure);
    if (word == PLUMB_QUEUE_WRONG && p->empty != PLUMB_NO_OP)
        find_chain(p);
    return word;
}

static bool is_wrong(const struct plumb_check_input *input,
                     const uint32_t *pick, uint32_t count,
                     const struct plumb_check_monitoring *m)
{
    struct plumb_base_arena arena = { .budget = m->budget };
    struct plumb_check_input few;
    struct plumb_check_queue_view view;
    struct plumb_check_queue_prefix p;
    const bool wrong =
        plumb_check_input_cut(input, pick, count, &arena, &few) &&
        ask(&few, m, &arena, &view, &p) == PLUMB_QUEUE_WRONG;
    plumb_base_arena_release(&arena);
    return wrong;
}

/* If `i` is left out, `j` is: it is of the same value, or the same. */
static bool goes_with(const struct plumb_check_input *input, uint32_t i,
                      uint32_t j)
{
    const struct plumb_check_input_op *const a = &input->op[i],
                                             *const b = &input->op[j];
    if (i == j)
        return true;
    if (a->role == PLUMB_ROLE_PEEK || a->term == PLUMB_TERM_EMPTY ||
        b->term == PLUMB_TERM_EMPTY ||
        (b->role != PLUMB_ROLE_ADD && plumb_check_input_is_pending(b)))
        return false;
    return a->word[0] == b->word[0];
}

static void leave_out(const struct plumb_check_input *input, uint32_t i,
                      uint32_t *pick, uint32_t *count,
                      const struct plumb_check_monitoring *m)
{
    uint32_t rest[FEW], left = 0;
    const struct plumb_check_input_op *const o = &input->op[i];
    if (o->role == PLUMB_ROLE_REMOVE && plumb_check_input_is_pending(o))
        return;
    for (uint32_t j = 0; j < *count; j++)
        if (!goes_with(input, i, pick[j]))
            rest[left++] = pick[j];
    if (!is_wrong(input, rest, left, m))
        return;
    memcpy(pick, rest, left * sizeof *rest);
    *count = left;
}

static void shrink(const struct plumb_check_input *input, uint32_t *pick,
                   uint32_t *count, const struct plumb_check_monitoring *m)
{
    for (uint32_t i = 0; i < input->count; i++) {
        bool in = false;
        for (uint32_t j = 0; j < *count; j++)
            in |= pick[j] == i;
        if (in)
            leave_out(input, i, pick, count, m);
    }
}

/* What is wrong with `input`, which is few operations of m->input. */
static bool name(const struct plumb_check_input *input,
                 struct plumb_check_queue_prefix *p,
                 struct plumb_check_monitoring *m)
{
    uint32_t *const pick =
        plumb_base_arena_alloc(m->arena, input->count * sizeof *pick);
    if (!pick)
        return false;
    uint32_t count = collect(p, pick);
    if (count <= FEW && !is_wrong(input, pick, count, m))
        for (count = 0; count < input->count; count++)
            pick[count] = count;
    if (count <= FEW)
        shrink(input, pick, &count, m);
    for (uint32_t i = 0; i < count; i++)
        pick[i] = plumb_check_input_origin(input, pick[i]);
    m->blame = pick;
    m->blames = count;
    return true;
}

bool plumb_check_queue_blame(struct plumb_check_queue_prefix *p,
                             struct plumb_check_monitoring *m)
{
    const struct plumb_check_input *const input = p->view->input;
    struct plumb_check_input few;
    struct plumb_check_queue_view view;
    struct plumb_check_queue_prefix again;
    uint32_t *const pick =
        plumb_base_arena_alloc(m->scratch, input->count * sizeof *pick);
    if (!pick ||
        plumb_check_queue_prefix_decide(p, m->sure) == PLUMB_QUEUE_ENDED)
        return false;
    if (p->empty != PLUMB_NO_OP)
        find_chain(p);
    uint32_t count = collect(p, pick);
    if (!plumb_check_input_cut(input, pick, count, m->scratch, &few))
        return false;
    enum plumb_check_queue_word word = ask(&few, m, m->scratch, &view, &again);
    if (word == PLUMB_QUEUE_FINE || word == PLUMB_QUEUE_UNCLEAR) {
        count = collect_all(p, pick);
        if (!plumb_check_input_cut(input, pick, count, m->scratch, &few))
            return false;
        word = ask(&few, m, m->scratch, &view, &again);
    }
    return word != PLUMB_QUEUE_ENDED && name(&few, &again, m);
}
