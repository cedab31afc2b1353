/* accept_absence.c - is there nothing of the kind anywhere?
 *
 * A set of states that has the initial one and every state an edge of it leads
 * to has all that can be reached.  The set is gathered here once more; nothing
 * is taken from the search that found nothing, and every member is looked at.
 *
 * States were numbered as they were met, so going up through the numbers meets
 * nearly all of them; what is met below the number that is looked at waits in a
 * list of its own.
 *
 * No cycle of taus: each state gets its rank after all states its taus lead
 * to, so that every tau goes down.  The order in which ranks are given is found
 * by going along taus, and is nothing that has to be believed. */
#include "accept_absence.h"

#include "base/fail.h"
#include "base/pace.h"
#include "base/vector.h"

enum {
    MEMBER = 1,
    STEPPED = 2, /* something other than PLUMB_TICK leads to it, or nothing */
    STOPS = 4,   /* no edges                                                */
    ENTERED = 8, /* waits for a rank                                        */
    RANKED = 16
};

/* Who had an edge of an event last, and where it led. */
struct user {
    uint32_t state, target;
};

struct walk {
    struct plumb_csp_graph *g;
    const struct plumb_refine_absence *claim;
    struct plumb_budget *budget;
    struct plumb_error *err;
    uint32_t states; /* that the search knew */
    uint8_t *mark;
    uint32_t number; /* members below it were looked at, or wait */
    PLUMB_VECTOR(uint32_t) waiting;
    struct user *user;
    size_t users, user_room;
    bool rejected;
};

static bool push(struct walk *w, uint32_t state)
{
    return PLUMB_PUSH(w->budget, &w->waiting, state);
}

/* ---- members ---- */

static bool add_member(struct walk *w, struct plumb_csp_edge edge)
{
    const uint32_t state = edge.target;
    if (state >= w->states) {
        w->rejected = true; /* nobody has looked there */
        return true;
    }
    const uint8_t before = w->mark[state];
    w->mark[state] |= edge.event == PLUMB_TICK ? MEMBER : MEMBER | STEPPED;
    return before & MEMBER || state > w->number || push(w, state);
}

static bool know_event(struct walk *w, uint32_t event)
{
    if (event < w->users)
        return true;
    if (!PLUMB_GROW(w->budget, w->user, w->user_room, (size_t)event + 1))
        return false;
    for (; w->users <= event; w->users++)
        w->user[w->users] = (struct user){ UINT32_MAX, 0 };
    return true;
}

/* Another edge of the same event led elsewhere? */
static bool disagrees(struct walk *w, uint32_t state,
                      struct plumb_csp_edge edge)
{
    struct user *const last = w->user + edge.event;
    if (last->state == state)
        return last->target != edge.target;
    *last = (struct user){ state, edge.target };
    return false;
}

/* False if memory is refused. */
static bool follow(struct walk *w, uint32_t state,
                   struct plumb_csp_outgoing out)
{
    const bool by_event = w->claim->question == PLUMB_DETERMINISTIC;
    for (uint32_t i = 0; i < out.count && !w->rejected; i++) {
        if (!add_member(w, out.edge[i]) ||
            (by_event && !know_event(w, out.edge[i].event)))
            return false;
        if (by_event && disagrees(w, state, out.edge[i]))
            w->rejected = true;
    }
    return true;
}

/* No goal here; or none that is better than the best. */
static enum plumb_status ask_goal(struct walk *w, uint32_t state)
{
    const struct plumb_refine_goal *const goal = w->claim->goal;
    int64_t value = 0;
    bool yes = false;
    const enum plumb_status status =
        goal->holds(goal->context, state, &yes, &value, w->err);
    if (status != PLUMB_OK || !yes)
        return status;
    if (!w->claim->best)
        w->rejected = true;
    else if (goal->optimise < 0)
        w->rejected = value < *w->claim->best;
    else
        w->rejected = value > *w->claim->best;
    return PLUMB_OK;
}

static enum plumb_status look_at(struct walk *w, uint32_t state)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->g, state, w->err);
    PLUMB_TRY(out.status);
    if (!out.count) {
        w->mark[state] |= STOPS;
        w->rejected |= w->claim->question == PLUMB_NONTERMINATING;
    }
    if (!follow(w, state, out))
        return plumb_base_fail_memory(w->err);
    return w->claim->question == PLUMB_REACHES && !w->rejected
               ? ask_goal(w, state)
               : PLUMB_OK;
}

static enum plumb_status gather(struct walk *w)
{
    w->mark[0] = MEMBER | STEPPED;
    for (; w->number < w->states && !w->rejected; w->number++) {
        if (!plumb_base_in_time(w->budget, w->number))
            return plumb_base_fail_budget(w->budget, w->err);
        if (w->mark[w->number] & MEMBER)
            PLUMB_TRY(look_at(w, w->number));
        while (w->waiting.count && !w->rejected)
            PLUMB_TRY(look_at(w, PLUMB_POP(&w->waiting)));
    }
    return PLUMB_OK;
}

/* ---- deadlocks ---- */

static enum plumb_status look_for_deadlock(struct walk *w)
{
    for (uint32_t s = 0; s < w->states; s++) {
        if (!plumb_base_in_time(w->budget, s))
            return plumb_base_fail_budget(w->budget, w->err);
        if (w->mark[s] & STOPS && w->mark[s] & STEPPED)
            w->rejected = true;
    }
    return PLUMB_OK;
}

/* ---- ranks ---- */

/* Entered before: all it leads to has a rank by now, or goes round. */
static void give_rank(struct walk *w, uint32_t state,
                      struct plumb_csp_outgoing out)
{
    for (uint32_t i = 0; i < out.count; i++)
        if (out.edge[i].event == PLUMB_TAU &&
            !(w->mark[out.edge[i].target] & RANKED))
            w->rejected = true;
    w->mark[state] |= RANKED;
}

static bool enter(struct walk *w, uint32_t state, struct plumb_csp_outgoing out)
{
    w->mark[state] |= ENTERED;
    for (uint32_t i = 0; i < out.count; i++)
        if (out.edge[i].event == PLUMB_TAU &&
            !(w->mark[out.edge[i].target] & ENTERED) &&
            !push(w, out.edge[i].target))
            return false;
    return true;
}

/* The state that waits on top: what it leads to goes before it. */
static enum plumb_status rank_top(struct walk *w)
{
    const uint32_t state = w->waiting.at[w->waiting.count - 1];
    if (w->mark[state] & RANKED) {
        w->waiting.count--;
        return PLUMB_OK;
    }
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->g, state, w->err);
    PLUMB_TRY(out.status);
    if (!(w->mark[state] & ENTERED))
        return enter(w, state, out) ? PLUMB_OK : plumb_base_fail_memory(w->err);
    give_rank(w, state, out);
    return PLUMB_OK;
}

static enum plumb_status rank_all(struct walk *w)
{
    for (uint32_t s = 0; s < w->states && !w->rejected; s++) {
        if (!plumb_base_in_time(w->budget, s))
            return plumb_base_fail_budget(w->budget, w->err);
        if (!(w->mark[s] & MEMBER) || w->mark[s] & RANKED)
            continue;
        if (!push(w, s))
            return plumb_base_fail_memory(w->err);
        while (w->waiting.count && !w->rejected)
            PLUMB_TRY(rank_top(w));
    }
    return PLUMB_OK;
}

/* ---- all ---- */

static enum plumb_status check(struct walk *w)
{
    enum plumb_status status = gather(w);
    if (status != PLUMB_OK || w->rejected)
        return status;
    if (w->claim->question == PLUMB_DEADLOCKFREE)
        status = look_for_deadlock(w);
    if (w->claim->question == PLUMB_DIVERGENCEFREE)
        status = rank_all(w);
    return status;
}

enum plumb_status plumb_refine_accept_absence(
    struct plumb_csp_graph *g, const struct plumb_refine_absence *claim,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err)
{
    struct walk w = { .g = g,
                      .claim = claim,
                      .budget = budget,
                      .err = err,
                      .states = plumb_csp_graph_states(g) };
    *yes = false;
    if (!w.states)
        return PLUMB_OK;
    w.mark = plumb_base_alloc_zeroed(budget, w.states * sizeof *w.mark);
    if (!w.mark)
        return plumb_base_fail_memory(err);
    const enum plumb_status status = check(&w);
    *yes = status == PLUMB_OK && !w.rejected;
    PLUMB_RELEASE(budget, w.mark, w.states);
    PLUMB_VECTOR_RELEASE(budget, &w.waiting);
    PLUMB_RELEASE(budget, w.user, w.user_room);
    return status;
}
