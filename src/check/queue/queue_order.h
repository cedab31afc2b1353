/* queue_order.h - the order in which a queue's values came and went. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_ORDER_H
#define PLUMB_CHECK_QUEUE_QUEUE_ORDER_H

#include "queue_view.h"

/* Values in the order of the queue, and the place of each. */
struct plumb_check_queue_order {
    uint32_t *line, *place;
    uint32_t count;
    /* The earliest return by which something is wrong, or PLUMB_NEVER. */
    uint32_t wrong_at;
};

/* Open removes are taken not to have happened; a value without a remove never
 * leaves.  In `arena`.  False when the budget is used up. */
bool plumb_check_queue_line_up(struct plumb_check_queue_view *view,
                               struct plumb_base_arena *arena,
                               struct plumb_check_queue_order *order);

/* The operations in an order in which they may have taken effect, if nothing
 * is wrong: into m->order.  False when the budget is used up. */
bool plumb_check_queue_witness(const struct plumb_check_queue_view *view,
                               const struct plumb_check_queue_order *order,
                               struct plumb_check_monitoring *m);

#endif
