/* live_queue.h - a queue of distinct values, event by event. */
#ifndef PLUMB_CHECK_LIVE_LIVE_QUEUE_H
#define PLUMB_CHECK_LIVE_LIVE_QUEUE_H

#include "live.h"

extern const struct plumb_check_live_class plumb_check_live_queue;

/* Its parameters are such that the class can follow it. */
bool plumb_check_live_queue_follows(const struct plumb_spec *spec);

#endif
