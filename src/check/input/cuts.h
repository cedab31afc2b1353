/* cuts.h - a long history in pieces that have nothing to do with each other.
 *
 * Where no operation is open, and as many items were added as were removed, a
 * container is empty, however the operations before are ordered.  So what comes
 * before and what comes behind are histories by themselves, each from an empty
 * container: the whole is linearizable iff both are, and their orders one after
 * the other are an order of the whole. */
#ifndef PLUMB_CHECK_INPUT_CUTS_H
#define PLUMB_CHECK_INPUT_CUTS_H

#include "base/arena.h"
#include "spec/spec.h"

/* Piece i has the operations from[i] ... from[i + 1] - 1 of the history. */
struct plumb_check_cuts {
    uint32_t *from;
    uint32_t pieces;
};

/* Pieces shorter than this do not pay. */
enum { PLUMB_LEAST_PIECE = 1 << 16 };

/* Into pieces of at least `least` operations: a single one where the history
 * has several objects, or its type is not a container.  They depend on the
 * history alone.  In `arena`; false when memory is used up. */
bool plumb_check_cuts_find(const struct plumb_history *h,
                           const struct plumb_spec *spec, uint32_t least,
                           struct plumb_base_arena *arena,
                           struct plumb_check_cuts *cuts);

/* A piece as a history: operation i is number from[piece] + i of the whole, and
 * its event of rank r is that of rank *rank + r.  In `arena`, and it refers to
 * `h`; false when memory is used up. */
bool plumb_check_cuts_piece(const struct plumb_history *h,
                            const struct plumb_check_cuts *cuts, uint32_t piece,
                            struct plumb_base_arena *arena,
                            struct plumb_history *part, uint32_t *rank);

#endif
