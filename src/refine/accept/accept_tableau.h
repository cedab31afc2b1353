/* accept_tableau.h - what may be claimed of a run, position by position.
 *
 * For the verifier alone.  A *claim* says, for each temporal operator of a
 * formula that matters from here on, whether it is true at the next position.
 * At that position its letter and the next claim make every part true or
 * false, so a step from one claim to the next can be checked at once.  What
 * cannot is a promise that is put off for ever: of each step it is said which
 * operators it leaves in order.  A sequence of steps in which every operator is
 * left in order again and again claims what is true, and each run has exactly
 * one of those.
 *
 * This is not the automaton that ltl_automaton.h makes: that has what has to
 * hold, with choices; this has truth values of everything. */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_TABLEAU_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_TABLEAU_H

#include "refine/temporal.h"

enum { PLUMB_MOST_OPERATORS = 12, PLUMB_MOST_LETTERS = 256 };

/* A step: the claim it leads to, and the operators it leaves in order. */
struct plumb_refine_claim_step {
    uint32_t claim, kept;
};

struct plumb_refine_claim_steps {
    uint32_t *first; /* of each claim's truth values; NULL: not made yet */
    struct plumb_refine_claim_step *step;
    uint32_t count;
};

struct plumb_refine_tableau {
    struct plumb_budget *budget;
    const struct plumb_refine_ltl *root;
    const struct plumb_refine_ltl *op[PLUMB_MOST_OPERATORS];
    uint32_t ops;
    /* Which operators matter at the beginning, after one step, ...; the last
     * is what matters from then on. */
    uint32_t matters[PLUMB_MOST_OPERATORS + 2];
    uint32_t stages;
    uint64_t letter[PLUMB_MOST_LETTERS];
    uint32_t letters;
    struct plumb_refine_claim_steps *table; /* by letter and stage */
    struct plumb_refine_claim_steps begin;
};

/* PLUMB_END if the formula has too many operators. */
enum plumb_status plumb_refine_tableau_open(struct plumb_refine_tableau *t,
                                            const struct plumb_refine_ltl *root,
                                            struct plumb_budget *budget,
                                            struct plumb_error *err);
void plumb_refine_tableau_close(struct plumb_refine_tableau *t);

/* A number for a letter; PLUMB_MOST_LETTERS if there are too many. */
uint32_t plumb_refine_tableau_letter(struct plumb_refine_tableau *t,
                                     uint64_t letter);

/* The claims at the first position, which has `letter`, by which the formula is
 * false there.  NULL if memory is refused, as below. */
const struct plumb_refine_claim_step *plumb_refine_tableau_begin(
    struct plumb_refine_tableau *t, uint32_t letter, uint32_t *count);

/* The steps from `claim` to a position with `letter`. */
const struct plumb_refine_claim_step *plumb_refine_tableau_steps(
    struct plumb_refine_tableau *t, uint32_t claim, uint32_t letter,
    uint32_t *count);

/* Nothing is claimed any more. */
bool plumb_refine_tableau_is_settled(const struct plumb_refine_tableau *t,
                                     uint32_t claim);

/* The operators that have to be left in order again and again. */
uint32_t plumb_refine_tableau_wanted(const struct plumb_refine_tableau *t);

#endif
