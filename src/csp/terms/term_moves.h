/* term_moves.h - the steps of a term, as far as they can be known at once.
 *
 * A term is *plain* if its steps in any state are found by evaluating formulas:
 * no channel, no reference to be resolved first, no operator of several
 * threads.  Its moves are worked out once, with every condition on the way to
 * an event put together in one guard. */
#ifndef PLUMB_CSP_TERMS_TERM_MOVES_H
#define PLUMB_CSP_TERMS_TERM_MOVES_H

#include "term_store.h"

struct plumb_csp_move {
    uint32_t guard;  /* PLUMB_NONE: always                               */
    uint32_t event;  /* PLUMB_UNKNOWN: the data of `prefix` are evaluated */
    uint32_t effect; /* 0: none                                          */
    uint32_t target; /* as built; normal once `settled`                  */
    uint32_t prefix; /* the term that was written                        */
    bool settled;
    bool program; /* an event with a program synchronises with nobody    */
    bool atomic;
};

#define PLUMB_NOT_PLAIN (UINT32_MAX - 1)

/* Are its moves known?  If it is plain they are move[node.moves] and on.  On
 * an error, which has no moves either, `*failed`. */
bool plumb_csp_term_is_plain(struct plumb_csp_terms *t, uint32_t term,
                             bool *failed, struct plumb_error *err);

/* The event of a prefix in a state; UINT32_MAX on an error. */
uint32_t plumb_csp_term_event(struct plumb_csp_terms *t, uint32_t prefix,
                              const uint32_t *globals, struct plumb_error *err);

/* Make the target of a move normal; false on an error. */
bool plumb_csp_term_settle_move(struct plumb_csp_terms *t, uint32_t move,
                                struct plumb_error *err);

/* Where the steps of a component go: a target is `stride` words, of which the
 * first `copied` are those of `state`, and [slot] is the term. */
struct plumb_csp_layout {
    const uint32_t *state;
    size_t copied, stride, slot;
};

/* The steps of a plain, acting term.  The owner of each is its move. */
enum plumb_status plumb_csp_term_moves_steps(
    struct plumb_csp_terms *t, uint32_t term,
    const struct plumb_csp_layout *layout, struct plumb_csp_steps *steps,
    struct plumb_error *err);

#endif
