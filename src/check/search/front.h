/* front.h - what an object may be after some operations: a set of states.
 *
 * Deciders see one number per set and at most one successor per operation, so
 * they need not know about nondeterminism (the power-set construction).  Where
 * no operation of the history can branch, a set is its only state and costs
 * nothing. */
#ifndef PLUMB_CHECK_FRONT_H
#define PLUMB_CHECK_FRONT_H

#include "spec/spec.h"

typedef uint32_t plumb_front_id;
#define PLUMB_NO_FRONT UINT32_MAX

struct plumb_fronts {
    struct plumb_space space;
    bool sets; /* some operation may branch: ids number sets, not states */
    struct plumb_states out;
    /* sets: number i is count[i] sorted states at member[i] */
    struct plumb_arena arena;
    plumb_state **member;
    uint32_t *count;
    size_t fronts, member_capacity, count_capacity;
    uint32_t *slot; /* open addressing: set + 1, or 0 */
    size_t slots;
    uint64_t steps; /* of the specification, in all */
};

bool plumb_fronts_open(struct plumb_fronts *f, const struct plumb_bound *bound,
                       bool sets, struct plumb_budget *budget);
void plumb_fronts_close(struct plumb_fronts *f);

/* PLUMB_NO_FRONT when memory is used up. */
plumb_front_id plumb_fronts_initial(struct plumb_fronts *f);

/* `*next` is what `from` becomes by `a`, PLUMB_NO_FRONT if none of its states
 * allows it.  False when memory is used up. */
bool plumb_fronts_step(struct plumb_fronts *f, plumb_front_id from,
                       const struct plumb_action *a, plumb_front_id *next);

/* Is every state of `a` one of `b`? */
bool plumb_fronts_within(const struct plumb_fronts *f, plumb_front_id a,
                         plumb_front_id b);

#endif
