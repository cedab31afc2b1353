/* live_zones.h - a register whose values are each written once at a time, event
 * by event.  As a machine (live.h), but for what is passed at opening. */
#ifndef PLUMB_CHECK_LIVE_ZONES_H
#define PLUMB_CHECK_LIVE_ZONES_H

#include "live.h"
#include "live_users.h"

void *plumb_live_zones_open(struct plumb_live_talk *talk,
                            struct plumb_live_users *users);
void plumb_live_zones_close(void *machine);
enum plumb_live_word plumb_live_zones_call(void *machine,
                                           struct plumb_live_op *o);
enum plumb_live_word plumb_live_zones_ret(void *machine,
                                          struct plumb_live_op *o,
                                          uint64_t now);
enum plumb_live_word plumb_live_zones_info(void *machine,
                                           struct plumb_live_op *o);
enum plumb_live_word plumb_live_zones_fail(void *machine,
                                           struct plumb_live_op *o);

#endif
