/* live_register_intervals.h - a register whose values are each written once at a time, event
 * by event.  As a machine (live.h), but for what is passed at opening. */
#ifndef PLUMB_CHECK_LIVE_LIVE_REGISTER_INTERVALS_H
#define PLUMB_CHECK_LIVE_LIVE_REGISTER_INTERVALS_H

#include "live.h"
#include "live_numbers.h"

void *plumb_check_live_intervals_open(struct plumb_check_live_talk *talk,
                                      struct plumb_check_live_users *users);
void plumb_check_live_intervals_close(void *machine);
plumb_check_live_event plumb_check_live_intervals_call,
    plumb_check_live_intervals_ret, plumb_check_live_intervals_info,
    plumb_check_live_intervals_fail;

#endif
