/* tau_cycle.h - the nearest cycle of taus in a graph that is all known. */
#ifndef PLUMB_REFINE_PROPERTIES_TAU_CYCLE_H
#define PLUMB_REFINE_PROPERTIES_TAU_CYCLE_H

#include "breadth.h"

/* A way to a state that is on a cycle, path[0 .. cycle), and round. */
struct plumb_refine_tau_cycle {
    const struct plumb_refine_hop *path;
    uint32_t length, cycle, state;
};

/* `b` has met all states.  PLUMB_END if there is a cycle, PLUMB_OK if there is
 * none; what `b` knows is used up. */
enum plumb_status plumb_refine_tau_cycle(struct plumb_csp_graph *g,
                                         struct plumb_refine_breadth *b,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_tau_cycle *found,
                                         struct plumb_error *err);

#endif
