/* merge.h - one order from the orders of the parts. */
#ifndef PLUMB_CHECK_MERGE_H
#define PLUMB_CHECK_MERGE_H

#include "check/decide_parts.h"
#include "check/search.h"

/* Merge the orders found for the parts, all linearizable, into one of the
 * whole history, in `arena`.  False when memory is used up: `order` and
 * `count` are untouched. */
bool plumb_merge_orders(const struct plumb_case *c,
                        const struct plumb_finding *finding,
                        struct plumb_arena *arena, uint32_t **order,
                        uint32_t *count);

#endif
