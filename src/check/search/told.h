/* told.h - calls and returns as items, where the type is told of them.
 *
 * Each is an instant, before and behind which operations take effect: an item
 * that has to be placed like any other.  So nobody who orders items need know
 * about them.  The rank r of the history is PLUMB_TOLD_RANKS * r in such a part:
 * that leaves room for an instant to have an end, and for operations that take
 * effect between two instants.
 *
 *     rank in the part          4r  4r+1  4r+2 .. 4s-1  4s  4s+1
 *     called at r               [-----]
 *     takes effect                         [--------]
 *     returned at s                                     [-----]     */
#ifndef PLUMB_CHECK_SEARCH_TOLD_H
#define PLUMB_CHECK_SEARCH_TOLD_H

#include "part.h"

enum { PLUMB_TOLD_RANKS = 4 };

/* The rank in the history. */
static inline uint32_t plumb_check_part_rank(const struct plumb_check_part *p,
                                             uint32_t rank)
{
    return !p->told || rank == PLUMB_NEVER ? rank
                                           : (rank + 1) / PLUMB_TOLD_RANKS;
}

/* How many items has an operation? */
uint32_t plumb_check_told_items(const struct plumb_spec_type *type,
                                const struct plumb_spec_action *a);

/* Add those of operation i to its part.  False when memory is used up, or there
 * are too many ranks. */
bool plumb_check_told_add(const struct plumb_spec_bound *b, uint32_t i,
                          struct plumb_base_arena *arena,
                          struct plumb_check_part *p);

/* When all are there: by call.  False when the budget is used up. */
bool plumb_check_told_sort(struct plumb_check_part *p,
                           struct plumb_budget *budget);

#endif
