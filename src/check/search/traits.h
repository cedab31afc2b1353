/* traits.h - what the deciders ask about each operation again and again,
 * worked out once: is it read-only, and which others are its twins?
 *
 * Twins have the same kind, arguments and answer (and thread, if the type looks
 * at it): whichever of two twins can take effect now, so can the other, and with
 * the same effect. */
#ifndef PLUMB_CHECK_SEARCH_TRAITS_H
#define PLUMB_CHECK_SEARCH_TRAITS_H

#include "spec/spec.h"

/* Of one operation: as it is, and with its response forgotten. */
struct plumb_check_trait {
    uint32_t twins;         /* class number, from 0                   */
    uint32_t pending_twins; /* class number among the same classes    */
    bool reads, pending_reads;
};

struct plumb_check_traits {
    const struct plumb_check_trait *trait; /* by operation of the history */
    uint32_t classes;
    bool pending_branches; /* some operation would, if it were pending */
};

/* In `arena`; false when the budget is used up. */
bool plumb_check_traits_make(const struct plumb_spec_bound *bound,
                             struct plumb_base_arena *arena,
                             struct plumb_check_traits *traits);

/* Is the action of a pending operation? */
static inline bool plumb_check_action_is_pending(
    const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_ANY;
}

#endif
