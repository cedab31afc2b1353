/* stuck.c - the states that completed operations may leave, and who waits there.
 *
 * The open operations do not take part: each is looked at alone, and it has no
 * effect where it does not return.  So one search serves them all: depth first
 * over (which other operations were placed, state), each pair once.  Those of
 * which nobody knows what came (info) may be placed or not.  At the end of an
 * order an operation waits if a step of it, with any answer, leads nowhere, or
 * may choose to.  Exponential in the number of operations that overlap.
 *
 * It may wait, too, where the specification does not know what it does.
 *
 * Calls and returns that a type is told of are placed as well (told.h).  Those
 * that are open are removed, so nobody can need them; the one that is looked at
 * is called last.
 *
 * Of types whose operations take effect in several steps the open ones take
 * part, and what is placed are steps.  An order is at its end where none is left
 * to place; those that are open wait if none of them has taken its last step. */
#include "stuck.h"

#include "base/fail.h"
#include "base/memory.h"
#include "spec/stores/cells.h"
#include "told.h"
#include <assert.h>
#include <string.h>

enum { WORD_BITS = 32, POLL_STEPS = 1024 };

/* What is placed: an operation, or one step of it, or its call or return. */
struct deed {
    uint32_t op;
    uint32_t call, ret;
    uint8_t more; /* steps that are to follow */
    uint8_t moment;
    bool open;
    bool waits; /* for ever, that is the question */
};

/* The search of one object. */
struct stuck {
    const struct plumb_spec_bound *bound;
    struct plumb_budget *budget;
    struct plumb_spec_space space;
    bool stepwise;
    /* the operations of the object that are not open, in the order of their
     * calls; and the open ones, if that is stepwise */
    const struct deed *deed;
    uint32_t count;
    /* what was met: the deeds placed, as bits, and then the state.  Those
     * before `done` were gone on from. */
    struct plumb_spec_cells met;
    uint32_t done;
    uint32_t *cell; /* one in the making */
    struct plumb_spec_states next, final, called;
    /* stepwise: all that completed were placed once; once, all others waited;
     * the first that did not */
    bool completed, all_wait;
    uint32_t culprit;
};

static uint32_t words_of(const struct stuck *s)
{
    return (s->count + WORD_BITS - 1) / WORD_BITS;
}

static bool is_placed(const uint32_t *cell, uint32_t i)
{
    return cell[i / WORD_BITS] >> i % WORD_BITS & 1;
}

/* The earliest return among those not placed: what is called after it has to
 * wait.  Info operations have none. */
static uint32_t horizon_of(const struct stuck *s, const uint32_t *cell)
{
    uint32_t horizon = PLUMB_NEVER;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t ret = s->deed[i].ret;
        if (!is_placed(cell, i) && ret < horizon)
            horizon = ret;
    }
    return horizon;
}

static bool step(struct stuck *s, plumb_spec_state from, struct deed deed)
{
    struct plumb_spec_action a = s->bound->action[deed.op];
    a.more = deed.more;
    a.moment = deed.moment;
    a.whose = deed.op;
    if (deed.waits)
        a.term = PLUMB_TERM_NEVER;
    if (s->stepwise)
        a.thread = deed.op;
    s->next.count = 0;
    return plumb_spec_happen(&s->space, s->space.spec->type, from, &a,
                             &s->next);
}

static bool add_final(struct stuck *s, plumb_spec_state state)
{
    for (size_t i = 0; i < s->final.count; i++)
        if (s->final.state[i] == state)
            return true;
    return plumb_spec_states_add(&s->final, state);
}

/* Place deed i of the list in s->cell. */
static bool place(struct stuck *s, uint32_t i)
{
    const uint32_t words = words_of(s);
    const plumb_spec_state before = s->cell[words];
    if (!step(s, before, s->deed[i]))
        return false;
    s->cell[i / WORD_BITS] |= (uint32_t)1 << i % WORD_BITS;
    for (size_t k = 0; k < s->next.count; k++) {
        s->cell[words] = s->next.state[k];
        if (plumb_spec_cells_intern(&s->met, s->cell) == UINT32_MAX)
            return false;
    }
    s->cell[i / WORD_BITS] &= ~((uint32_t)1 << i % WORD_BITS);
    s->cell[words] = before;
    return true;
}

/* All that completed are placed in s->cell, and so is everything that follows
 * it, unless it is the end: which of the open ones waits? */
static bool ask_who_waits(struct stuck *s)
{
    bool all = true;
    s->completed = true;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct deed deed = s->deed[i];
        const bool placed = is_placed(s->cell, i);
        if (!placed && !step(s, s->cell[words_of(s)], deed))
            return false;
        if (!deed.open || (placed ? deed.more > 0 : s->next.count == 0))
            continue;
        all = false;
        if (deed.more == 0 && deed.op < s->culprit)
            s->culprit = deed.op;
    }
    s->all_wait |= all;
    return true;
}

/* Everything that may be placed next after s->cell. */
static bool go_on(struct stuck *s)
{
    const uint32_t horizon = horizon_of(s, s->cell);
    if (horizon == PLUMB_NEVER && !s->stepwise &&
        !add_final(s, s->cell[words_of(s)]))
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->deed[i].call > horizon)
            break;
        if (!is_placed(s->cell, i) && !place(s, i))
            return false;
    }
    return horizon != PLUMB_NEVER || !s->stepwise || ask_who_waits(s);
}

static bool search(struct stuck *s)
{
    const size_t size = ((size_t)words_of(s) + 1) * sizeof *s->cell;
    memset(s->cell, 0, size);
    s->cell[words_of(s)] = s->space.spec->type->initial(&s->space);
    if (s->cell[words_of(s)] == PLUMB_NO_STATE ||
        plumb_spec_cells_intern(&s->met, s->cell) == UINT32_MAX)
        return false;
    for (; s->done < s->met.count; s->done++) {
        memcpy(s->cell, plumb_spec_cell(&s->met, s->done), size);
        if (s->done % POLL_STEPS == POLL_STEPS - 1 &&
            plumb_budget_state(s->budget) != PLUMB_OK)
            return false;
        if (!go_on(s))
            return false;
    }
    return true;
}

/* Does one of the steps lead to the unknown state? */
static bool is_unknown(const struct stuck *s)
{
    for (size_t i = 0; i < s->next.count; i++)
        if (plumb_spec_is_unknown(&s->space, s->next.state[i]))
            return true;
    return false;
}

/* Does `op` wait in one of these states?  False when memory is used up. */
static bool may_wait_in(struct stuck *s, const struct plumb_spec_states *in,
                        uint32_t op, bool *waits, bool *unknown)
{
    *waits = *unknown = false;
    for (size_t i = 0; i < in->count && !*waits; i++) {
        if (!step(s, in->state[i], (struct deed){ .op = op }))
            return false;
        *waits = s->next.count == 0 || s->space.waits;
        *unknown |= is_unknown(s);
    }
    return true;
}

/* The final states once `op` has been called. */
static bool call_it(struct stuck *s, uint32_t op)
{
    s->called.count = 0;
    for (size_t i = 0; i < s->final.count; i++) {
        if (!step(s, s->final.state[i],
                  (struct deed){
                      .op = op, .moment = PLUMB_MOMENT_CALL, .waits = true }))
            return false;
        for (size_t k = 0; k < s->next.count; k++)
            if (!plumb_spec_states_add(&s->called, s->next.state[k]))
                return false;
    }
    return true;
}

static bool may_wait(struct stuck *s, uint32_t op, bool *waits, bool *unknown)
{
    if (!s->space.spec->type->called)
        return may_wait_in(s, &s->final, op, waits, unknown);
    return call_it(s, op) && may_wait_in(s, &s->called, op, waits, unknown);
}

/* ---- objects ---- */

struct question {
    const struct plumb_spec_bound *bound;
    struct plumb_budget *budget;
    struct deed *deed;
    size_t room;    /* for deeds */
    uint32_t *cell; /* room for all of the history */
    bool linearizable;
    bool unknown;     /* some wait only if something unknown holds */
    uint32_t culprit; /* the first there is */
};

static bool may_be_placed(const struct plumb_op *o)
{
    return o->outcome == PLUMB_OUTCOME_OK || o->outcome == PLUMB_OUTCOME_INFO;
}

static void list_deed(const struct question *q, uint32_t i, unsigned more,
                      struct deed *to)
{
    const struct plumb_op *const o = q->bound->history->op + i;
    *to = (struct deed){ .op = i,
                         .call = o->call,
                         .ret = plumb_op_ret(o),
                         .more = (uint8_t)more,
                         .open = q->bound->spec->type->stepwise &&
                                 plumb_op_is_pending(o) };
}

static uint32_t list_steps(const struct question *q, uint32_t object)
{
    const struct plumb_history *const h = q->bound->history;
    const struct plumb_spec_type *const type = q->bound->spec->type;
    uint32_t count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const bool open = type->stepwise && plumb_op_is_pending(h->op + i);
        if (h->op[i].object == object && (open || may_be_placed(h->op + i)))
            for (unsigned more = plumb_spec_steps(type, q->bound->action + i);
                 more-- > 0;)
                list_deed(q, i, more, q->deed + count++);
    }
    return count;
}

/* The items of a part whose operations these are. */
static bool list_told(const struct question *q, uint32_t object,
                      uint32_t *count)
{
    const struct plumb_history *const h = q->bound->history;
    struct plumb_base_arena arena;
    struct plumb_check_part part = { .count = 0 };
    bool room = true;
    plumb_base_arena_init(&arena, q->budget);
    part.item = plumb_base_arena_alloc(&arena, q->room * sizeof *part.item);
    for (uint32_t i = 0; part.item && room && i < h->count; i++)
        if (h->op[i].object == object && may_be_placed(h->op + i))
            room = plumb_check_told_add(q->bound, i, &arena, &part);
    room = room && part.item && plumb_check_told_sort(&part, q->budget);
    for (uint32_t k = 0; room && k < part.count; k++)
        q->deed[k] = (struct deed){ .op = part.item[k].op,
                                    .call = part.item[k].call,
                                    .ret = part.item[k].ret,
                                    .moment = part.item[k].action->moment };
    *count = part.count;
    plumb_base_arena_release(&arena);
    return room;
}

static bool find_culprit(struct question *q, struct stuck *s, uint32_t object)
{
    const struct plumb_history *const h = q->bound->history;
    for (uint32_t i = 0; i < h->count && i < q->culprit; i++) {
        bool waits, unknown;
        if (h->op[i].object != object || h->op[i].outcome != PLUMB_OUTCOME_OPEN)
            continue;
        if (!may_wait(s, i, &waits, &unknown))
            return false;
        q->unknown |= !waits && unknown;
        if (!waits && !unknown)
            q->culprit = i;
    }
    return true;
}

static bool ask_object(struct question *q, uint32_t object)
{
    struct stuck s = { .bound = q->bound,
                       .budget = q->budget,
                       .stepwise = q->bound->spec->type->stepwise,
                       .deed = q->deed,
                       .cell = q->cell,
                       .culprit = UINT32_MAX,
                       .next.budget = q->budget,
                       .final.budget = q->budget,
                       .called.budget = q->budget };
    if (!plumb_spec_is_told(q->bound->spec->type))
        s.count = list_steps(q, object);
    else if (!list_told(q, object, &s.count))
        return false;
    if (!plumb_spec_space_open(&s.space, q->bound, q->budget))
        return false;
    plumb_spec_cells_init(&s.met, q->budget, words_of(&s) + 1);
    const bool done = search(&s) && (s.stepwise || find_culprit(q, &s, object));
    if (done && !s.final.count && !s.completed)
        q->linearizable = false;
    if (!s.all_wait && s.culprit < q->culprit)
        q->culprit = s.culprit;
    plumb_spec_cells_release(&s.met);
    plumb_spec_states_release(&s.next);
    plumb_spec_states_release(&s.final);
    plumb_spec_states_release(&s.called);
    plumb_spec_space_close(&s.space);
    return done;
}

static bool ask(struct question *q)
{
    const uint32_t objects = q->bound->history->objects;
    for (uint32_t i = 0; i < objects && q->linearizable; i++)
        if (!ask_object(q, i))
            return false;
    return true;
}

enum plumb_status plumb_check_stuck(const struct plumb_history *h,
                                    const struct plumb_spec *spec,
                                    struct plumb_budget *budget,
                                    bool *justified, bool *unknown,
                                    uint32_t *culprit, struct plumb_error *err)
{
    assert(h && spec && justified && culprit && err);
    struct plumb_spec_bound bound;
    enum plumb_status status = plumb_spec_bind(h, spec, budget, &bound, err);
    if (status == PLUMB_ETIME || status == PLUMB_ESTOP)
        return plumb_base_fail_budget(budget, err);
    if (status != PLUMB_OK)
        return status;
    size_t room = 2;
    for (uint32_t i = 0; i < h->count; i++)
        room += plumb_spec_is_told(spec->type)
                    ? plumb_check_told_items(spec->type, bound.action + i)
                    : plumb_spec_steps(spec->type, bound.action + i);
    struct question q = { .bound = &bound,
                          .budget = budget,
                          .room = room,
                          .deed =
                              plumb_base_alloc(budget, room * sizeof *q.deed),
                          .cell =
                              plumb_base_alloc(budget, room * sizeof *q.cell),
                          .linearizable = true,
                          .culprit = UINT32_MAX };
    if (!q.deed || !q.cell || !ask(&q))
        status = plumb_base_fail_budget(budget, err);
    PLUMB_RELEASE(budget, q.deed, room);
    PLUMB_RELEASE(budget, q.cell, room);
    plumb_spec_bound_release(&bound);
    if (status != PLUMB_OK)
        return status;
    *culprit = q.linearizable ? q.culprit : UINT32_MAX;
    *justified = q.linearizable && q.culprit == UINT32_MAX;
    if (unknown)
        *unknown = *justified && q.unknown;
    return PLUMB_OK;
}
