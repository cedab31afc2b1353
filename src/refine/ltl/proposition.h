/* proposition.h - what goals and formulas say about states and events. */
#ifndef PLUMB_REFINE_LTL_PROPOSITION_H
#define PLUMB_REFINE_LTL_PROPOSITION_H

#include "csp/states/system.h"
#include "ltl.h"
#include "refine/properties/examine.h"

/* Looks at states of one graph; to be closed in any case. */
struct plumb_refine_propositions {
    struct plumb_csp_world *world;
    const struct plumb_csp_system *system;
    struct plumb_csp_numbering *numbering;
    uint32_t *vector; /* of the state looked at last: its slots */
    uint32_t slots, state;
    struct plumb_csp_steps steps; /* of `stepped` */
    uint32_t stepped;
    struct plumb_csp_place asserted; /* where the formula is */
    uint32_t goal, optimised;        /* formulas */
    const struct plumb_refine_formula *formula;
    struct plumb_refine_atom_meaning *meaning; /* of each atom of it */
};

/* An atom of a formula: a proposition, or an event by its text. */
struct plumb_refine_atom_meaning {
    bool proposition;
    uint32_t number;  /* the formula (formulas.h), or the event if known     */
    uint32_t looked;  /* events below this number were compared with it      */
    const char *text; /* of the event                                        */
};

enum plumb_status plumb_refine_propositions_open(
    struct plumb_refine_propositions *p, struct plumb_csp_world *world,
    const struct plumb_csp_system *system,
    struct plumb_csp_numbering *numbering, struct plumb_error *err);
void plumb_refine_propositions_close(struct plumb_refine_propositions *p);

/* `goal` refers to `p`. */
enum plumb_status plumb_refine_propositions_goal(
    struct plumb_refine_propositions *p, const struct plumb_csp_assertion *a,
    struct plumb_refine_goal *goal, struct plumb_error *err);
enum plumb_status plumb_refine_propositions_formula(
    struct plumb_refine_propositions *p, const struct plumb_csp_assertion *a,
    struct plumb_base_arena *arena, struct plumb_refine_formula *formula,
    struct plumb_refine_labels *labels, struct plumb_error *err);

/* Is `event` the one that an atom of the formula names? */
enum plumb_status plumb_refine_propositions_is_event(
    struct plumb_refine_propositions *p, uint32_t atom, uint32_t event,
    bool *yes, struct plumb_error *err);

/* The text of an event of the formula that never happens, in the arena of the
 * formula: that may be all why it holds.  NULL if all happen, or the formula is
 * about events alone that never do, or it is not known: not all of the graph
 * was made, or memory is short. */
const char *plumb_refine_vacuous_event(struct plumb_refine_propositions *p,
                                       struct plumb_csp_graph *graph);

#endif
