/* pair_search.h - what the engines that go through pairs share.
 *
 * A pair is a state of the implementation and the set of states in which the
 * specification can be after the same trace.  Engines differ in which pairs
 * they keep, and in which order they expand them. */
#ifndef PLUMB_REFINE_ENGINES_PAIR_SEARCH_H
#define PLUMB_REFINE_ENGINES_PAIR_SEARCH_H

#include "counterexample.h"

struct plumb_refine_pair_search {
    const struct plumb_refine_task *task;
    struct plumb_budget *budget;
    struct plumb_csp_graph *impl;
    const struct plumb_refine_options *options;
    struct plumb_error *err;

    struct plumb_refine_spec_sets sets;
    struct plumb_refine_judge judge;
    uint32_t next;      /* the pair to be expanded             */
    uint32_t level_end; /* where those of its depth end        */
    uint32_t depth;
    uint64_t transitions;
    uint64_t watched; /* sets.work when the clock was looked at last */
    struct plumb_csp_edge *copy; /* of a state's edges, if the graphs are one */
    size_t copy_room;
};

/* The task has to outlive the search. */
void plumb_refine_pair_search_init(struct plumb_refine_pair_search *s,
                                   const struct plumb_refine_task *task);
void plumb_refine_pair_search_release(struct plumb_refine_pair_search *s);

/* A successor of the pair that is expanded; false when the budget refuses. */
typedef bool plumb_refine_meet_pair(struct plumb_refine_pair_search *s,
                                    uint32_t pair, uint32_t state,
                                    uint32_t set);

/* Expand the pair with this number: `meet` its successors, unless it offends. */
enum plumb_status plumb_refine_pair_search_expand(
    struct plumb_refine_pair_search *s, uint32_t number, uint64_t pair,
    plumb_refine_meet_pair *meet, struct plumb_refine_offending *o);

/* After so many pairs, or so much work on sets: is there time to go on?  Who
 * wants to know is told how far it is. */
static inline bool plumb_refine_pair_search_is_due(
    const struct plumb_refine_pair_search *s)
{
    return s->next % 8192 == 8191 || s->sets.work - s->watched > 1 << 20;
}
enum plumb_status plumb_refine_pair_search_look_up(
    struct plumb_refine_pair_search *s, const char *phase, uint64_t done);

/* The search is over, and this is what offends: decide the task.  The
 * counterexample goes along line[0 .. count), which is released. */
enum plumb_status plumb_refine_pair_search_decide(
    struct plumb_refine_pair_search *s, const struct plumb_refine_pairs *pairs,
    uint32_t *line, uint32_t count, const struct plumb_refine_offending *o);

#endif
