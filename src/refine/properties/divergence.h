/* divergence.h - can a state go on for ever without being seen?
 *
 * A depth-first search along taus; what it leaves without having met itself
 * does not diverge and is never entered again. */
#ifndef PLUMB_REFINE_PROPERTIES_DIVERGENCE_H
#define PLUMB_REFINE_PROPERTIES_DIVERGENCE_H

#include "refine/engines/refine.h"

struct plumb_refine_divergence {
    struct plumb_budget *budget;
    struct plumb_csp_graph *graph;
    uint8_t *known; /* of states */
    size_t knowns;
    struct plumb_refine_hop *stack; /* after a yes: the way into the cycle... */
    size_t stack_room;
    uint32_t depth;
    uint32_t cycle; /* ...which begins here and ends with the stack    */
};

void plumb_refine_divergence_init(struct plumb_refine_divergence *d,
                                  struct plumb_csp_graph *graph,
                                  struct plumb_budget *budget);
void plumb_refine_divergence_release(struct plumb_refine_divergence *d);

enum plumb_status plumb_refine_diverges(struct plumb_refine_divergence *d,
                                        uint32_t state, bool *yes,
                                        struct plumb_error *err);

/* The same, but a yes always comes with stack and cycle. */
enum plumb_status plumb_refine_diverges_how(struct plumb_refine_divergence *d,
                                            uint32_t state, bool *yes,
                                            struct plumb_error *err);

#endif
