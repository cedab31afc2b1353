/* examine.h - properties of one graph: deadlock, divergence, determinism,
 * termination, reaching a state.
 *
 * All are breadth-first over states as they are made, so that what is shown is
 * shortest. */
#ifndef PLUMB_REFINE_PROPERTIES_EXAMINE_H
#define PLUMB_REFINE_PROPERTIES_EXAMINE_H

#include "base/arena.h"
#include "refine/examination.h"

/* `goal` is for PLUMB_REACHES alone.  The path is allocated in `arena`.  After
 * an error `x` has the counts so far. */
enum plumb_status plumb_refine_examine(struct plumb_csp_graph *g,
                                       enum plumb_refine_question question,
                                       const struct plumb_refine_goal *goal,
                                       struct plumb_base_arena *arena,
                                       struct plumb_refine_examination *x,
                                       struct plumb_error *err);

#endif
