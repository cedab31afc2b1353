/* accept_word.h - a temporal formula on one word that goes round.
 *
 * For the verifier alone: straight from the definitions, no automaton. */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_WORD_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_WORD_H

#include "refine/temporal.h"

/* letter[i] has a bit for each atom that holds at position i.  After the last
 * position comes `back`, and so on for ever. */
struct plumb_refine_word {
    const uint64_t *letter;
    size_t positions, back;
};

/* Does the formula hold at position 0? */
enum plumb_status plumb_refine_word_satisfies(
    const struct plumb_refine_word *w, const struct plumb_refine_ltl *formula,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

#endif
