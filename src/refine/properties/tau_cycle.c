/* tau_cycle.c - Tarjan's algorithm over taus alone, with its stack in memory.
 *
 * Of the states on cycles the one that is nearest is taken, and from there the
 * shortest way round. */
#include "tau_cycle.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include <string.h>

/* Tarjan's numbers: low 0 is unvisited, DONE is in a finished component. */
#define DONE UINT32_MAX

struct frame {
    uint32_t state, index;
};

struct tarjan {
    struct plumb_csp_graph *g;
    struct plumb_budget *budget;
    uint32_t *low, *number;
    uint32_t *open; /* states of components that are not finished */
    struct frame *frame;
    bool *cyclic;
    uint32_t states, opened, frames, next;
};

static void tarjan_release(struct tarjan *t)
{
    struct plumb_budget *const b = t->budget;
    const size_t n = t->states;
    plumb_base_release(b, t->low, n * sizeof *t->low);
    plumb_base_release(b, t->number, n * sizeof *t->number);
    plumb_base_release(b, t->open, n * sizeof *t->open);
    plumb_base_release(b, t->frame, n * sizeof *t->frame);
    plumb_base_release(b, t->cyclic, n * sizeof *t->cyclic);
}

static bool tarjan_open(struct tarjan *t, struct plumb_csp_graph *g,
                        struct plumb_budget *b)
{
    const size_t n = plumb_csp_graph_states(g);
    *t = (struct tarjan){ .g = g, .budget = b, .states = (uint32_t)n };
    t->low = plumb_base_alloc_zeroed(b, n * sizeof *t->low);
    t->number = plumb_base_alloc(b, n * sizeof *t->number);
    t->open = plumb_base_alloc(b, n * sizeof *t->open);
    t->frame = plumb_base_alloc(b, n * sizeof *t->frame);
    t->cyclic = plumb_base_alloc_zeroed(b, n * sizeof *t->cyclic);
    return t->low && t->number && t->open && t->frame && t->cyclic;
}

static void enter(struct tarjan *t, uint32_t state)
{
    t->low[state] = t->number[state] = ++t->next;
    t->open[t->opened++] = state;
    t->frame[t->frames++] = (struct frame){ state, 0 };
}

/* All edges of the top frame were seen.  False if there is no time for the
 * component that ends there. */
static bool leave(struct tarjan *t)
{
    const uint32_t state = t->frame[--t->frames].state;
    const uint32_t low = t->low[state];
    if (t->frames) {
        const uint32_t above = t->frame[t->frames - 1].state;
        if (low < t->low[above])
            t->low[above] = low;
    }
    if (low != t->number[state])
        return true;
    const bool several = t->open[t->opened - 1] != state;
    for (;;) {
        const uint32_t member = t->open[--t->opened];
        t->low[member] = DONE;
        t->cyclic[member] |= several;
        if (member == state)
            return true;
        if (!plumb_base_in_time(t->budget, t->opened))
            return false;
    }
}

/* One more tau of the top frame. */
static bool advance(struct tarjan *t, const struct plumb_csp_edge *edge,
                    uint32_t count)
{
    struct frame *const top = t->frame + t->frames - 1;
    for (; top->index < count; top->index++) {
        const uint32_t to = edge[top->index].target;
        if (edge[top->index].event != PLUMB_TAU)
            continue;
        if (to == top->state)
            t->cyclic[to] = true;
        if (!t->low[to]) {
            top->index++;
            enter(t, to);
            return true;
        }
        if (t->low[to] != DONE && t->number[to] < t->low[top->state])
            t->low[top->state] = t->number[to];
    }
    return leave(t);
}

static enum plumb_status components(struct tarjan *t,
                                    const struct plumb_refine_breadth *b,
                                    struct plumb_error *err)
{
    for (size_t i = 0; i < b->count; i++) {
        if (!plumb_base_in_time(t->budget, i))
            return plumb_base_fail_budget(t->budget, err);
        if (!t->low[b->queue[i]])
            enter(t, b->queue[i]);
        while (t->frames) {
            const struct plumb_csp_edge *edge;
            uint32_t count;
            const enum plumb_status status = plumb_csp_graph_edges(
                t->g, t->frame[t->frames - 1].state, &edge, &count, err);
            if (status != PLUMB_OK)
                return status;
            if (!advance(t, edge, count))
                return plumb_base_fail_budget(t->budget, err);
        }
    }
    return PLUMB_OK;
}

/* Breadth first over taus from `start`, to where one leads back to it: the
 * hop `*last`.  There is room for all states. */
static enum plumb_status shortest_round(struct plumb_csp_graph *g,
                                        struct plumb_refine_breadth *b,
                                        uint32_t start,
                                        struct plumb_refine_hop *last,
                                        struct plumb_error *err)
{
    plumb_refine_breadth_clear(b);
    (void)plumb_refine_breadth_meet(b, start, PLUMB_NOWHERE, 0);
    while (b->head < b->count) {
        const uint32_t state = b->queue[b->head++];
        const struct plumb_csp_edge *edge;
        uint32_t count;
        const enum plumb_status status =
            plumb_csp_graph_edges(g, state, &edge, &count, err);
        if (status != PLUMB_OK)
            return status;
        for (uint32_t i = 0; i < count; i++) {
            if (edge[i].event != PLUMB_TAU)
                continue;
            if (edge[i].target == start) {
                *last = (struct plumb_refine_hop){ state, i };
                return PLUMB_OK;
            }
            (void)plumb_refine_breadth_meet(b, edge[i].target, state, i);
        }
    }
    return plumb_base_fail(err, PLUMB_EBUG, 0, 0,
                           "internal error: a tau cycle was lost");
}

/* The way to `start`, round, and the last hop back. */
static enum plumb_status show_round(struct plumb_csp_graph *g,
                                    struct plumb_refine_breadth *b,
                                    uint32_t start,
                                    struct plumb_base_arena *arena,
                                    struct plumb_refine_tau_cycle *found,
                                    struct plumb_error *err)
{
    const struct plumb_refine_hop *stem, *round;
    struct plumb_refine_hop *path, last;
    uint32_t before, around;
    enum plumb_status status;
    stem = plumb_refine_breadth_way(b, start, 1, arena, &before);
    if (!stem)
        return plumb_base_fail_memory(err);
    status = shortest_round(g, b, start, &last, err);
    if (status != PLUMB_OK)
        return status;
    round = plumb_refine_breadth_way(b, last.state, 1, arena, &around);
    path = plumb_base_arena_alloc(arena,
                                  ((size_t)before + around + 1) * sizeof *path);
    if (!round || !path)
        return plumb_base_fail_memory(err);
    memcpy(path, stem, before * sizeof *path);
    memcpy(path + before, round, around * sizeof *path);
    path[before + around] = last;
    *found = (struct plumb_refine_tau_cycle){ path, before + around + 1, before,
                                              start };
    return PLUMB_END;
}

enum plumb_status plumb_refine_tau_cycle(struct plumb_csp_graph *g,
                                         struct plumb_refine_breadth *b,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_tau_cycle *found,
                                         struct plumb_error *err)
{
    struct tarjan t;
    enum plumb_status status = PLUMB_OK;
    if (!tarjan_open(&t, g, b->budget))
        status = plumb_base_fail_memory(err);
    else
        status = components(&t, b, err);
    for (size_t i = 0; status == PLUMB_OK && i < b->count; i++) {
        if (t.cyclic[b->queue[i]]) {
            status = show_round(g, b, b->queue[i], arena, found, err);
            break;
        }
        if (!plumb_base_in_time(b->budget, i))
            status = plumb_base_fail_budget(b->budget, err);
    }
    tarjan_release(&t);
    return status;
}
