/* ltl_automaton.h - the automaton of a formula, made as it is looked at.
 *
 * A state is a set of formulas that have to hold from here on.  A move reads
 * one configuration (which atoms hold), and leads to what has to hold from the
 * next one on.  A word is accepted if it can be read for ever such that for
 * each until of the formula there are moves again and again that do not
 * *promise* it: that is, that do not put off its right side. */
#ifndef PLUMB_REFINE_LTL_LTL_AUTOMATON_H
#define PLUMB_REFINE_LTL_LTL_AUTOMATON_H

#include "ltl.h"

struct plumb_refine_ltl_move {
    uint64_t wants, forbids; /* atoms that have to hold, or not to       */
    uint64_t promises;       /* untils that are put off                  */
    uint32_t target;
};

struct plumb_refine_ltl_automaton;

/* Of the words for which `formula` does *not* hold.  State 0 is initial. */
enum plumb_status plumb_refine_ltl_automaton_open(
    struct plumb_refine_ltl_automaton **a,
    const struct plumb_refine_formula *formula, struct plumb_budget *budget,
    struct plumb_error *err);
void plumb_refine_ltl_automaton_free(struct plumb_refine_ltl_automaton *a);

/* A bit for each until. */
uint64_t plumb_refine_ltl_automaton_untils(
    const struct plumb_refine_ltl_automaton *a);

/* The moves of a state, until the next call; NULL if memory is refused or time
 * is up. */
const struct plumb_refine_ltl_move *plumb_refine_ltl_automaton_moves(
    struct plumb_refine_ltl_automaton *a, uint32_t state, uint32_t *count);

#endif
