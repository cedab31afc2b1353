/* bisimulation.h - the coarsest branching bisimulation of a whole graph.
 *
 * s and t are branching bisimilar if every step s -a-> s' is matched by t: a is
 * tau and s' is bisimilar to t, or t goes by taus through states bisimilar to s
 * and then by a to a state bisimilar to s'.  It keeps weak traces, and with
 * `divergence` also which states can go on for ever inside their class, hence
 * stable failures and divergences. */
#ifndef PLUMB_REFINE_MINIMISE_BISIMULATION_H
#define PLUMB_REFINE_MINIMISE_BISIMULATION_H

#include "refine/refinement.h"

/* Of `lts`, which may be the disjoint union of several graphs. */
enum plumb_status plumb_refine_bisimulation(const struct plumb_csp_lts *lts,
                                            bool divergence,
                                            struct plumb_budget *budget,
                                            struct plumb_refine_partition *p,
                                            struct plumb_error *err);
void plumb_refine_partition_release(struct plumb_refine_partition *p,
                                    struct plumb_budget *budget);

/* The graph of the blocks of a branching bisimulation: no tau inside a block (but one, a loop, where
 * `divergence` and the block diverges), no edge twice. */
struct plumb_refine_quotient {
    struct plumb_csp_lts lts;
    uint64_t *first;
    struct plumb_csp_edge *edge;
    uint64_t edges;
};
enum plumb_status plumb_refine_quotient(const struct plumb_csp_lts *lts,
                                        const struct plumb_refine_partition *p,
                                        bool divergence,
                                        struct plumb_budget *budget,
                                        struct plumb_refine_quotient *q,
                                        struct plumb_error *err);
void plumb_refine_quotient_release(struct plumb_refine_quotient *q,
                                   struct plumb_budget *budget);

#endif
