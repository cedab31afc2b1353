/* counterexample.h - from what a search found to steps of the implementation.
 */
#ifndef PLUMB_REFINE_ENGINES_COUNTEREXAMPLE_H
#define PLUMB_REFINE_ENGINES_COUNTEREXAMPLE_H

#include "pair_store.h"
#include "refine/properties/refusals.h"

/* Which pair of a search goes wrong, and how. */
struct plumb_refine_offending {
    enum plumb_refine_offence offence;
    uint32_t pair;
    uint32_t index; /* an event: of the edge */
};

/* A search over pairs of a state and a set; or, without sets, of a state and a
 * place in a trace. */
struct plumb_refine_search_of_pairs {
    struct plumb_csp_graph *impl;
    struct plumb_refine_spec_sets *sets;
    const uint32_t *trace;
    uint32_t events; /* of the trace */
    const struct plumb_refine_pairs *pairs;
    struct plumb_budget *budget;
};

/* The way along the pairs numbered line[0] (the initial one) ... line[count -
 * 1] (the offending one), and what is wrong there: sets offence, path, length
 * and cycle of `r`. */
enum plumb_status plumb_refine_counterexample(
    const struct plumb_refine_search_of_pairs *search, const uint32_t *line,
    uint32_t count, const struct plumb_refine_offending *o,
    struct plumb_base_arena *arena, struct plumb_refinement *r,
    struct plumb_error *err);

#endif
