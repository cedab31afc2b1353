/* live_register_intervals.h - a register whose values are each written once at a time, event
 * by event.  As a machine (live.h), but for what is passed at opening. */
#ifndef PLUMB_CHECK_LIVE_LIVE_REGISTER_INTERVALS_H
#define PLUMB_CHECK_LIVE_LIVE_REGISTER_INTERVALS_H

#include "live.h"
#include "live_users.h"

void *plumb_check_live_intervals_open(struct plumb_check_live_talk *talk,
                                      struct plumb_check_live_users *users);
void plumb_check_live_intervals_close(void *machine);
enum plumb_check_live_word plumb_check_live_intervals_call(
    void *machine, struct plumb_check_live_op *o);
enum plumb_check_live_word plumb_check_live_intervals_ret(
    void *machine, struct plumb_check_live_op *o, uint64_t now);
enum plumb_check_live_word plumb_check_live_intervals_info(
    void *machine, struct plumb_check_live_op *o);
enum plumb_check_live_word plumb_check_live_intervals_fail(
    void *machine, struct plumb_check_live_op *o);

#endif
