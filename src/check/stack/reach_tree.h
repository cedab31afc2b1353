/* reach_tree.h - which of the intervals that have begun reach a point?
 *
 * Intervals stand in the order in which they begin; each has an end.  The
 * largest ends of 16 neighbours, of 16 such groups, and so on, lead to the last
 * interval among the first `limit` whose end is at least p, in O(log n). */
#ifndef PLUMB_CHECK_STACK_REACH_TREE_H
#define PLUMB_CHECK_STACK_REACH_TREE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* No such interval. */
#define PLUMB_NO_REACH UINT32_MAX
/* The end of what is not there: it reaches nothing. */
#define PLUMB_REACHES_NONE INT32_MIN

enum { PLUMB_REACH_LEVELS = 8 };

struct plumb_check_reach {
    /* level[0]: the ends, for the caller to fill in before it is built. */
    int32_t *level[PLUMB_REACH_LEVELS];
    uint32_t size[PLUMB_REACH_LEVELS]; /* a multiple of 16 each */
    unsigned levels;
};

/* For `count` intervals, none there yet.  False when memory is used up. */
bool plumb_check_reach_init(struct plumb_check_reach *r,
                            struct plumb_base_arena *arena, uint32_t count);
bool plumb_check_reach_build(struct plumb_check_reach *r,
                             const struct plumb_budget *budget);

/* The last among first ... limit - 1; none before `first` reaches p. */
uint32_t plumb_check_reach_last(const struct plumb_check_reach *r,
                                uint32_t first, uint32_t limit, int32_t p);

/* Interval `i` ends earlier than before, or is gone. */
void plumb_check_reach_set(struct plumb_check_reach *r, uint32_t i,
                           int32_t end);

#endif
