/* part.h - what a decider is given: some operations of one history.
 *
 * A part holds the operations on one object, or on one key of it, by call
 * rank.  Linearizability is local, so a history is linearizable iff each of its
 * parts is.  A weakening of a part (check/shrink.c) is a part again. */
#ifndef PLUMB_CHECK_SEARCH_PART_H
#define PLUMB_CHECK_SEARCH_PART_H

#include "spec/spec.h"

/* An operation, or a step of one: the steps of an operation stand together, in
 * order.  `action` says what it did.  The action's ranks are not used:
 * a weakened operation has its own `ret`.
 */
struct plumb_check_part_item {
    const struct plumb_spec_action *action;
    uint32_t op; /* index in the history */
    uint32_t call, ret;
};

struct plumb_check_part {
    struct plumb_check_part_item *item;
    uint32_t count;
    uint32_t object;
    bool told; /* calls and returns are items, too: told.h */
};

struct plumb_check_parts {
    struct plumb_check_part *part;
    uint32_t count;
};

/* Split by object, and unless `whole`, by key where all operations on the
 * object have one.  In the order of their first calls.  The result lives in
 * `arena`; false when the budget is used up. */
bool plumb_check_partition(const struct plumb_spec_bound *bound, bool whole,
                           struct plumb_base_arena *arena,
                           struct plumb_check_parts *parts);

#endif
