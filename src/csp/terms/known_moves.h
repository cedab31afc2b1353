/* known_moves.h - what was worked out about terms and moves, once and for all.
 *
 * For successors.c.  Threads may look at it as long as nobody learns; what is
 * learnt is never unlearnt. */
#ifndef PLUMB_CSP_TERMS_KNOWN_MOVES_H
#define PLUMB_CSP_TERMS_KNOWN_MOVES_H

#include "compiled_moves.h"
#include "csp/states/system_shape.h"
#include "term_moves.h"

enum plumb_csp_known_kind {
    PLUMB_NOT_ASKED,
    PLUMB_MOVING,    /* it is plain: its moves are known   */
    PLUMB_REFERRING, /* arguments are to be evaluated first */
    PLUMB_SLOW
};

/* What is known of a term as it stands in a state. */
struct plumb_csp_known_term {
    uint32_t acting;
    uint32_t first, count; /* its moves */
    enum plumb_csp_known_kind kind;
    plumb_csp_native_term *native; /* the same, compiled; or NULL */
};

/* The slots that a move may write, in order. */
struct plumb_csp_known_writes {
    uint32_t first, count;
    bool known;
};

/* What a move of a component is in any state: its event as it is seen from
 * outside, and where it leads. */
struct plumb_csp_known_step {
    uint32_t of; /* the component, plus one; 0: not known */
    uint32_t event, target;
};

struct plumb_csp_known {
    struct plumb_csp_system *system;
    struct plumb_csp_terms *t;
    struct plumb_budget *budget;
    struct plumb_csp_known_term *term; /* by number */
    size_t terms;
    struct plumb_csp_known_writes *writes; /* by number of the move */
    size_t moves;
    struct plumb_csp_known_step *step; /* likewise */
    size_t steps;
    uint32_t *slot; /* what writes[] is about */
    size_t slots, slot_capacity;
    uint64_t *bits;   /* room for a set of globals, twice */
    bool *joined;     /* by component: some of its events may be others' too */
    size_t most_said; /* by what is compiled, of one term */
};

/* To be closed in any case; false when memory is refused. */
bool plumb_csp_known_open(struct plumb_csp_known *k, struct plumb_csp_system *s,
                          struct plumb_budget *budget);
void plumb_csp_known_close(struct plumb_csp_known *k);

/* NULL if it is not known yet. */
static inline const struct plumb_csp_known_term *plumb_csp_known_term(
    const struct plumb_csp_known *k, uint32_t number)
{
    return number < k->terms && k->term[number].kind != PLUMB_NOT_ASKED
               ? &k->term[number]
               : NULL;
}

static inline const struct plumb_csp_known_writes *plumb_csp_known_writes(
    const struct plumb_csp_known *k, uint32_t move)
{
    return move < k->moves && k->writes[move].known ? &k->writes[move] : NULL;
}

static inline const struct plumb_csp_known_step *plumb_csp_known_step(
    const struct plumb_csp_known *k, uint32_t component, uint32_t move)
{
    return move < k->steps && k->step[move].of == component + 1 ? &k->step[move]
                                                                : NULL;
}

/* False when memory is refused. */
bool plumb_csp_learn_step(struct plumb_csp_known *k, uint32_t component,
                          uint32_t move, uint32_t event, uint32_t target);

/* The same, worked out if need be; NULL when memory is refused. */
const struct plumb_csp_known_term *plumb_csp_learn_term(
    struct plumb_csp_known *k, uint32_t number, struct plumb_error *err);
const struct plumb_csp_known_writes *plumb_csp_learn_writes(
    struct plumb_csp_known *k, uint32_t move, struct plumb_error *err);
void plumb_csp_learn_compiled(struct plumb_csp_known *k,
                              const struct plumb_csp_native_entry *table);

#endif
