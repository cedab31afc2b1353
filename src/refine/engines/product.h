/* product.h - breadth-first over pairs of a state and a set.
 *
 * The plain refinement check: every state of the implementation with every
 * set of states in which the specification can be after the same trace.  The
 * first pair that goes wrong is one of those nearest to the beginning.  It can
 * be stopped after some number of pairs and go on later. */
#ifndef PLUMB_REFINE_ENGINES_PRODUCT_H
#define PLUMB_REFINE_ENGINES_PRODUCT_H

#include "pair_search.h"
#include "parent_bits.h"

enum { PLUMB_PRODUCT_BATCH = 768 };

struct plumb_refine_product {
    struct plumb_refine_pair_search s; /* first: pairs are met as its */
    struct plumb_refine_pairs pairs;
    struct plumb_refine_parents parents;

    /* Successors that are still to be looked up; ended[i] is how many pairs
     * were finished before the i-th of them was found. */
    uint64_t found[PLUMB_PRODUCT_BATCH];
    uint32_t ended[PLUMB_PRODUCT_BATCH];
    uint32_t founds, ending;
};

void plumb_refine_product_init(struct plumb_refine_product *p,
                               const struct plumb_refine_task *task);
void plumb_refine_product_release(struct plumb_refine_product *p);

/* Until a pair is found that goes wrong, or all are seen: then the task is
 * decided.  PLUMB_END after about `most` pairs, large sets counted as many; it
 * can be called again. */
enum plumb_status plumb_refine_product_run(struct plumb_refine_product *p,
                                           uint64_t most);

#endif
