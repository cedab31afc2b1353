/* ltl_lasso.h - a short run into a set of places and round in it. */
#ifndef PLUMB_REFINE_LTL_LTL_LASSO_H
#define PLUMB_REFINE_LTL_LTL_LASSO_H

#include "ltl_product.h"

/* What a round has to meet: arcs that keep each of `untils`; for each of
 * `weak` an arc where it takes part or is not enabled; for each of `strong`
 * one where it takes part. */
struct plumb_refine_ltl_needs {
    uint64_t untils, weak, strong;
};

/* `set` says of each place 0 .. places - 1 whether it belongs: the number
 * `inside`.  The places that belong are strongly connected, their arcs among
 * each other meet the needs, and one of them can be reached by places that are
 * known.  The run is allocated in `arena`. */
enum plumb_status plumb_refine_ltl_lasso(struct plumb_refine_ltl_product *p,
                                         const uint32_t *set, uint32_t inside,
                                         uint32_t places,
                                         struct plumb_refine_ltl_needs needs,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_run *run);

#endif
