/* counterexample.h - from what a search found to steps of the implementation.
 */
#ifndef PLUMB_MODEL_COUNTEREXAMPLE_H
#define PLUMB_MODEL_COUNTEREXAMPLE_H

#include "model/pair_store.h"
#include "model/parent_bits.h"
#include "model/refusals.h"

/* Which pair of a search goes wrong, and how. */
struct plumb_offending {
    enum plumb_offence offence;
    uint32_t pair;
    uint32_t index; /* an event: of the edge */
};

/* A search over pairs of a state and a set. */
struct plumb_search_of_pairs {
    struct plumb_graph *impl;
    struct plumb_spec_sets *sets;
    const struct plumb_pairs *pairs;
    const struct plumb_parents *parents;
    struct plumb_budget *budget;
};

/* The way to the offending pair, and what is wrong there: sets offence, path,
 * length and cycle of `r`. */
enum plumb_status plumb_counterexample(
    const struct plumb_search_of_pairs *search, const struct plumb_offending *o,
    struct plumb_arena *arena, struct plumb_refinement *r,
    struct plumb_error *err);

#endif
