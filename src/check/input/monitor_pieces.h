/* monitor_pieces.h - a monitor over the pieces of a long history. */
#ifndef PLUMB_CHECK_INPUT_MONITOR_PIECES_H
#define PLUMB_CHECK_INPUT_MONITOR_PIECES_H

#include "monitor.h"

/* As plumb_check_monitor_cut(), unless *declined is set: then it has to be decided as
 * a whole, because there are no cuts in it, or a monitor declines a piece
 * before any that is a violation.  `out` is empty at first. */
bool plumb_check_monitor_pieces(const struct plumb_history *h,
                                const struct plumb_spec *spec, unsigned jobs,
                                uint32_t least, struct plumb_base_arena *arena,
                                struct plumb_check_monitored *out,
                                bool *declined);

#endif
