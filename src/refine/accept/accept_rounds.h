/* accept_rounds.h - can one go round for ever, as is wanted?
 *
 * For the verifier alone: a graph whose arcs each leave some of the wanted
 * things in order, and who takes part in it. */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_ROUNDS_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_ROUNDS_H

#include "refine/temporal.h"

struct plumb_refine_arc {
    uint32_t target, kept;
};

/* The arcs of node n are first[n] .. first[n + 1] - 1. */
struct plumb_refine_rounds {
    uint32_t nodes;
    const uint64_t *first;
    const struct plumb_refine_arc *arc;
    uint32_t wanted; /* to be kept again and again */
    enum plumb_refine_fairness fairness;
    /* Who takes part in each arc, and who could at each node; not looked at
     * without fairness. */
    const uint64_t *acts, *enabled;
};

/* `*some`: there is a fair way round that keeps all that is wanted. */
enum plumb_status plumb_refine_rounds_exist(const struct plumb_refine_rounds *r,
                                            struct plumb_budget *budget,
                                            bool *some,
                                            struct plumb_error *err);

#endif
