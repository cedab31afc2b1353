/* product.h - breadth-first over pairs of a state and a set.
 *
 * The plain refinement check: every state of the implementation with every
 * set of states in which the specification can be after the same trace.  The
 * first pair that goes wrong is one of those nearest to the beginning.  It can
 * be stopped after some number of pairs and go on later. */
#ifndef PLUMB_REFINE_ENGINES_PRODUCT_H
#define PLUMB_REFINE_ENGINES_PRODUCT_H

#include "counterexample.h"
#include "parent_bits.h"

enum { PLUMB_PRODUCT_BATCH = 768 };

struct plumb_refine_product {
    struct plumb_budget *budget;
    struct plumb_csp_graph *impl;
    const struct plumb_refine_options *options;
    struct plumb_refine_spec_sets sets;
    struct plumb_refine_judge judge;
    struct plumb_refine_pairs pairs;
    struct plumb_refine_parents parents;
    uint32_t next;      /* the pair to be expanded             */
    uint32_t level_end; /* where those of its depth end        */
    uint32_t depth;
    uint64_t transitions;
    uint64_t watched; /* sets.work when the clock was looked at last */
    /* Successors that are still to be looked up; ended[i] is how many pairs
     * were finished before the i-th of them was found. */
    uint64_t found[PLUMB_PRODUCT_BATCH];
    uint32_t ended[PLUMB_PRODUCT_BATCH];
    uint32_t founds, ending;
    struct plumb_csp_edge *copy; /* of a state's edges, if the graphs are one */
    size_t copy_room;
};

void plumb_refine_product_init(struct plumb_refine_product *p,
                               struct plumb_csp_graph *impl,
                               struct plumb_csp_graph *spec,
                               const struct plumb_refine_options *options,
                               struct plumb_budget *budget);
void plumb_refine_product_release(struct plumb_refine_product *p);

/* Until a pair is found that goes wrong, or all are seen (PLUMB_OFFENCE_NONE),
 * or about `most` pairs were spent, large sets counted as many (PLUMB_END; it can
 * be called again). */
enum plumb_status plumb_refine_product_run(struct plumb_refine_product *p,
                                           uint64_t most,
                                           struct plumb_refine_offending *o,
                                           struct plumb_error *err);

/* Counts, and the counterexample if there is one. */
void plumb_refine_product_count(const struct plumb_refine_product *p,
                                struct plumb_refinement *r);
enum plumb_status plumb_refine_product_path(
    struct plumb_refine_product *p, const struct plumb_refine_offending *o,
    struct plumb_base_arena *arena, struct plumb_refinement *r,
    struct plumb_error *err);

#endif
