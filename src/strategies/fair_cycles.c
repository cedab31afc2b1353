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

static uint32_t first_of(const struct plumb_strategies_state_graph *g,
                         uint32_t node)
{
    return plumb_strategies_state_graph_first(g, node);
}

static uint32_t next_of(const struct plumb_strategies_state_graph *g,
                        uint32_t node, uint32_t step)
{
    return plumb_strategies_state_graph_next(g, node, step);
}

static struct plumb_strategies_state_step step_of(
    const struct plumb_strategies_state_graph *g, uint32_t step)
{
    return plumb_strategies_state_graph_step(g, step);
}

/* Its context is a pointer to the graph. */
static uint32_t next_node(void *context, uint32_t node, uint64_t *at,
                          struct plumb_base_pace *pace)
{
    const struct plumb_strategies_state_graph *const g =
        *(const struct plumb_strategies_state_graph **)context;
    const uint32_t i = *at ? (uint32_t)(*at - 1) : first_of(g, node);
    (void)pace;
    *at = 1; /* 0: the beginning */
    if (!i)
        return UINT32_MAX;
    *at += next_of(g, node, i);
    return step_of(g, i).to;
}

/* Threads that take a step from the node that does not leave the component. */
static uint64_t steps_within(const struct plumb_strategies_state_graph *g,
                             const uint32_t *component, uint32_t node)
{
    uint64_t threads = 0;
    for (uint32_t i = first_of(g, node); i; i = next_of(g, node, i)) {
        const struct plumb_strategies_state_step e = step_of(g, i);
        if (component[e.to] == component[node])
            threads |= plumb_base_bit(e.thread);
    }
    return threads;
}

/* Threads of a component: those that are ever ready, those that take a step
 * within. */
struct taking_part {
    uint64_t ready, goes;
    bool told;
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
        of[component[n]].ready |= plumb_strategies_state_graph_ready(g, n);
        of[component[n]].goes |= steps_within(g, component, n);
    }
    for (uint32_t n = 0; n < g->nodes; n++)
        component[n] = is_fair(of + component[n]) ? component[n] + 1 : 0;
}

static bool find_fair(const struct plumb_strategies_state_graph *g,
                      uint32_t *component, struct taking_part *of)
{
    const struct plumb_base_digraph all = { g->nodes, &g, next_node };
    uint32_t count = 0;
    if (!plumb_base_components(&all, g->budget, component, &count))
        return false;
    keep_fair(g, component, of);
    return true;
}

/* ---- walks ---- */

/* A breadth-first search, as far as it went. */
struct search {
    uint32_t *via;   /* per node: the step it came by           */
    uint32_t *from;  /* ... and from where; `none` is not found */
    uint32_t *queue; /* nodes found                             */
    uint32_t found;
};

struct walker {
    const struct plumb_strategies_state_graph *graph;
    struct taking_part *of; /* of a component, less 1 */
    uint32_t *component;
    struct search stems, inner; /* from the beginning; within a component */
    uint32_t *step;             /* the walk so far                        */
    size_t capacity;
    uint32_t length;
    uint32_t at, start; /* of the walk; of the cycle          */
    uint64_t owing;     /* threads that are ready in some state of the
                           component and have taken no step yet             */
};

typedef bool is_goal(const struct walker *w, uint32_t node);

static bool is_start(const struct walker *w, uint32_t node)
{
    return node == w->start;
}

static bool pays(const struct walker *w, uint32_t node)
{
    return w->owing & steps_within(w->graph, w->component, node);
}

static void find(struct search *s, uint32_t node, uint32_t from, uint32_t via)
{
    s->from[node] = from;
    s->via[node] = via;
    s->queue[s->found++] = node;
}

/* What the last one has found is forgotten; and that alone, since a graph may
 * have many components. */
static void begin_search(struct search *s, uint32_t node)
{
    while (s->found)
        s->from[s->queue[--s->found]] = none;
    find(s, node, node, 0);
}

/* The nearest goal; `none` if there is none, or no goal.  Within the component,
 * unless `within` is 0. */
static uint32_t find_nearest(const struct walker *w, struct search *s,
                             uint32_t within, is_goal *goal)
{
    const struct plumb_strategies_state_graph *const g = w->graph;
    begin_search(s, w->at);
    for (uint32_t head = 0; head < s->found; head++) {
        const uint32_t node = s->queue[head];
        if (goal && goal(w, node))
            return node;
        for (uint32_t i = first_of(g, node); i; i = next_of(g, node, i)) {
            const uint32_t to = step_of(g, i).to;
            if (s->from[to] == none && (!within || w->component[to] == within))
                find(s, to, node, i);
        }
    }
    return none;
}

static bool make_room(struct walker *w, uint32_t more)
{
    return PLUMB_GROW(w->graph->budget, w->step, w->capacity,
                      (size_t)w->length + more);
}

static void take_step(struct walker *w, uint32_t step)
{
    const struct plumb_strategies_state_step e = step_of(w->graph, step);
    w->owing &= ~plumb_base_bit(e.thread);
    w->at = e.to;
}

/* The way that the search has found. */
static bool go_to(struct walker *w, const struct search *s, uint32_t node)
{
    uint32_t steps = 0;
    assert(node != none); /* what is in the component is found */
    for (uint32_t n = node; s->via[n]; n = s->from[n])
        steps++;
    if (!make_room(w, steps))
        return false;
    uint32_t i = w->length + steps;
    for (uint32_t n = node; s->via[n]; n = s->from[n])
        w->step[--i] = s->via[n];
    for (; steps; steps--)
        take_step(w, w->step[w->length++]);
    assert(w->at == node);
    return true;
}

static bool is_owed(const struct walker *w,
                    struct plumb_strategies_state_step e)
{
    return w->owing & plumb_base_bit(e.thread) &&
           w->component[e.to] == w->component[w->at];
}

/* A step from here by a thread that owes one, if there is one. */
static bool take_owed_step(struct walker *w)
{
    const struct plumb_strategies_state_graph *const g = w->graph;
    uint32_t i = first_of(g, w->at);
    while (i && !is_owed(w, step_of(g, i)))
        i = next_of(g, w->at, i);
    if (!i)
        return true;
    if (!make_room(w, 1))
        return false;
    w->step[w->length++] = i;
    take_step(w, i);
    return true;
}

static bool go_to_nearest(struct walker *w, is_goal *goal)
{
    return go_to(w, &w->inner,
                 find_nearest(w, &w->inner, w->component[w->at], goal));
}

static bool go_round(struct walker *w)
{
    w->start = w->at;
    w->owing = w->of[w->component[w->at] - 1].ready;
    while (w->owing)
        if (!go_to_nearest(w, pays) || !take_owed_step(w))
            return false;
    return go_to_nearest(w, is_start);
}

/* The components in the order in which they are reached. */
static bool tell_each(
    struct walker *w,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context)
{
    w->at = 0;
    find_nearest(w, &w->stems, 0, NULL);
    for (uint32_t i = 0; i < w->stems.found; i++) {
        const uint32_t entry = w->stems.queue[i];
        const uint32_t component = w->component[entry];
        if (!component || w->of[component - 1].told)
            continue;
        w->of[component - 1].told = true;
        w->at = w->length = 0;
        if (!go_to(w, &w->stems, entry))
            return false;
        const uint32_t stem = w->length;
        if (!go_round(w))
            return false;
        const struct plumb_strategies_fair_cycle cycle = { w->step, w->length,
                                                           w->length - stem };
        if (!tell(context, &cycle))
            return true;
    }
    return true;
}

static bool open_search(const struct plumb_strategies_state_graph *g,
                        struct search *s)
{
    s->via = per_node(g);
    s->from = per_node(g);
    s->queue = per_node(g);
    if (s->from)
        memset(s->from, 0xff, g->nodes * sizeof *s->from);
    return s->via && s->from && s->queue;
}

static void close_search(const struct plumb_strategies_state_graph *g,
                         struct search *s)
{
    release(g, s->via);
    release(g, s->from);
    release(g, s->queue);
}

static bool has_fair_component(const struct walker *w)
{
    for (uint32_t n = 0; n < w->graph->nodes; n++)
        if (w->component[n])
            return true;
    return false;
}

bool plumb_strategies_fair_cycles(
    const struct plumb_strategies_state_graph *g,
    bool (*tell)(void *context,
                 const struct plumb_strategies_fair_cycle *cycle),
    void *context)
{
    struct walker w = { .graph = g,
                        .component = per_node(g),
                        .of = plumb_base_alloc_zeroed(
                            g->budget, g->nodes * sizeof *w.of) };
    bool ok = w.component && w.of && find_fair(g, w.component, w.of);
    if (ok && has_fair_component(&w))
        ok = open_search(g, &w.stems) && open_search(g, &w.inner) &&
             tell_each(&w, tell, context);
    release(g, w.component);
    PLUMB_RELEASE(g->budget, w.of, g->nodes);
    close_search(g, &w.stems);
    close_search(g, &w.inner);
    PLUMB_RELEASE(g->budget, w.step, w.capacity);
    return ok;
}
