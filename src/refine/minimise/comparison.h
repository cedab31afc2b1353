/* comparison.h - two whole graphs, minimised, and their classes compared.
 *
 * Each side is minimised by itself, at the same time if there are two threads;
 * then the union of the two quotients is.  The sides are bisimilar if its
 * initial states are in one block. */
#ifndef PLUMB_REFINE_MINIMISE_COMPARISON_H
#define PLUMB_REFINE_MINIMISE_COMPARISON_H

#include "base/arena.h"
#include "bisimulation.h"

struct plumb_refine_minimised {
    struct plumb_budget *budget;
    struct plumb_csp_lts lts;
    bool divergence;
    struct plumb_refine_partition partition;
    struct plumb_refine_quotient quotient;
    enum plumb_status status;
    struct plumb_error err;
};

struct plumb_refine_comparison {
    struct plumb_budget *budget;
    struct plumb_refine_minimised side[2]; /* implementation, specification */
    /* The union of the quotients: states of the second come after all of the
     * first. */
    struct plumb_csp_lts lts;
    uint64_t *first;
    struct plumb_csp_edge *edge;
    size_t states, edges;
    struct plumb_refine_partition both; /* of the union */
    bool same;                          /* the initial states are bisimilar */
};

/* Of complete graphs; to be released in any case. */
enum plumb_status plumb_refine_comparison_make(
    struct plumb_refine_comparison *c, struct plumb_csp_graph *impl,
    struct plumb_csp_graph *spec, bool divergence, unsigned threads,
    struct plumb_budget *budget, struct plumb_error *err);
void plumb_refine_comparison_release(struct plumb_refine_comparison *c);
/* Only the union, if nobody needs it any more. */
void plumb_refine_comparison_forget_union(struct plumb_refine_comparison *c);

/* One partition of the states of both graphs; NULL if it is refused. */
const struct plumb_refine_partition *plumb_refine_comparison_certify(
    const struct plumb_refine_comparison *c, struct plumb_base_arena *arena);

#endif
