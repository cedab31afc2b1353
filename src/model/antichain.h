/* antichain.h - pairs without those that another one speaks for.
 *
 * If the specification can be in fewer states it allows less: a pair whose set
 * contains the set of another pair with the same state goes wrong only if the
 * other does, by the same steps.  So only the smallest sets of each state are
 * followed. */
#ifndef PLUMB_MODEL_ANTICHAIN_H
#define PLUMB_MODEL_ANTICHAIN_H

#include "model/counterexample.h"

struct plumb_antichain {
    struct plumb_budget *budget;
    struct plumb_graph *impl;
    const struct plumb_refine_options *options;
    struct plumb_spec_sets sets;
    struct plumb_judge judge;
    struct plumb_pairs pairs; /* that ever were in a chain, in order */
    struct plumb_parents parents;
    uint32_t *head; /* of each state: the last pair of its chain */
    size_t head_room, heads;
    uint32_t *link; /* of each pair: the one before it in its chain */
    size_t link_room;
    uint64_t *answer; /* to some questions whether a set is in another */
    uint32_t next, level_end, depth;
    uint64_t expanded, transitions, alive;
    struct plumb_edge *copy;
    size_t copy_room;
};

void plumb_antichain_init(struct plumb_antichain *a, struct plumb_graph *impl,
                          struct plumb_graph *spec,
                          const struct plumb_refine_options *options,
                          struct plumb_budget *budget);
void plumb_antichain_release(struct plumb_antichain *a);

/* As plumb_product_run(). */
enum plumb_status plumb_antichain_run(struct plumb_antichain *a,
                                      struct plumb_offending *o,
                                      struct plumb_error *err);
void plumb_antichain_count(const struct plumb_antichain *a,
                           struct plumb_refinement *r);
enum plumb_status plumb_antichain_path(struct plumb_antichain *a,
                                       const struct plumb_offending *o,
                                       struct plumb_arena *arena,
                                       struct plumb_refinement *r,
                                       struct plumb_error *err);

/* The pairs left in the chains, which are closed under steps: a certificate
 * (accept.h), in the arena. */
enum plumb_status plumb_antichain_relation(const struct plumb_antichain *a,
                                           struct plumb_arena *arena,
                                           struct plumb_relation *out,
                                           struct plumb_error *err);

#endif
