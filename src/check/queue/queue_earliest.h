/* queue_earliest.h - since which event it is no queue, and who is to blame. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_EARLIEST_H
#define PLUMB_CHECK_QUEUE_QUEUE_EARLIEST_H

#include "queue_view.h"

/* All events together are wrong, and the answers of all operations are not
 * before rank `from`.  `view` is of all events.  Sets maybe, sure and blame of
 * `m`, or declined; false when the budget is used up. */
bool plumb_check_queue_earliest(const struct plumb_check_queue_view *view,
                                struct plumb_check_monitoring *m,
                                uint32_t from);

#endif
