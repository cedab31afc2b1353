/* accept_partition.h - is a partition a branching bisimulation, and what is
 * the graph of its blocks? */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_PARTITION_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_PARTITION_H

#include "refine/refinement.h"

/* One graph, or the disjoint union of two: states of the second, if it is not
 * NULL, come after all of the first. */
struct plumb_refine_pieces {
    const struct plumb_csp_lts *one, *two;
};

struct plumb_refine_blocks {
    struct plumb_csp_lts lts;
    uint64_t *first;
    struct plumb_csp_edge *edge;
    size_t edges, room;
};

/* If `*yes`, and `blocks` is not NULL, it is the graph of blocks: no tau
 * inside a block but, with `divergence`, where a state goes on for ever. */
enum plumb_status plumb_refine_accept_partition(
    const struct plumb_refine_pieces *of,
    const struct plumb_refine_partition *p, bool divergence,
    struct plumb_budget *budget, struct plumb_refine_blocks *blocks, bool *yes,
    struct plumb_error *err);
void plumb_refine_blocks_release(struct plumb_refine_blocks *blocks,
                                 struct plumb_budget *budget);

#endif
