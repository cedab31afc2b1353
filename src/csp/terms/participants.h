/* participants.h - the processes that fairness is about.
 *
 * They are the operands of ||| and ||, and the copies of |||{n}, of the
 * composition that a process is at the moment: seen through references,
 * hiding, atomic { }, the first part of P;Q and of an interrupt, and tests whose
 * answer is known; not through a choice or a guard, which are not made yet.  A
 * composition that is an operand itself counts by its own operands, if it is
 * one when the outer one begins.  What an operand becomes later is still one
 * process, and so is a copy, whatever it is.  Where there is no composition,
 * nobody takes part.
 *
 * Operands are known by their *place*, from left to right, so that of two
 * compositions that follow each other the first operands are the same process.
 * The copies in one term are together as good as a process: it can act if one of
 * them can, and takes part if one does (docs/how-verification-works.md, 5, has
 * the proof).
 *
 * That an operand has become a composition later is seen by an INTERLEAVE of it
 * alone, which is put around it (plumb_csp_participant_put): the only difference
 * that fairness makes to terms. */
#ifndef PLUMB_CSP_TERMS_PARTICIPANTS_H
#define PLUMB_CSP_TERMS_PARTICIPANTS_H

#include "term_steps.h"

enum { PLUMB_MOST_PARTICIPANTS = 64 };

struct plumb_csp_participant {
    uint32_t place;
    uint32_t copy; /* the term of a copy, else PLUMB_NO_TERM */
};

/* Numbered as they are met.  Those that are too many share the last number. */
struct plumb_csp_participants {
    struct plumb_csp_participant known[PLUMB_MOST_PARTICIPANTS];
    uint32_t count;
    bool too_many;
    bool copies; /* some of them are */
};

uint64_t plumb_csp_participants_bit(struct plumb_csp_participants *who,
                                    uint32_t place, uint32_t copy);

/* Is a term, as it stands in a state, a composition?  On an error it is none,
 * and `*failed`.  How many places are in it: 1 if it is none, 0 on an error. */
bool plumb_csp_participants_are_in(struct plumb_csp_terms *t, uint32_t term,
                                   bool *failed, struct plumb_error *err);
uint32_t plumb_csp_participants_places(struct plumb_csp_terms *t, uint32_t term,
                                       struct plumb_error *err);

/* Add the steps of an operand that stands at `place`. */
enum plumb_status plumb_csp_participant_go(struct plumb_csp_stepping *g,
                                           uint32_t term, uint32_t place);

/* All steps from `from` on are those of `bit`. */
void plumb_csp_participants_mark(struct plumb_csp_steps *steps, uint32_t from,
                                 uint64_t bit);

/* What an operand `before` has become, as it is put where that was. */
uint32_t plumb_csp_participant_put(struct plumb_csp_terms *t, uint32_t before,
                                   uint32_t after, struct plumb_error *err);

/* Is the answer of a GUARD or an IFA known?  Then what it stands for, else
 * PLUMB_NO_TERM. */
uint32_t plumb_csp_participants_settled_test(const struct plumb_csp_terms *t,
                                             uint32_t term);

#endif
