/* seek.h - a deadlock or a goal, looked for breadth first and depth first.
 *
 * Breadth first finds what is near, by a shortest way; depth first finds what
 * is far, long before breadth first has seen everything nearer.  Nobody knows
 * which it will be, so they take turns of equal numbers of states.  Both go
 * through the same graph: what one has made and looked at, the other need not. */
#ifndef PLUMB_REFINE_SEARCH_SEEK_H
#define PLUMB_REFINE_SEARCH_SEEK_H

#include "base/arena.h"
#include "refine/examination.h"

struct plumb_refine_seeking {
    enum plumb_refine_search how;
    uint32_t turn; /* states of a turn; 0: as many as are good */
};

/* The question is PLUMB_DEADLOCKFREE, or PLUMB_REACHES with a goal that is not
 * optimised.  Otherwise as plumb_refine_examine(); `x` says too whether the
 * path is known to be a shortest one. */
enum plumb_status plumb_refine_seek(struct plumb_csp_graph *g,
                                    enum plumb_refine_question question,
                                    const struct plumb_refine_goal *goal,
                                    const struct plumb_refine_seeking *how,
                                    struct plumb_base_arena *arena,
                                    struct plumb_refine_examination *x,
                                    struct plumb_error *err);

#endif
