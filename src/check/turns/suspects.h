/* suspects.h - a few values that are a violation by themselves.
 *
 * A search that cannot place an operation goes back through all orders of what
 * came before, most of which have nothing to do with it.  Where values may be
 * left out with all their operations, what remains is a weakening.  So the value
 * of that operation is tried with one other at a time, and then with those that
 * are nearest in time: histories of a few operations, which are soon decided. */
#ifndef PLUMB_CHECK_TURNS_SUSPECTS_H
#define PLUMB_CHECK_TURNS_SUSPECTS_H

#include "check/decide_parts.h"

/* The events of the part before `prefix` were linearized, and no further.
 * `*ops` are operations of the history that are a violation without the other
 * values and reads, in `arena`; 0: none were found. */
void plumb_check_find_suspects(const struct plumb_check_case *c, uint32_t part,
                               uint32_t prefix, struct plumb_base_arena *arena,
                               const uint32_t **op, uint32_t *ops);

#endif
