/* refusals.h - does a pair go wrong by itself, before any event?
 *
 * A pair is a state of the implementation and the set of states where the
 * specification can be.  Failures: the state, if it is stable, offers some
 * events and refuses all others; some stable member of the set must offer
 * nothing more, or it could not refuse as much.  Divergences: the state must
 * not diverge unless a member does; and then everything is allowed. */
#ifndef PLUMB_MODEL_REFUSALS_H
#define PLUMB_MODEL_REFUSALS_H

#include "base/pace.h"
#include "divergence.h"
#include "base/number_lists.h"
#include "refine/engines/refine.h"
#include "refine/engines/spec_sets.h"

struct plumb_set_view;

struct plumb_judge {
    struct plumb_budget *budget;
    struct plumb_graph *impl;
    struct plumb_spec_sets *sets;
    enum plumb_semantics semantics;
    struct plumb_divergence impl_divergence, spec_divergence;
    struct plumb_lists offers; /* sets of events, sorted */
    uint32_t *offer;           /* of states of the implementation */
    size_t offer_room, offer_count;
    struct plumb_set_view *view; /* of sets */
    size_t view_room, views;
    uint32_t *acceptance; /* of all sets: numbers of minimal offers */
    size_t acceptances, acceptance_room;
    uint32_t *scratch;
    size_t scratch_room;
    struct plumb_pace pace;
};

void plumb_judge_init(struct plumb_judge *j, struct plumb_graph *impl,
                      struct plumb_spec_sets *sets,
                      enum plumb_semantics semantics,
                      struct plumb_budget *budget);
void plumb_judge_release(struct plumb_judge *j);

struct plumb_finding_of_pair {
    enum plumb_offence offence;
    bool anything; /* is allowed from here on */
};

/* Not asked for traces: there a pair alone is never wrong. */
enum plumb_status plumb_judge_pair(struct plumb_judge *j, uint32_t state,
                                   uint32_t set,
                                   struct plumb_finding_of_pair *f,
                                   struct plumb_error *err);

#endif
