/* antichain.h - pairs without those that another one speaks for.
 *
 * If the specification can be in fewer states it allows less.  So only the
 * smallest sets of each state are followed.
 *
 * Breadth first, a pair that is superseded is not followed any more if the
 * one that supersedes it is as near to the beginning; so the counterexample is
 * still one of the shortest.  Depth first (options->pat3_counts) is how PAT 3
 * searches, and counts: everything that was ever put in is followed, and what
 * is left in the chains is counted. */
#ifndef PLUMB_REFINE_ENGINES_ANTICHAIN_H
#define PLUMB_REFINE_ENGINES_ANTICHAIN_H

#include "chains.h"
#include "pair_search.h"

struct plumb_refine_antichain {
    struct plumb_refine_pair_search s; /* first: pairs are met as its */
    struct plumb_refine_chains chains;
    uint32_t *parent; /* of pairs */
    size_t parent_room;
    uint32_t *stack; /* of pairs that are still to do, depth first */
    size_t stack_room;
    uint32_t on_stack;
    uint64_t expanded;
};

enum plumb_status plumb_refine_antichain_init(
    struct plumb_refine_antichain *a, const struct plumb_refine_task *task);
void plumb_refine_antichain_release(struct plumb_refine_antichain *a);

/* Decide the task. */
enum plumb_status plumb_refine_antichain_run(struct plumb_refine_antichain *a);

#endif
