/* merge.h - one order from the orders of the parts. */
#ifndef PLUMB_CHECK_MERGE_H
#define PLUMB_CHECK_MERGE_H

#include "base/arena.h"
#include <plumb/history.h>
#include <stdbool.h>

/* Operations of one part in the order they took effect. */
struct plumb_check_order {
    const uint32_t *op;
    uint32_t count;
};

/* Merge the orders of parts into one of the whole history, in `arena`.  False
 * when memory is used up: `merged` and `total` are untouched. */
bool plumb_check_merge_orders(const struct plumb_history *h,
                              const struct plumb_check_order *order,
                              size_t orders, struct plumb_base_arena *arena,
                              uint32_t **merged, uint32_t *total);

#endif
