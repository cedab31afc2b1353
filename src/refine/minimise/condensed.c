/* condensed.c - a node for each strongly connected component of taus, numbered
 * as they are completed: what a component leads to is completed before it. */
#include "condensed.h"

#include "base/components.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include <assert.h>

#define NONE UINT32_MAX

void plumb_refine_condensed_release(struct plumb_refine_condensed *c)
{
    struct plumb_budget *const b = c->budget;
    const size_t states = c->states, nodes = states + 1, edges = c->edges;
    PLUMB_RELEASE(b, c->node, states);
    PLUMB_RELEASE(b, c->cycle, states);
    PLUMB_RELEASE(b, c->first, nodes);
    PLUMB_RELEASE(b, c->visible, nodes);
    PLUMB_RELEASE(b, c->edge, edges);
    PLUMB_RELEASE(b, c->back_first, nodes);
    PLUMB_RELEASE(b, c->back_visible, nodes);
    PLUMB_RELEASE(b, c->back, edges);
    *c = (struct plumb_refine_condensed){ .budget = b };
}

/* ---- components ---- */

static uint64_t degree(const struct plumb_csp_lts *lts, uint32_t state)
{
    return lts->first[state + 1] - lts->first[state];
}

/* Its context is a pointer to the graph. */
static uint32_t next_tau(void *context, uint32_t state, uint64_t *at,
                         struct plumb_base_pace *pace)
{
    const struct plumb_csp_lts *const lts =
        *(const struct plumb_csp_lts **)context;
    const struct plumb_csp_edge *const edge = lts->edge + lts->first[state];
    const uint64_t begin = *at, end = degree(lts, state);
    while (*at < end && edge[*at].event != PLUMB_TAU)
        ++*at;
    plumb_base_pace_spend(pace, *at - begin);
    return *at < end ? edge[(*at)++].target : UINT32_MAX;
}

static bool find_nodes(struct plumb_refine_condensed *c,
                       const struct plumb_csp_lts *lts)
{
    const struct plumb_base_digraph taus = { lts->states, &lts, next_tau };
    return plumb_base_components(&taus, c->budget, c->node, &c->nodes);
}

/* ---- edges ---- */

static bool reserve(struct plumb_refine_condensed *c)
{
    const size_t nodes = (size_t)c->states + 1, edges = c->edges;
    struct plumb_budget *const b = c->budget;
    c->first = plumb_base_alloc_zeroed(b, nodes * sizeof *c->first);
    c->visible = plumb_base_alloc_zeroed(b, nodes * sizeof *c->visible);
    c->edge = plumb_base_alloc(b, edges * sizeof *c->edge);
    c->back_first = plumb_base_alloc_zeroed(b, nodes * sizeof *c->back_first);
    c->back_visible =
        plumb_base_alloc_zeroed(b, nodes * sizeof *c->back_visible);
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
    for (uint32_t k = 0; k < c->nodes; k++) {
        if (!plumb_base_in_time(c->budget, k))
            return false;
        const uint32_t taus = first[k], others = visible[k];
        first[k] = at;
        visible[k] = at + taus;
        at += taus + others;
    }
    first[c->nodes] = visible[c->nodes] = at;
    return true;
}

typedef void visitor(struct plumb_refine_condensed *c, uint32_t from,
                     struct plumb_csp_edge edge, bool tau);

/* Of nodes.  Cycles are none: they are marked. */

static bool for_each_edge(struct plumb_refine_condensed *c,
                          const struct plumb_csp_lts *lts, visitor *visit)
{
    struct plumb_base_pace pace = { .budget = c->budget };
    for (uint32_t s = 0; s < lts->states; s++) {
        if (!plumb_base_pace_allows(&pace, 1 + degree(lts, s)))
            return false;
        for (uint64_t i = lts->first[s]; i < lts->first[s + 1]; i++) {
            const struct plumb_csp_edge e = lts->edge[i];
            const uint32_t from = c->node[s], to = c->node[e.target];
            const bool tau = e.event == PLUMB_TAU;
            if (tau && from == to)
                c->cycle[from] = true;
            else
                visit(c, from, (struct plumb_csp_edge){ e.event, to }, tau);
        }
    }
    return true;
}

static void count_edge(struct plumb_refine_condensed *c, uint32_t from,
                       struct plumb_csp_edge edge, bool tau)
{
    (tau ? c->first : c->visible)[from]++;
    (tau ? c->back_first : c->back_visible)[edge.target]++;
}

static void place_edge(struct plumb_refine_condensed *c, uint32_t from,
                       struct plumb_csp_edge edge, bool tau)
{
    assert(!tau || edge.target < from); /* taus lead to lower numbers */
    c->edge[(tau ? c->first : c->visible)[from]++] = edge;
    c->back[(tau ? c->back_first : c->back_visible)[edge.target]++] = from;
}

/* Placing has moved every beginning to its end: where the taus ended is where
 * the others begin, and where those ended the next node begins. */
static bool move_back(const struct plumb_refine_condensed *c, uint32_t *first,
                      uint32_t *visible)
{
    uint32_t begin = 0;
    for (uint32_t k = 0; k < c->nodes; k++) {
        if (!plumb_base_in_time(c->budget, k))
            return false;
        const uint32_t end = visible[k];
        assert(begin <= first[k] && first[k] <= end);
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

static void note_edge(struct plumb_refine_condensed *c, uint32_t from,
                      struct plumb_csp_edge edge, bool tau)
{
    (void)from;
    (void)edge;
    (void)tau;
    c->edges++;
}

enum plumb_status plumb_refine_condensed_nodes(struct plumb_refine_condensed *c,
                                               const struct plumb_csp_lts *lts,
                                               struct plumb_budget *budget,
                                               struct plumb_error *err)
{
    const size_t states = lts->states;
    *c = (struct plumb_refine_condensed){ .budget = budget,
                                          .states = lts->states };
    c->node = plumb_base_alloc(budget, states * sizeof *c->node);
    c->cycle = plumb_base_alloc_zeroed(budget, states * sizeof *c->cycle);
    if (c->node && c->cycle && find_nodes(c, lts) &&
        for_each_edge(c, lts, note_edge) && c->edges < NONE)
        return PLUMB_OK;
    plumb_refine_condensed_release(c);
    return plumb_base_fail_budget(budget, err);
}

enum plumb_status plumb_refine_condensed_make(struct plumb_refine_condensed *c,
                                              const struct plumb_csp_lts *lts,
                                              struct plumb_budget *budget,
                                              struct plumb_error *err)
{
    PLUMB_TRY(plumb_refine_condensed_nodes(c, lts, budget, err));
    if (reserve(c) && take_edges(c, lts))
        return PLUMB_OK;
    plumb_refine_condensed_release(c);
    return plumb_base_fail_budget(budget, err);
}
