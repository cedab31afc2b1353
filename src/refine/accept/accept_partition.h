/* accept_partition.h - is a partition a branching bisimulation, and what is
 * the graph of its blocks? */
#ifndef PLUMB_MODEL_ACCEPT_PARTITION_H
#define PLUMB_MODEL_ACCEPT_PARTITION_H

#include "csp/states/graph.h"
#include "refine/partition.h"

/* One graph, or the disjoint union of two: states of the second, if it is not
 * NULL, come after all of the first. */
struct plumb_pieces {
    const struct plumb_lts *one, *two;
};

struct plumb_blocks {
    struct plumb_lts lts;
    uint64_t *first;
    struct plumb_edge *edge;
    size_t edges, room;
};

/* If `*yes`, and `blocks` is not NULL, it is the graph of blocks: no tau
 * inside a block but, with `divergence`, where a state goes on for ever. */
enum plumb_status plumb_accept_partition(const struct plumb_pieces *of,
                                         const struct plumb_partition *p,
                                         bool divergence,
                                         struct plumb_budget *budget,
                                         struct plumb_blocks *blocks, bool *yes,
                                         struct plumb_error *err);
void plumb_blocks_release(struct plumb_blocks *blocks,
                          struct plumb_budget *budget);

#endif
