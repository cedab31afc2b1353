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
 * Of types whose operations take effect in several steps the open ones take
 * part, and what is placed are steps.  An order is at its end where none is left
 * to place; those that are open wait if none of them has taken its last step. */
#include "stuck.h"

#include "base/fail.h"
#include "base/memory.h"
#include "spec/stores/cells.h"
#include <assert.h>
#include <string.h>

enum { WORD_BITS = 32, POLL_STEPS = 1024 };

/* What is placed: an operation, or one step of it. */
struct deed {
    uint32_t op;
    uint8_t more; /* steps that are to follow */
    bool open;
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
    struct plumb_spec_states next, final;
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

static const struct plumb_spec_action *action_of(const struct stuck *s,
                                                 uint32_t i)
{
    return s->bound->action + s->deed[i].op;
}

/* The earliest return among those not placed: what is called after it has to
 * wait.  Info operations have none. */
static uint32_t horizon_of(const struct stuck *s, const uint32_t *cell)
{
    uint32_t horizon = PLUMB_NEVER;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t ret = action_of(s, i)->ret;
        if (!is_placed(cell, i) && ret < horizon)
            horizon = ret;
    }
    return horizon;
}

static bool step(struct stuck *s, plumb_spec_state from, struct deed deed)
{
    struct plumb_spec_action a = s->bound->action[deed.op];
    a.more = deed.more;
    if (s->stepwise)
        a.thread = deed.op;
    s->next.count = 0;
    return s->space.spec->type->step(&s->space, from, &a, &s->next);
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
        if (action_of(s, i)->call > horizon)
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

/* Does `op` wait in one of the final states?  False when memory is used up. */
static bool may_wait(struct stuck *s, uint32_t op, bool *waits, bool *unknown)
{
    *waits = *unknown = false;
    for (size_t i = 0; i < s->final.count && !*waits; i++) {
        if (!step(s, s->final.state[i], (struct deed){ .op = op }))
            return false;
        *waits = s->next.count == 0 || s->space.waits;
        *unknown |= is_unknown(s);
    }
    return true;
}

/* ---- objects ---- */

struct question {
    const struct plumb_spec_bound *bound;
    struct plumb_budget *budget;
    struct deed *deed;
    uint32_t *cell; /* room for all of the history */
    bool linearizable;
    bool unknown;     /* some wait only if something unknown holds */
    uint32_t culprit; /* the first there is */
};

static bool may_be_placed(const struct plumb_op *o)
{
    return o->outcome == PLUMB_OUTCOME_OK || o->outcome == PLUMB_OUTCOME_INFO;
}

static uint32_t list_deeds(const struct question *q, uint32_t object)
{
    const struct plumb_history *const h = q->bound->history;
    const bool stepwise = q->bound->spec->type->stepwise;
    uint32_t count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const bool open = stepwise && plumb_op_is_pending(h->op + i);
        if (h->op[i].object == object && (open || may_be_placed(h->op + i)))
            for (unsigned more = plumb_spec_steps(q->bound->spec->type,
                                                  q->bound->action + i);
                 more-- > 0;)
                q->deed[count++] = (struct deed){ i, (uint8_t)more, open };
    }
    return count;
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
                       .count = list_deeds(q, object),
                       .cell = q->cell,
                       .culprit = UINT32_MAX,
                       .next.budget = q->budget,
                       .final.budget = q->budget };
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
        room += plumb_spec_steps(spec->type, bound.action + i);
    struct question q = { .bound = &bound,
                          .budget = budget,
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
