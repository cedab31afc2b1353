/* components.h - the strongly connected components of a graph.
 *
 * Components are numbered as they are completed: what a component leads to has
 * a lower number.  src/refine/accept has its own, on purpose. */
#ifndef PLUMB_BASE_COMPONENTS_H
#define PLUMB_BASE_COMPONENTS_H

#include "pace.h"

struct plumb_base_digraph {
    uint32_t nodes;
    void *context;

    /* Where the next edge of `node` leads; UINT32_MAX behind the last.  `*at`
     * is for saying which that is, and begins as 0.  Who passes many edges in
     * one call spends steps for them. */
    uint32_t (*next)(void *context, uint32_t node, uint64_t *at,
                     struct plumb_base_pace *pace);
};

/* The component of each node, and how many there are.  False when the budget
 * refuses memory or time. */
bool plumb_base_components(const struct plumb_base_digraph *g,
                           struct plumb_budget *budget, uint32_t *component,
                           uint32_t *count);

#endif
