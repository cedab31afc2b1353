/* condensed.c - strongly connected components of taus (Tarjan), numbered as
 * they are completed: what a component leads to is completed before it. */
#include "condensed.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"

#define NONE UINT32_MAX

void plumb_refine_condensed_release(struct plumb_refine_condensed *c)
{
    struct plumb_budget *const b = c->budget;
    const size_t states = c->states, knots = states + 1, edges = c->edges;
    plumb_base_release(b, c->knot, states * sizeof *c->knot);
    plumb_base_release(b, c->circle, states * sizeof *c->circle);
    plumb_base_release(b, c->first, knots * sizeof *c->first);
    plumb_base_release(b, c->visible, knots * sizeof *c->visible);
    plumb_base_release(b, c->edge, edges * sizeof *c->edge);
    plumb_base_release(b, c->back_first, knots * sizeof *c->back_first);
    plumb_base_release(b, c->back_visible, knots * sizeof *c->back_visible);
    plumb_base_release(b, c->back, edges * sizeof *c->back);
    *c = (struct plumb_refine_condensed){ .budget = b };
}

/* ---- components ---- */

/* Where a state is in the search: which edge comes next. */
struct visit {
    uint64_t edge;
    uint32_t state;
};

struct tarjan {
    const struct plumb_csp_lts *lts;
    struct plumb_refine_condensed *c;
    uint32_t *low;       /* 0: not met; else the least number that it reaches,
                             by number of meeting                             */
    uint32_t *open;      /* states whose component is not completed          */
    struct visit *visit; /* the way to the state that is looked at           */
    uint32_t opened, depth, met;
    struct plumb_base_pace pace;
};

static bool begin_search(struct tarjan *t)
{
    const size_t n = t->lts->states;
    t->low = plumb_base_alloc_zeroed(t->c->budget, n * sizeof *t->low);
    t->open = plumb_base_alloc(t->c->budget, n * sizeof *t->open);
    t->visit = plumb_base_alloc(t->c->budget, n * sizeof *t->visit);
    return t->low && t->open && t->visit;
}

static void end_search(struct tarjan *t)
{
    const size_t n = t->lts->states;
    plumb_base_release(t->c->budget, t->low, n * sizeof *t->low);
    plumb_base_release(t->c->budget, t->open, n * sizeof *t->open);
    plumb_base_release(t->c->budget, t->visit, n * sizeof *t->visit);
}

static uint64_t degree(const struct plumb_csp_lts *lts, uint32_t state)
{
    return lts->first[state + 1] - lts->first[state];
}

/* While a component is open, knot[] holds the number of meeting.  The edges
 * are paid for here; false if there is no time for them. */
static bool enter(struct tarjan *t, uint32_t state)
{
    t->low[state] = t->c->knot[state] = ++t->met;
    t->open[t->opened++] = state;
    t->visit[t->depth++] = (struct visit){ t->lts->first[state], state };
    return plumb_base_pace_allows(&t->pace, 1 + degree(t->lts, state));
}

static bool complete(struct tarjan *t, uint32_t state)
{
    uint32_t member;
    do {
        if (!plumb_base_pace_allows(&t->pace, 1))
            return false;
        member = t->open[--t->opened];
        t->c->knot[member] = t->c->knots;
        t->low[member] = NONE; /* completed: of no interest to others */
    } while (member != state);
    t->c->knots++;
    return true;
}

static bool leave(struct tarjan *t)
{
    const uint32_t state = t->visit[--t->depth].state;
    const uint32_t low = t->low[state];
    if (low == t->c->knot[state] && !complete(t, state))
        return false;
    if (t->depth) {
        const uint32_t before = t->visit[t->depth - 1].state;
        if (t->low[state] < t->low[before])
            t->low[before] = low;
    }
    return true;
}

static bool advance(struct tarjan *t)
{
    struct visit *const v = t->visit + t->depth - 1;
    for (const uint64_t end = t->lts->first[v->state + 1]; v->edge < end;) {
        const struct plumb_csp_edge edge = t->lts->edge[v->edge++];
        if (edge.event != PLUMB_TAU)
            continue;
        if (!t->low[edge.target])
            return enter(t, edge.target);
        if (t->low[edge.target] != NONE &&
            t->c->knot[edge.target] < t->low[v->state])
            t->low[v->state] = t->c->knot[edge.target];
    }
    return leave(t);
}

static bool find_knots(struct plumb_refine_condensed *c,
                       const struct plumb_csp_lts *lts)
{
    struct tarjan t = { .lts = lts, .c = c, .pace = { .budget = c->budget } };
    bool good = begin_search(&t);
    for (uint32_t s = 0; good && s < lts->states; s++) {
        good = t.low[s] ? plumb_base_pace_allows(&t.pace, 1) : enter(&t, s);
        while (good && t.depth)
            good = advance(&t);
    }
    end_search(&t);
    return good;
}

/* ---- edges ---- */

static bool is_circle(const struct plumb_refine_condensed *c, uint32_t state,
                      struct plumb_csp_edge edge)
{
    return edge.event == PLUMB_TAU && c->knot[state] == c->knot[edge.target];
}

static bool reserve(struct plumb_refine_condensed *c)
{
    const size_t knots = (size_t)c->states + 1, edges = c->edges;
    struct plumb_budget *const b = c->budget;
    c->first = plumb_base_alloc_zeroed(b, knots * sizeof *c->first);
    c->visible = plumb_base_alloc_zeroed(b, knots * sizeof *c->visible);
    c->edge = plumb_base_alloc(b, edges * sizeof *c->edge);
    c->back_first = plumb_base_alloc_zeroed(b, knots * sizeof *c->back_first);
    c->back_visible =
        plumb_base_alloc_zeroed(b, knots * sizeof *c->back_visible);
    c->back = plumb_base_alloc(b, edges * sizeof *c->back);
    return c->first && c->visible && c->edge && c->back_first &&
           c->back_visible && c->back;
}

/* Counts become places: taus from first[] on, the others from visible[] on.
 * On return first[k] is where the edges of k begin, visible[k] where those
 * that are no taus do. */
static bool lay_out(const struct plumb_refine_condensed *c, uint32_t *first,
                    uint32_t *visible)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < c->knots; k++) {
        if (!plumb_base_in_time(c->budget, k))
            return false;
        const uint32_t taus = first[k], others = visible[k];
        first[k] = at;
        visible[k] = at + taus;
        at += taus + others;
    }
    first[c->knots] = visible[c->knots] = at;
    return true;
}

typedef void visitor(struct plumb_refine_condensed *c, uint32_t from,
                     struct plumb_csp_edge edge);

static bool for_each_edge(struct plumb_refine_condensed *c,
                          const struct plumb_csp_lts *lts, visitor *visit)
{
    struct plumb_base_pace pace = { .budget = c->budget };
    for (uint32_t s = 0; s < lts->states; s++) {
        if (!plumb_base_pace_allows(&pace, 1 + degree(lts, s)))
            return false;
        for (uint64_t i = lts->first[s]; i < lts->first[s + 1]; i++) {
            const struct plumb_csp_edge e = lts->edge[i];
            const uint32_t to = c->knot[e.target];
            if (!is_circle(c, s, e))
                visit(c, c->knot[s], (struct plumb_csp_edge){ e.event, to });
        }
    }
    return true;
}

static void count_edge(struct plumb_refine_condensed *c, uint32_t from,
                       struct plumb_csp_edge edge)
{
    (edge.event == PLUMB_TAU ? c->first : c->visible)[from]++;
    (edge.event == PLUMB_TAU ? c->back_first : c->back_visible)[edge.target]++;
}

static void place_edge(struct plumb_refine_condensed *c, uint32_t from,
                       struct plumb_csp_edge edge)
{
    const bool tau = edge.event == PLUMB_TAU;
    c->edge[(tau ? c->first : c->visible)[from]++] = edge;
    c->back[(tau ? c->back_first : c->back_visible)[edge.target]++] = from;
}

/* Placing has moved every beginning to its end: where the taus ended is where
 * the others begin, and where those ended the next knot begins. */
static bool move_back(const struct plumb_refine_condensed *c, uint32_t *first,
                      uint32_t *visible)
{
    uint32_t begin = 0;
    for (uint32_t k = 0; k < c->knots; k++) {
        if (!plumb_base_in_time(c->budget, k))
            return false;
        const uint32_t end = visible[k];
        visible[k] = first[k];
        first[k] = begin;
        begin = end;
    }
    return true;
}

static bool take_edges(struct plumb_refine_condensed *c,
                       const struct plumb_csp_lts *lts)
{
    return for_each_edge(c, lts, count_edge) &&
           lay_out(c, c->first, c->visible) &&
           lay_out(c, c->back_first, c->back_visible) &&
           for_each_edge(c, lts, place_edge) &&
           move_back(c, c->first, c->visible) &&
           move_back(c, c->back_first, c->back_visible);
}

/* Circles are marked, the other edges counted; false if there are too many. */
static bool count_edges(struct plumb_refine_condensed *c,
                        const struct plumb_csp_lts *lts)
{
    struct plumb_base_pace pace = { .budget = c->budget };
    uint64_t edges = 0;
    for (uint32_t s = 0; s < lts->states; s++) {
        if (!plumb_base_pace_allows(&pace, 1 + degree(lts, s)))
            return false;
        for (uint64_t i = lts->first[s]; i < lts->first[s + 1]; i++) {
            if (is_circle(c, s, lts->edge[i]))
                c->circle[c->knot[s]] = true;
            else
                edges++;
        }
    }
    c->edges = edges < NONE ? (uint32_t)edges : 0;
    return edges < NONE;
}

enum plumb_status plumb_refine_condensed_knots(struct plumb_refine_condensed *c,
                                               const struct plumb_csp_lts *lts,
                                               struct plumb_budget *budget,
                                               struct plumb_error *err)
{
    const size_t states = lts->states;
    *c = (struct plumb_refine_condensed){ .budget = budget,
                                          .states = lts->states };
    c->knot = plumb_base_alloc(budget, states * sizeof *c->knot);
    c->circle = plumb_base_alloc_zeroed(budget, states * sizeof *c->circle);
    if (c->knot && c->circle && find_knots(c, lts) && count_edges(c, lts))
        return PLUMB_OK;
    plumb_refine_condensed_release(c);
    return plumb_base_fail_budget(budget, err);
}

enum plumb_status plumb_refine_condensed_make(struct plumb_refine_condensed *c,
                                              const struct plumb_csp_lts *lts,
                                              struct plumb_budget *budget,
                                              struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_refine_condensed_knots(c, lts, budget, err);
    if (status != PLUMB_OK)
        return status;
    if (reserve(c) && take_edges(c, lts))
        return PLUMB_OK;
    plumb_refine_condensed_release(c);
    return plumb_base_fail_budget(budget, err);
}
