/* condensed.h - a graph in which no cycle of taus is left.
 *
 * States on a cycle of taus can do the same: they become one, a *node*, which
 * remembers that there was a cycle.  Nodes are numbered so that every tau
 * leads to a lower number.  Edges are kept both ways, taus first. */
#ifndef PLUMB_REFINE_MINIMISE_CONDENSED_H
#define PLUMB_REFINE_MINIMISE_CONDENSED_H

#include "csp/states/graph.h"

struct plumb_refine_condensed {
    struct plumb_budget *budget;
    uint32_t states, nodes;
    uint32_t *node; /* of each state                               */
    bool *cycle;    /* of each node: it has a tau to itself        */
    uint64_t edges;
    uint32_t *first;             /* edges of a node begin here...      */
    uint32_t *visible;           /* ...and here those that are no taus */
    struct plumb_csp_edge *edge; /* without taus to itself             */
    uint32_t *back_first, *back_visible; /* the same, of sources   */
    uint32_t *back;
};

enum plumb_status plumb_refine_condensed_make(struct plumb_refine_condensed *c,
                                              const struct plumb_csp_lts *lts,
                                              struct plumb_budget *budget,
                                              struct plumb_error *err);
/* Only the nodes and their cycles. */
enum plumb_status plumb_refine_condensed_nodes(struct plumb_refine_condensed *c,
                                               const struct plumb_csp_lts *lts,
                                               struct plumb_budget *budget,
                                               struct plumb_error *err);
void plumb_refine_condensed_release(struct plumb_refine_condensed *c);

#endif
