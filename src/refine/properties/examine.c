/* examine.c - one graph, breadth first.
 *
 * A deadlock is a state without edges that something other than termination
 * leads to.  The same state may be the end of one run and the deadlock of
 * another, so for that question a state that a PLUMB_TICK leads to is a place
 * of its own: places are states, or pairs of a state and how it was reached. */
#include "examine.h"

#include "base/fail.h"
#include "base/memory.h"
#include "breadth.h"
#include <assert.h>

struct examiner {
    struct plumb_csp_graph *g;
    enum plumb_refine_question question;
    const struct plumb_refine_goal *goal;
    struct plumb_base_arena *arena; /* of what is found */
    struct plumb_budget *budget;
    struct plumb_refine_examination *x;
    struct plumb_error *err;
    bool by_tick; /* places are pairs */
    struct plumb_refine_breadth b;
    uint32_t best; /* place that is the goal */

    /* Of determinism: the state that had an edge with this event last, and
     * that edge. */
    uint32_t *user, *first;
    size_t user_room, first_room, events;
};

static enum plumb_status meet_all(struct examiner *e, uint32_t place,
                                  struct plumb_csp_outgoing out)
{
    for (uint32_t i = 0; i < out.count; i++) {
        uint32_t to = out.edge[i].target;
        if (e->by_tick)
            to = 2 * to + (out.edge[i].event == PLUMB_TICK);
        if (!plumb_refine_breadth_meet(&e->b, to, place, i))
            return plumb_base_fail_memory(e->err);
    }
    e->x->transitions += out.count;
    return PLUMB_OK;
}

static enum plumb_status found(struct examiner *e, uint32_t place)
{
    struct plumb_refine_examination *const x = e->x;
    const uint32_t stride = e->by_tick ? 2 : 1;
    x->path =
        plumb_refine_breadth_way(&e->b, place, stride, e->arena, &x->length);
    x->cycle = x->length;
    x->final = place / stride;
    return x->path ? PLUMB_END : plumb_base_fail_memory(e->err);
}

/* ---- determinism ---- */

static bool know_event(struct examiner *e, uint32_t event)
{
    if (event < e->events)
        return true;
    if (!PLUMB_GROW(e->budget, e->user, e->user_room, (size_t)event + 1) ||
        !PLUMB_GROW(e->budget, e->first, e->first_room, (size_t)event + 1))
        return false;
    for (; e->events <= event; e->events++)
        e->user[e->events] = PLUMB_NOWHERE;
    return true;
}

/* PLUMB_END if two edges of the same event lead to different states. */
static enum plumb_status compare_edges(struct examiner *e, uint32_t state,
                                       struct plumb_csp_outgoing out)
{
    for (uint32_t i = 0; i < out.count; i++) {
        const uint32_t event = out.edge[i].event;
        if (!know_event(e, event))
            return plumb_base_fail_memory(e->err);
        if (e->user[event] != state) {
            e->user[event] = state;
            e->first[event] = i;
        } else if (out.edge[e->first[event]].target != out.edge[i].target) {
            e->x->edge[0] = e->first[event];
            e->x->edge[1] = i;
            return PLUMB_END;
        }
    }
    return PLUMB_OK;
}

/* ---- reaching a goal ---- */

/* PLUMB_END if the search may end here. */
static enum plumb_status look_for_goal(struct examiner *e, uint32_t place)
{
    const struct plumb_refine_goal *const goal = e->goal;
    int64_t value = 0;
    bool yes = false;
    const enum plumb_status status =
        goal->holds(goal->context, place, &yes, &value, e->err);
    if (status != PLUMB_OK || !yes)
        return status;
    if (e->best != PLUMB_NOWHERE &&
        (goal->optimise < 0 ? value >= e->x->best : value <= e->x->best))
        return PLUMB_OK;
    e->best = place;
    e->x->best = value;
    return goal->optimise ? PLUMB_OK : PLUMB_END;
}

/* ---- all states, one after the other ---- */

/* PLUMB_END if what is asked for is here. */
static enum plumb_status look(struct examiner *e, uint32_t place,
                              struct plumb_csp_outgoing out)
{
    switch (e->question) {
    case PLUMB_DEADLOCKFREE:
        return !out.count && place % 2 == 0 ? PLUMB_END : PLUMB_OK;
    case PLUMB_NONTERMINATING:
        return out.count ? PLUMB_OK : PLUMB_END;
    case PLUMB_DETERMINISTIC:
        return compare_edges(e, place, out);
    default:
        return PLUMB_OK;
    }
}

static enum plumb_status visit(struct examiner *e, uint32_t place)
{
    if (e->question == PLUMB_REACHES)
        PLUMB_TRY(look_for_goal(e, place));
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(e->g, e->by_tick ? place / 2 : place, e->err);
    PLUMB_TRY(out.status);
    PLUMB_TRY(look(e, place, out));
    return meet_all(e, place, out);
}

/* The clock is read every thousand places, or edges: some have many. */
static bool may_go_on(const struct examiner *e, uint64_t *looked)
{
    const uint64_t done = e->b.head + e->x->transitions;
    if (done - *looked < 1024)
        return true;
    *looked = done;
    return plumb_budget_state(e->budget) == PLUMB_OK;
}

/* PLUMB_END if it ended at a place, to which the way is shown. */
static enum plumb_status search(struct examiner *e)
{
    enum plumb_status status = PLUMB_OK;
    struct plumb_refine_breadth *const b = &e->b;
    uint64_t looked = 0;
    if (!plumb_refine_breadth_meet(b, 0, PLUMB_NOWHERE, 0))
        return plumb_base_fail_memory(e->err);
    while (b->head < b->count) {
        const uint32_t place = b->queue[b->head++];
        if (!may_go_on(e, &looked))
            return plumb_base_fail_budget(e->budget, e->err);
        status = visit(e, place);
        if (status == PLUMB_END)
            return found(e, place);
        if (status != PLUMB_OK)
            return status;
    }
    return e->best == PLUMB_NOWHERE ? PLUMB_OK : found(e, e->best);
}

/* ---- the interface ---- */

static void release(struct examiner *e)
{
    plumb_refine_breadth_release(&e->b);
    PLUMB_RELEASE(e->budget, e->user, e->user_room);
    PLUMB_RELEASE(e->budget, e->first, e->first_room);
}

static uint64_t states_met(const struct examiner *e)
{
    uint64_t twice = 0;
    for (size_t i = 0; e->by_tick && i + 1 < e->b.places; i += 2)
        twice += e->b.met[i] & e->b.met[i + 1] & PLUMB_REFINE_MET;
    return e->b.count - twice;
}

static enum plumb_status look_for_cycle(struct examiner *e)
{
    struct plumb_refine_examination *const x = e->x;
    struct plumb_refine_tau_cycle cycle = { .path = NULL };
    const enum plumb_status status =
        plumb_refine_tau_cycle(e->g, &e->b, e->arena, &cycle, e->err);
    x->path = cycle.path;
    x->length = cycle.length;
    x->cycle = cycle.cycle;
    x->final = cycle.state;
    return status;
}

enum plumb_status plumb_refine_examine(struct plumb_csp_graph *g,
                                       enum plumb_refine_question question,
                                       const struct plumb_refine_goal *goal,
                                       struct plumb_base_arena *arena,
                                       struct plumb_refine_examination *x,
                                       struct plumb_error *err)
{
    struct examiner e = { .g = g,
                          .question = question,
                          .goal = goal,
                          .arena = arena,
                          .budget = arena->budget,
                          .x = x,
                          .err = err,
                          .by_tick = question == PLUMB_DEADLOCKFREE,
                          .b = { .budget = arena->budget },
                          .best = PLUMB_NOWHERE };
    assert(question != PLUMB_REACHES || goal);
    *x = (struct plumb_refine_examination){ .holds = false };
    enum plumb_status status = search(&e);
    x->states = states_met(&e);
    if (status == PLUMB_OK && question == PLUMB_DIVERGENCEFREE)
        status = look_for_cycle(&e);
    release(&e);
    if (status != PLUMB_OK && status != PLUMB_END)
        return status;
    x->holds = (status == PLUMB_END) == (question == PLUMB_REACHES);
    return PLUMB_OK;
}
