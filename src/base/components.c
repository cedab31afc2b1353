/* components.c - Tarjan's algorithm (1972), without recursion.
 *
 * As long as the component of a node is open, component[] holds the number by
 * which the node was met. */
#include "components.h"

#include "memory.h"
#include <assert.h>

#define DONE UINT32_MAX

struct visit {
    uint64_t at; /* the next edge */
    uint32_t node;
};

struct search {
    const struct plumb_base_digraph *g;
    uint32_t *component, count;
    uint32_t *low;       /* the least number that is reached; 0: not met */
    uint32_t *open;      /* nodes whose component is not completed */
    struct visit *visit; /* the way to the node that is looked at */
    uint32_t opened, depth, met;
    struct plumb_base_pace pace;
};

static void enter(struct search *s, uint32_t node)
{
    s->low[node] = s->component[node] = ++s->met;
    s->open[s->opened++] = node;
    s->visit[s->depth++] = (struct visit){ 0, node };
}

static void lower(struct search *s, uint32_t node, uint32_t number)
{
    if (number < s->low[node])
        s->low[node] = number;
}

/* All edges of the node on top were seen.  False: there is no time for the
 * component that ends there. */
static bool leave(struct search *s)
{
    const uint32_t node = s->visit[--s->depth].node, low = s->low[node];
    if (s->depth)
        lower(s, s->visit[s->depth - 1].node, low);
    if (low != s->component[node])
        return true;
    for (uint32_t member = DONE; member != node;) {
        if (!plumb_base_pace_allows(&s->pace, 1))
            return false;
        member = s->open[--s->opened];
        s->component[member] = s->count;
        s->low[member] = DONE;
    }
    s->count++;
    return true;
}

static bool advance(struct search *s)
{
    struct visit *const v = s->visit + s->depth - 1;
    const uint32_t to = s->g->next(s->g->context, v->node, &v->at, &s->pace);
    if (!plumb_base_pace_allows(&s->pace, 1))
        return false;
    if (to == UINT32_MAX)
        return leave(s);
    if (!s->low[to])
        enter(s, to);
    else if (s->low[to] != DONE)
        lower(s, v->node, s->component[to]);
    return true;
}

bool plumb_base_components(const struct plumb_base_digraph *g,
                           struct plumb_budget *budget, uint32_t *component,
                           uint32_t *count)
{
    assert(g->next && component);
    const size_t n = g->nodes;
    struct search s = { .g = g,
                        .component = component,
                        .low =
                            plumb_base_alloc_zeroed(budget, n * sizeof *s.low),
                        .open = plumb_base_alloc(budget, n * sizeof *s.open),
                        .visit = plumb_base_alloc(budget, n * sizeof *s.visit),
                        .pace = { .budget = budget } };
    bool good = s.low && s.open && s.visit;
    for (uint32_t i = 0; good && i < n; i++) {
        good = plumb_base_pace_allows(&s.pace, 1);
        if (good && !s.low[i])
            enter(&s, i);
        while (good && s.depth)
            good = advance(&s);
    }
    PLUMB_RELEASE(budget, s.low, n);
    PLUMB_RELEASE(budget, s.open, n);
    PLUMB_RELEASE(budget, s.visit, n);
    *count = s.count;
    return good;
}
