/* equivalent.h - are two graphs branching bisimilar, with divergence; and if
 * not, what tells them apart? */
#ifndef PLUMB_REFINE_EQUIVALENCE_EQUIVALENT_H
#define PLUMB_REFINE_EQUIVALENCE_EQUIVALENT_H

#include "base/arena.h"
#include "refine/equivalence.h"

/* Of complete graphs.  What `e` points to is allocated in `arena`. */
enum plumb_status plumb_refine_equivalent(struct plumb_csp_graph *one,
                                          struct plumb_csp_graph *two,
                                          unsigned threads,
                                          struct plumb_base_arena *arena,
                                          struct plumb_refine_equivalence *e,
                                          struct plumb_error *err);

#endif
