/* monitor_input_cut.h - some operations of a tape, as a tape of their own. */
#ifndef PLUMB_CHECK_INPUT_MONITOR_INPUT_CUT_H
#define PLUMB_CHECK_INPUT_MONITOR_INPUT_CUT_H

#include "monitor_input.h"

/* `pick` are indexes of `from`, ascending.  Ranks and origins stay as they are,
 * first words are numbered again.  Takes as long as `from` has events and
 * values.  False when memory is used up. */
bool plumb_check_input_cut(const struct plumb_check_input *from,
                           const uint32_t *pick, uint32_t count,
                           struct plumb_base_arena *arena,
                           struct plumb_check_input *to);

#endif
