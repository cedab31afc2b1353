/* open_operations.h - who is in the middle of an operation, for weak answers.
 *
 * Entries of the state's table, by whose operation it is and what it does:
 *
 *   ADDS     its item is there, at a place
 *   FREED    it took an item out of a slot, which is at a place among those that
 *            are free, the one to be used next at 0
 *   HOLDS    it has a node for an item that it is going to add
 *   LOOKS    a removal; so many items that it may not overlook are more than
 *            the removals that overlap it
 *   REACHES  of such a one whose number is not 0: the items before this place
 *            were there when it was called
 *   SKIPS    and of these, one was not complete: its place is added */
#ifndef PLUMB_PROOF_WEAK_OPEN_OPERATIONS_H
#define PLUMB_PROOF_WEAK_OPEN_OPERATIONS_H

#include "proof/plain.h"

enum plumb_proof_open {
    OPEN_ADDS,
    OPEN_FREED,
    OPEN_HOLDS,
    OPEN_LOOKS,
    OPEN_REACHES,
    OPEN_SKIPS /* + the place */
};

static inline struct plumb_value plumb_proof_open_key(unsigned whose)
{
    return plumb_int((int64_t)whose);
}

/* NULL: it does not do that. */
static inline struct plumb_proof_plain_entry *plumb_proof_open_find(
    const struct plumb_proof_plain_state *s, unsigned whose, uint64_t what)
{
    return plumb_proof_plain_find(&s->table, plumb_proof_open_key(whose),
                                  plumb_int((int64_t)what));
}

/* From now on it does.  False when memory is used up. */
bool plumb_proof_open_begin(struct plumb_proof_plain *p,
                            struct plumb_proof_plain_state *s, unsigned whose,
                            uint64_t what, uint64_t place);
/* From now on it does not, if it did. */
void plumb_proof_open_end(struct plumb_proof_plain *p,
                          struct plumb_proof_plain_state *s, unsigned whose,
                          uint64_t what);

/* How many do; and whether one does at this place. */
uint64_t plumb_proof_open_count(const struct plumb_proof_plain_state *s,
                                uint64_t what);
bool plumb_proof_open_at(const struct plumb_proof_plain_state *s, uint64_t what,
                         uint64_t place);

/* The place 0 is gone: whoever was there is forgotten, the others move up. */
void plumb_proof_open_move_up(struct plumb_proof_plain *p,
                              struct plumb_proof_plain_state *s, uint64_t what);

#endif
