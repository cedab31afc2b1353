/* tape_cut.h - some operations of a tape, as a tape of their own. */
#ifndef PLUMB_CHECK_TAPE_CUT_H
#define PLUMB_CHECK_TAPE_CUT_H

#include "check/tape.h"

/* `pick` are indexes of `from`, ascending.  Ranks stay as they are, first words
 * are numbered again, and op[i].op is from->op[pick[i]].op: start with a tape on
 * which op[i].op is i, and it leads back there.  Time follows the events and
 * values of `from`.  False when memory is used up. */
bool plumb_tape_cut(const struct plumb_tape *from, const uint32_t *pick,
                    uint32_t count, struct plumb_arena *arena,
                    struct plumb_tape *to);

#endif
