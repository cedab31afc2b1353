/* retrace.h - the shortest way of a graph along a trace.
 *
 * What goes wrong on the blocks of a graph goes wrong in the graph, after the
 * same visible events; only the taus between them have to be found. */
#ifndef PLUMB_REFINE_ENGINES_RETRACE_H
#define PLUMB_REFINE_ENGINES_RETRACE_H

#include "refine.h"
#include "refine/minimise/bisimulation.h"

struct plumb_refine_trace_end {
    const uint32_t *event; /* visible ones */
    uint32_t count;
    enum plumb_refine_offence offence;
    const uint32_t *block; /* not an event: of each state, and...   */
    uint32_t last;         /* ...the block to arrive in at the end; */
                           /* to refuse, at a stable state of it    */
};

/* Sets offence, path, length and cycle of `r`.  There is such a way. */
enum plumb_status plumb_refine_retrace(struct plumb_csp_graph *impl,
                                       const struct plumb_refine_trace_end *to,
                                       struct plumb_budget *budget,
                                       struct plumb_base_arena *arena,
                                       struct plumb_refinement *r,
                                       struct plumb_error *err);

#endif
