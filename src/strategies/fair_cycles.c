/* fair_cycles.c - strongly connected components, and the walk around one.
 *
 * Components by Tarjan's algorithm (1972), without recursion; whether one is
 * fair is found when it is closed, so that all that is kept is a number per
 * node.  Then breadth-first searches give the way to a fair one, and within it
 * from one step that is owed to the next. */
#include "fair_cycles.h"

#include "base/bits.h"
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
    plumb_base_release(g->budget, array, g->nodes * sizeof *array);
}

/* ---- components ---- */

struct tarjan {
    const struct plumb_strategies_state_graph *graph;
    uint32_t *component; /* per node: `none` while it is not known, then the
                            number of the component if that is fair, else 0 */
    uint32_t *number;    /* order of visits, from 1; 0 is not visited       */
    uint32_t *low;
    uint32_t *path; /* nodes that are visited ... */
    uint32_t *edge; /* ... per node: which edge is next, plus 1 */
    uint32_t *open; /* nodes whose component is not known */
    uint32_t depth, opened, visited, fair;
};

static void visit(struct tarjan *t, uint32_t node)
{
    t->number[node] = t->low[node] = ++t->visited;
    t->edge[node] = t->graph->node[node].edges;
    t->path[t->depth++] = node;
    t->open[t->opened++] = node;
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

/* Of nodes that are one component: each thread that is ever ready goes. */
static bool is_fair(const struct tarjan *t, const uint32_t *node,
                    uint32_t count)
{
    uint64_t ready = 0, goes = 0;
    for (uint32_t i = 0; i < count; i++) {
        ready |= t->graph->node[node[i]].ready;
        goes |= steps_within(t->graph, t->component, node[i]);
    }
    return goes && !(ready & ~goes);
}

/* All that was opened since its root. */
static void close_component(struct tarjan *t, uint32_t root)
{
    uint32_t first = t->opened;
    const uint32_t number = t->fair + 1;
    do
        t->component[t->open[--first]] = number;
    while (t->open[first] != root);
    const uint32_t count = t->opened - first;
    t->opened = first;
    if (is_fair(t, t->open + first, count)) {
        t->fair = number;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        t->component[t->open[first + i]] = 0;
}

static void lower(struct tarjan *t, uint32_t node, uint32_t number)
{
    if (t->low[node] > number)
        t->low[node] = number;
}

static void leave(struct tarjan *t, uint32_t node)
{
    t->depth--;
    if (t->low[node] == t->number[node])
        close_component(t, node);
    else
        lower(t, t->path[t->depth - 1], t->low[node]);
}

static void find_components(struct tarjan *t)
{
    visit(t, 0);
    while (t->depth) {
        const uint32_t node = t->path[t->depth - 1], i = t->edge[node];
        if (!i) {
            leave(t, node);
            continue;
        }
        const struct plumb_strategies_state_edge *const e =
            t->graph->edge + i - 1;
        t->edge[node] = e->next;
        if (!t->number[e->to])
            visit(t, e->to);
        else if (t->component[e->to] == none)
            lower(t, node, t->number[e->to]);
    }
}

/* How many are fair; `component` says which. */
static bool count_fair(const struct plumb_strategies_state_graph *g,
                       uint32_t *component, uint32_t *fair)
{
    struct tarjan t = { .graph = g, .component = component };
    const bool ok = (t.number = per_node(g)) && (t.low = per_node(g)) &&
                    (t.path = per_node(g)) && (t.edge = per_node(g)) &&
                    (t.open = per_node(g));
    if (ok) {
        memset(t.number, 0, g->nodes * sizeof *t.number);
        memset(component, 0xff, g->nodes * sizeof *component);
        find_components(&t);
        *fair = t.fair;
    }
    release(g, t.number);
    release(g, t.low);
    release(g, t.path);
    release(g, t.edge);
    release(g, t.open);
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
    void *block = w->edge;
    if (!plumb_base_grow(w->graph->budget, &block, &w->capacity,
                         (size_t)w->length + more, sizeof *w->edge))
        return false;
    w->edge = block;
    return true;
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
    struct walker *w, uint32_t fair,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context)
{
    for (; fair; fair--) {
        w->at = w->length = 0;
        w->owing = 0;
        if (!go_to(w, find_nearest(w, is_in_fair_component)))
            return false;
        const uint32_t stem = w->length;
        if (!go_round(w))
            return false;
        const struct plumb_strategies_fair_cycle cycle = { w->edge, w->length,
                                                           w->length - stem };
        if (!tell(context, &cycle))
            break;
        drop_component(w, w->component[w->at]);
    }
    return true;
}

bool plumb_strategies_fair_cycles(
    const struct plumb_strategies_state_graph *g,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context)
{
    struct walker w = { .graph = g, .component = per_node(g) };
    uint32_t fair = 0;
    bool ok = w.component && count_fair(g, w.component, &fair);
    if (ok && fair)
        ok = (w.via = per_node(g)) && (w.from = per_node(g)) &&
             (w.queue = per_node(g)) && tell_each(&w, fair, tell, context);
    release(g, w.component);
    release(g, w.via);
    release(g, w.from);
    release(g, w.queue);
    plumb_base_release(g->budget, w.edge, w.capacity * sizeof *w.edge);
    return ok;
}
