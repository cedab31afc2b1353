/* state_sets.h - what an object may be after some operations: a set of states.
 *
 * Deciders see one number per set and at most one successor per operation, so
 * they need not know about nondeterminism (the power-set construction).  Where
 * no operation of the history can branch, a set is its only state and costs
 * nothing. */
#ifndef PLUMB_CHECK_SEARCH_STATE_SETS_H
#define PLUMB_CHECK_SEARCH_STATE_SETS_H

#include "base/number_lists.h"
#include "spec/spec.h"

typedef uint32_t plumb_check_state_set;
#define PLUMB_NO_STATE_SET UINT32_MAX

struct plumb_check_state_sets {
    struct plumb_spec_space space;
    bool sets; /* some operation may branch: ids number sets, not states */
    bool told; /* some actions are calls and returns */
    struct plumb_spec_states out;
    struct plumb_base_lists set; /* sorted states */
    uint64_t steps;              /* of the specification, in all */
};

bool plumb_check_state_sets_open(struct plumb_check_state_sets *f,
                                 const struct plumb_spec_bound *bound,
                                 bool sets, struct plumb_budget *budget);
void plumb_check_state_sets_close(struct plumb_check_state_sets *f);

/* PLUMB_NO_STATE_SET when memory is used up. */
plumb_check_state_set plumb_check_state_sets_initial(
    struct plumb_check_state_sets *f);

/* `*next` is what `from` becomes by `a`, PLUMB_NO_STATE_SET if none of its states
 * allows it.  False when memory is used up. */
bool plumb_check_state_sets_step(struct plumb_check_state_sets *f,
                                 plumb_check_state_set from,
                                 const struct plumb_spec_action *a,
                                 plumb_check_state_set *next);

/* Is every state of `a` one of `b`? */
bool plumb_check_state_sets_within(const struct plumb_check_state_sets *f,
                                   plumb_check_state_set a,
                                   plumb_check_state_set b);

#endif
