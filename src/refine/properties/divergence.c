/* divergence.c - a depth-first search along taus. */
#include "divergence.h"

#include "base/fail.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

enum { UNKNOWN = 0, ENTERED, CONVERGES, DIVERGES };

void plumb_refine_divergence_init(struct plumb_refine_divergence *d,
                                  struct plumb_csp_graph *graph,
                                  struct plumb_budget *budget)
{
    *d = (struct plumb_refine_divergence){ .budget = budget, .graph = graph };
}

void plumb_refine_divergence_release(struct plumb_refine_divergence *d)
{
    PLUMB_RELEASE(d->budget, d->known, d->knowns);
    PLUMB_RELEASE(d->budget, d->stack, d->stack_room);
    plumb_refine_divergence_init(d, d->graph, d->budget);
}

static bool reserve(struct plumb_refine_divergence *d, uint32_t state)
{
    return PLUMB_GROW_ZEROED(d->budget, d->known, d->knowns, (size_t)state + 1);
}

static bool enter(struct plumb_refine_divergence *d, uint32_t state)
{
    assert(d->known[state] != ENTERED);
    if (!PLUMB_GROW(d->budget, d->stack, d->stack_room, (size_t)d->depth + 1))
        return false;
    d->known[state] = ENTERED;
    d->stack[d->depth++] = (struct plumb_refine_hop){ state, 0 };
    return true;
}

/* All that are on the stack get out of it, known as said. */
static void leave_all(struct plumb_refine_divergence *d, uint8_t known)
{
    for (uint32_t i = 0; i < d->depth; i++)
        d->known[d->stack[i].state] = known;
}

static void close_cycle(struct plumb_refine_divergence *d, uint32_t state)
{
    for (d->cycle = 0; d->stack[d->cycle].state != state; d->cycle++)
        assert(d->cycle < d->depth);
    leave_all(d, DIVERGES);
}

/* The next tau of the state on top that leads somewhere new or back into the
 * stack: `*target`, or UINT32_MAX. */
static enum plumb_status next_tau(struct plumb_refine_divergence *d,
                                  uint32_t *target, struct plumb_error *err)
{
    struct plumb_refine_hop *const top = d->stack + d->depth - 1;
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(d->graph, top->state, err);
    PLUMB_TRY(out.status);
    for (; top->index < out.count; top->index++) {
        *target = out.edge[top->index].target;
        if (out.edge[top->index].event != PLUMB_TAU)
            continue;
        if (!reserve(d, *target))
            return plumb_base_fail_memory(err);
        if (d->known[*target] != CONVERGES)
            return PLUMB_OK;
    }
    *target = UINT32_MAX;
    return PLUMB_OK;
}

static enum plumb_status search(struct plumb_refine_divergence *d, bool *yes,
                                struct plumb_error *err)
{
    while (d->depth) {
        uint32_t target;
        PLUMB_TRY(next_tau(d, &target, err));
        if (target == UINT32_MAX) {
            d->known[d->stack[--d->depth].state] = CONVERGES;
            if (d->depth)
                d->stack[d->depth - 1].index++;
        } else if (d->known[target] == ENTERED) {
            close_cycle(d, target);
            *yes = true;
            return PLUMB_OK;
        } else if (!enter(d, target)) {
            return plumb_base_fail_memory(err);
        }
    }
    *yes = false;
    return PLUMB_OK;
}

enum plumb_status plumb_refine_diverges_how(struct plumb_refine_divergence *d,
                                            uint32_t state, bool *yes,
                                            struct plumb_error *err)
{
    d->depth = 0;
    if (!reserve(d, state))
        return plumb_base_fail_memory(err);
    *yes = false;
    if (d->known[state] == CONVERGES)
        return PLUMB_OK;
    if (!enter(d, state))
        return plumb_base_fail_memory(err);
    const enum plumb_status status = search(d, yes, err);
    if (status != PLUMB_OK)
        leave_all(d, UNKNOWN);
    return status;
}

enum plumb_status plumb_refine_diverges(struct plumb_refine_divergence *d,
                                        uint32_t state, bool *yes,
                                        struct plumb_error *err)
{
    *yes = state < d->knowns && d->known[state] == DIVERGES;
    return *yes ? PLUMB_OK : plumb_refine_diverges_how(d, state, yes, err);
}
