/* refusals.h - does a pair go wrong by itself, before any event?
 *
 * A pair is a state of the implementation and the set of states where the
 * specification can be.  Failures: the state, if it is stable, offers some
 * events and refuses all others; some stable member of the set must offer
 * nothing more, or it could not refuse as much.  Divergences: the state must
 * not diverge unless a member does; and then everything is allowed. */
#ifndef PLUMB_REFINE_PROPERTIES_REFUSALS_H
#define PLUMB_REFINE_PROPERTIES_REFUSALS_H

#include "base/number_lists.h"
#include "base/pace.h"
#include "divergence.h"
#include "refine/engines/refine.h"
#include "refine/engines/spec_sets.h"

struct plumb_refine_set_view;

struct plumb_refine_judge {
    struct plumb_budget *budget;
    struct plumb_csp_graph *impl;
    struct plumb_refine_spec_sets *sets;
    enum plumb_refine_semantics semantics;
    struct plumb_refine_divergence impl_divergence, spec_divergence;
    struct plumb_base_lists offers; /* sets of events, sorted */
    uint32_t *offer;                /* of states of the implementation */
    size_t offer_room, offer_count;
    struct plumb_refine_set_view *view; /* of sets */
    size_t views;
    uint32_t *acceptance; /* of all sets: numbers of minimal offers */
    size_t acceptances, acceptance_room;
    uint32_t *scratch;
    size_t scratch_room;
    struct plumb_base_pace pace;
};

void plumb_refine_judge_init(struct plumb_refine_judge *j,
                             struct plumb_csp_graph *impl,
                             struct plumb_refine_spec_sets *sets,
                             enum plumb_refine_semantics semantics,
                             struct plumb_budget *budget);
void plumb_refine_judge_release(struct plumb_refine_judge *j);

struct plumb_refine_finding_of_pair {
    enum plumb_refine_offence offence;
    bool anything; /* is allowed from here on */
};

/* Not asked for traces: there a pair alone is never wrong. */
enum plumb_status plumb_refine_judge_pair(
    struct plumb_refine_judge *j, uint32_t state, uint32_t set,
    struct plumb_refine_finding_of_pair *f, struct plumb_error *err);

#endif
