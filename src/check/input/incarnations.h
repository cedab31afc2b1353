/* incarnations.h - a value that is used again is another value.
 *
 * Monitors of containers want every value to be added once.  Programs use few
 * values again and again.  Where all that was added of a value has been removed,
 * and no operation on it is open, what follows has nothing to do with what was
 * before: from there on the value can be called by another name. */
#ifndef PLUMB_CHECK_INPUT_INCARNATIONS_H
#define PLUMB_CHECK_INPUT_INCARNATIONS_H

#include "base/arena.h"
#include "monitor_input.h"

/* Rename word 0 of all operations of the tape, whose operations are op[]; a
 * smaller value stays smaller.  Nothing is done if no value is added twice.
 * False when memory is used up. */
bool plumb_check_incarnations(struct plumb_check_input *tape,
                              struct plumb_check_input_op *op,
                              struct plumb_base_arena *scratch);

#endif
