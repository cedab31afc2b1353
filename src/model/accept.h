/* accept.h - not believing a verdict about graphs.
 *
 * Written from the definitions, sharing nothing with the engines.  A
 * counterexample is walked and its trace is looked for in the specification; a
 * claim of refinement comes with a relation that must be closed under steps.
 *
 * The relation: a set of pairs (implementation state, set of specification
 * states), such that the initial pair is covered, and from a pair every edge
 * of the implementation leads to a covered pair: the same set after tau, the
 * set after the event (which must not be empty) and then taus else.  A pair is
 * covered by one of the relation with the same implementation state and a set
 * that is a subset.  If graphs were minimised first, `impl_block` and
 * `spec_block` are the partitions, the pairs speak of blocks, and the
 * partitions are checked to be branching bisimulations. */
#ifndef PLUMB_MODEL_ACCEPT_H
#define PLUMB_MODEL_ACCEPT_H

#include "model/bisimulation.h"
#include "model/refine.h"

/* Is `p` a branching bisimulation of `lts` (of the kind said)?  One that is
 * not the coarsest is accepted too.  `*yes` is the answer. */
enum plumb_status plumb_accept_bisimulation(const struct plumb_lts *lts,
                                            const struct plumb_partition *p,
                                            bool divergence,
                                            struct plumb_budget *budget,
                                            bool *yes, struct plumb_error *err);

/* Is `path` a way through `impl` that ends as `r` says and that `spec` cannot
 * follow? */
enum plumb_status plumb_accept_counterexample(
    struct plumb_graph *impl, struct plumb_graph *spec,
    enum plumb_semantics semantics, const struct plumb_refinement *r,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

/* Pairs as a flat array: pair i is (impl[i], set[first[i]] .. set[first[i + 1]
 * - 1]), sets sorted. */
struct plumb_relation {
    uint32_t pairs;
    const uint32_t *impl, *set;
    const uint64_t *first;
};
enum plumb_status plumb_accept_relation(const struct plumb_lts *impl,
                                        const struct plumb_lts *spec,
                                        enum plumb_semantics semantics,
                                        const struct plumb_relation *relation,
                                        struct plumb_budget *budget, bool *yes,
                                        struct plumb_error *err);

#endif
