/* tau_cycle.c - which components of taus go round?
 *
 * Of the states on cycles the one that is nearest is taken, and from there the
 * shortest way round. */
#include "breadth.h"

#include "base/components.h"
#include "base/fail.h"
#include "base/memory.h"
#include <string.h>

struct walk {
    struct plumb_csp_graph *g;
    const struct plumb_refine_breadth *b;
    enum plumb_status status; /* an error, after which there are no edges */
    struct plumb_error *err;
};

/* Of states that were met. */
static uint32_t next_tau(void *context, uint32_t state, uint64_t *at,
                         struct plumb_base_pace *pace)
{
    struct walk *const w = context;
    struct plumb_csp_outgoing out = { .status = w->status };
    if (w->status == PLUMB_OK && state < w->b->places && w->b->met[state])
        out = plumb_csp_graph_edges(w->g, state, w->err);
    w->status = out.status;
    for (; *at < out.count; ++*at)
        if (out.edge[*at].event == PLUMB_TAU)
            return out.edge[(*at)++].target;
    plumb_base_pace_spend(pace, out.count);
    return UINT32_MAX;
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
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(g, state, err);
        PLUMB_TRY(out.status);
        for (uint32_t i = 0; i < out.count; i++) {
            if (out.edge[i].event != PLUMB_TAU)
                continue;
            if (out.edge[i].target == start) {
                *last = (struct plumb_refine_hop){ state, i };
                return PLUMB_OK;
            }
            (void)plumb_refine_breadth_meet(b, out.edge[i].target, state, i);
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
    struct plumb_refine_hop last;
    uint32_t before, around;
    const struct plumb_refine_hop *const stem =
        plumb_refine_breadth_way(b, start, 1, arena, &before);
    if (!stem)
        return plumb_base_fail_memory(err);
    PLUMB_TRY(shortest_round(g, b, start, &last, err));
    const struct plumb_refine_hop *const round =
        plumb_refine_breadth_way(b, last.state, 1, arena, &around);
    struct plumb_refine_hop *const path = plumb_base_arena_alloc(
        arena, ((size_t)before + around + 1) * sizeof *path);
    if (!round || !path)
        return plumb_base_fail_memory(err);
    memcpy(path, stem, before * sizeof *path);
    memcpy(path + before, round, around * sizeof *path);
    path[before + around] = last;
    *found = (struct plumb_refine_tau_cycle){ path, before + around + 1, before,
                                              start };
    return PLUMB_END;
}

/* Is there a tau from `state` inside its component? */
static enum plumb_status is_on_cycle(struct plumb_csp_graph *g, uint32_t state,
                                     const uint32_t *component, bool *yes,
                                     struct plumb_error *err)
{
    const struct plumb_csp_outgoing out = plumb_csp_graph_edges(g, state, err);
    *yes = false;
    for (uint32_t i = 0; out.status == PLUMB_OK && i < out.count; i++)
        *yes |= out.edge[i].event == PLUMB_TAU &&
                component[out.edge[i].target] == component[state];
    return out.status;
}

static enum plumb_status search(struct plumb_csp_graph *g,
                                struct plumb_refine_breadth *b,
                                uint32_t *component,
                                struct plumb_base_arena *arena,
                                struct plumb_refine_tau_cycle *found,
                                struct plumb_error *err)
{
    struct walk w = { g, b, PLUMB_OK, err };
    const struct plumb_base_digraph taus = { plumb_csp_graph_states(g), &w,
                                             next_tau };
    uint32_t count;
    const bool good =
        plumb_base_components(&taus, b->budget, component, &count);
    enum plumb_status status =
        good || w.status ? w.status : plumb_base_fail_budget(b->budget, err);
    bool yes = false;
    for (size_t i = 0; status == PLUMB_OK && i < b->count; i++) {
        status = is_on_cycle(g, b->queue[i], component, &yes, err);
        if (yes)
            return show_round(g, b, b->queue[i], arena, found, err);
    }
    return status;
}

enum plumb_status plumb_refine_tau_cycle(struct plumb_csp_graph *g,
                                         struct plumb_refine_breadth *b,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_tau_cycle *found,
                                         struct plumb_error *err)
{
    const size_t states = plumb_csp_graph_states(g);
    uint32_t *const component =
        plumb_base_alloc(b->budget, states * sizeof *component);
    const enum plumb_status status =
        component ? search(g, b, component, arena, found, err)
                  : plumb_base_fail_memory(err);
    PLUMB_RELEASE(b->budget, component, states);
    return status;
}
