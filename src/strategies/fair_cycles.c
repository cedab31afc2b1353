/* fair_cycles.c - strongly connected components, and the walk around one.
 *
 * Breadth-first searches give the way to a component that is fair, and within
 * it from one step that is owed to the next. */
#include "state_graph.h"

#include "base/bits.h"
#include "base/components.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

static uint32_t *per_node(const struct plumb_strategies_state_graph *g)
{
    return plumb_base_alloc(g->budget, g->nodes * sizeof(uint32_t));
}

static void release(const struct plumb_strategies_state_graph *g,
                    uint32_t *array)
{
    PLUMB_RELEASE(g->budget, array, g->nodes);
}

/* ---- components ---- */

/* Its context is a pointer to the graph. */
static uint32_t next_node(void *context, uint32_t node, uint64_t *at,
                          struct plumb_base_pace *pace)
{
    const struct plumb_strategies_state_graph *const g =
        *(const struct plumb_strategies_state_graph **)context;
    const uint64_t i = *at ? *at - 1 : g->node[node].edges;
    (void)pace;
    *at = i ? g->edge[i - 1].next + (uint64_t)1 : 1; /* 0: the beginning */
    return i ? g->edge[i - 1].to : UINT32_MAX;
}

/* Threads that take a step from the node that does not leave the component. */
static uint64_t steps_within(const struct plumb_strategies_state_graph *g,
                             const uint32_t *component, uint32_t node)
{
    uint64_t threads = 0;
    for (uint32_t i = g->node[node].edges; i; i = g->edge[i - 1].next)
        if (component[g->edge[i - 1].to] == component[node])
            threads |= plumb_base_bit(g->edge[i - 1].thread);
    return threads;
}

/* Threads of a component: those that are ever ready, those that take a step
 * within. */
struct taking_part {
    uint64_t ready, goes;
};

static bool is_fair(const struct taking_part *c)
{
    return c->goes && !(c->ready & ~c->goes);
}

/* component[] becomes the number of a component that is fair, from 1 on; 0 of
 * the others. */
static void keep_fair(const struct plumb_strategies_state_graph *g,
                      uint32_t *component, struct taking_part *of)
{
    for (uint32_t n = 0; n < g->nodes; n++) {
        of[component[n]].ready |= g->node[n].ready;
        of[component[n]].goes |= steps_within(g, component, n);
    }
    for (uint32_t n = 0; n < g->nodes; n++)
        component[n] = is_fair(of + component[n]) ? component[n] + 1 : 0;
}

static bool find_fair(const struct plumb_strategies_state_graph *g,
                      uint32_t *component)
{
    const struct plumb_base_digraph all = { g->nodes, &g, next_node };
    uint32_t count = 0;
    struct taking_part *const of =
        plumb_base_alloc_zeroed(g->budget, g->nodes * sizeof *of);
    const bool ok =
        of && plumb_base_components(&all, g->budget, component, &count);
    if (ok)
        keep_fair(g, component, of);
    PLUMB_RELEASE(g->budget, of, g->nodes);
    return ok;
}

/* ---- walks ---- */

struct walker {
    const struct plumb_strategies_state_graph *graph;
    uint32_t *component;
    uint32_t *via;   /* per node: the edge a search came by, plus 1 */
    uint32_t *from;  /* ... and from where; `none` is not found     */
    uint32_t *queue; /* nodes found                                 */
    uint32_t *edge;  /* the walk so far                             */
    size_t capacity;
    uint32_t length;
    uint32_t at, start; /* of the walk; of the cycle          */
    uint64_t owing;     /* threads that are ready in some state of the
                           component and have taken no step yet             */
};

typedef bool is_goal(const struct walker *w, uint32_t node);

static bool is_in_fair_component(const struct walker *w, uint32_t node)
{
    return w->component[node];
}

static bool is_start(const struct walker *w, uint32_t node)
{
    return node == w->start;
}

static bool pays(const struct walker *w, uint32_t node)
{
    return w->owing & steps_within(w->graph, w->component, node);
}

/* The nearest goal; `none` if there is none.  Searches that begin in a fair
 * component stay in it. */
static uint32_t find_nearest(struct walker *w, is_goal *goal)
{
    const struct plumb_strategies_state_graph *const g = w->graph;
    const uint32_t within = w->component[w->at];
    uint32_t head = 0, tail = 0;
    memset(w->from, 0xff, g->nodes * sizeof *w->from);
    w->from[w->at] = w->at;
    w->via[w->at] = 0;
    w->queue[tail++] = w->at;
    while (head < tail) {
        const uint32_t node = w->queue[head++];
        if (goal(w, node))
            return node;
        for (uint32_t i = g->node[node].edges; i; i = g->edge[i - 1].next) {
            const uint32_t to = g->edge[i - 1].to;
            if (w->from[to] != none || (within && w->component[to] != within))
                continue;
            w->from[to] = node;
            w->via[to] = i;
            w->queue[tail++] = to;
        }
    }
    return none;
}

static bool make_room(struct walker *w, uint32_t more)
{
    return PLUMB_GROW(w->graph->budget, w->edge, w->capacity,
                      (size_t)w->length + more);
}

static void take_edge(struct walker *w, uint32_t edge)
{
    const struct plumb_strategies_state_edge *const e = w->graph->edge + edge;
    w->owing &= ~plumb_base_bit(e->thread);
    w->at = e->to;
}

/* The way that the last search has found. */
static bool go_to(struct walker *w, uint32_t node)
{
    uint32_t steps = 0;
    assert(node != none); /* what is in the component is found */
    for (uint32_t n = node; w->via[n]; n = w->from[n])
        steps++;
    if (!make_room(w, steps))
        return false;
    uint32_t i = w->length + steps;
    for (uint32_t n = node; w->via[n]; n = w->from[n])
        w->edge[--i] = w->via[n] - 1;
    for (; steps; steps--)
        take_edge(w, w->edge[w->length++]);
    assert(w->at == node);
    return true;
}

/* A step from here by a thread that owes one, if there is one. */
static bool take_owed_step(struct walker *w)
{
    const struct plumb_strategies_state_graph *const g = w->graph;
    uint32_t i = g->node[w->at].edges;
    while (i && !(w->owing & plumb_base_bit(g->edge[i - 1].thread) &&
                  w->component[g->edge[i - 1].to] == w->component[w->at]))
        i = g->edge[i - 1].next;
    if (!i)
        return true;
    if (!make_room(w, 1))
        return false;
    w->edge[w->length++] = i - 1;
    take_edge(w, i - 1);
    return true;
}

static uint64_t ever_ready(const struct walker *w)
{
    uint64_t ready = 0;
    for (uint32_t n = 0; n < w->graph->nodes; n++)
        if (w->component[n] == w->component[w->at])
            ready |= w->graph->node[n].ready;
    return ready;
}

static bool go_round(struct walker *w)
{
    w->start = w->at;
    w->owing = ever_ready(w);
    while (w->owing)
        if (!go_to(w, find_nearest(w, pays)) || !take_owed_step(w))
            return false;
    return go_to(w, find_nearest(w, is_start));
}

static void drop_component(struct walker *w, uint32_t component)
{
    for (uint32_t n = 0; n < w->graph->nodes; n++)
        if (w->component[n] == component)
            w->component[n] = 0;
}

static bool tell_each(
    struct walker *w,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context)
{
    for (;;) {
        w->at = w->length = 0;
        w->owing = 0;
        const uint32_t entry = find_nearest(w, is_in_fair_component);
        if (entry == none)
            return true;
        if (!go_to(w, entry))
            return false;
        const uint32_t stem = w->length;
        if (!go_round(w))
            return false;
        const struct plumb_strategies_fair_cycle cycle = { w->edge, w->length,
                                                           w->length - stem };
        if (!tell(context, &cycle))
            return true;
        drop_component(w, w->component[w->at]);
    }
}

bool plumb_strategies_fair_cycles(
    const struct plumb_strategies_state_graph *g,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context)
{
    struct walker w = { .graph = g, .component = per_node(g) };
    const bool ok = w.component && find_fair(g, w.component) &&
                    (w.via = per_node(g)) && (w.from = per_node(g)) &&
                    (w.queue = per_node(g)) && tell_each(&w, tell, context);
    release(g, w.component);
    release(g, w.via);
    release(g, w.from);
    release(g, w.queue);
    PLUMB_RELEASE(g->budget, w.edge, w.capacity);
    return ok;
}
