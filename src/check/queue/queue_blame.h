/* queue_blame.h - few operations of a queue that are wrong by themselves. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_BLAME_H
#define PLUMB_CHECK_QUEUE_QUEUE_BLAME_H

#include "queue_prefix.h"

/* The events up to rank m->sure are wrong; `p` is used up.  Sets m->blame.
 * False when the budget is used up. */
bool plumb_check_queue_blame(struct plumb_check_queue_prefix *p,
                             struct plumb_check_monitoring *m);

#endif
