/* error_path.c - breadth first, until the edges of a state cannot be made. */
#include "error_path.h"

#include "refine/properties/breadth.h"

/* The state itself, or PLUMB_NOWHERE. */
static uint32_t find(struct plumb_csp_graph *graph, uint32_t most,
                     struct plumb_refine_breadth *b,
                     struct plumb_budget *budget, struct plumb_error *err)
{
    const uint32_t known = plumb_csp_graph_states(graph);
    const uint32_t end = most > known ? most : known;
    if (!plumb_refine_breadth_meet(b, 0, PLUMB_NOWHERE, 0))
        return PLUMB_NOWHERE;
    while (b->head < b->count && plumb_budget_state(budget) == PLUMB_OK) {
        const uint32_t state = b->queue[b->head++];
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(graph, state, err);
        if (out.status != PLUMB_OK)
            return out.status == PLUMB_EINPUT ? state : PLUMB_NOWHERE;
        for (uint32_t i = 0; i < out.count; i++)
            if (out.edge[i].target < end &&
                !plumb_refine_breadth_meet(b, out.edge[i].target, state, i))
                return PLUMB_NOWHERE;
    }
    return PLUMB_NOWHERE;
}

bool plumb_refine_error_path_find(struct plumb_csp_graph *graph, uint32_t most,
                                  struct plumb_budget *budget,
                                  struct plumb_base_arena *arena,
                                  const struct plumb_refine_hop **path,
                                  uint32_t *length, struct plumb_error *err)
{
    struct plumb_refine_breadth b = { .budget = budget };
    struct plumb_error found = *err;
    const uint32_t state = find(graph, most, &b, budget, &found);
    const struct plumb_refine_hop *const way =
        state == PLUMB_NOWHERE
            ? NULL
            : plumb_refine_breadth_way(&b, state, 1, arena, length);
    plumb_refine_breadth_release(&b);
    if (!way)
        return false;
    *err = found;
    *path = way;
    return true;
}
