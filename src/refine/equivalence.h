/* equivalence.h - what equivalence asks, and what tells two graphs apart.
 *
 * Two graphs are equal if their initial states are branching bisimilar, with
 * divergence: minimise/bisimulation.h.  If they are not, a *formula* holds in
 * one initial state and not in the other.  Formulas are
 *
 *     true    !F    F && G
 *     F <e> G    hidden steps through states with F, then e, to a state with G
 *     F <tau> G  G, or hidden steps through states with F to a state with G
 *     F <~>      hidden steps through states with F, for ever
 *
 * and are the same for bisimilar states (Korver 1991; De Nicola and Vaandrager
 * 1995).  F is left out if it is true; so is G. */
#ifndef PLUMB_REFINE_EQUIVALENCE_H
#define PLUMB_REFINE_EQUIVALENCE_H

#include "refinement.h"

enum plumb_refine_modal_kind {
    PLUMB_MODAL_TRUE,
    PLUMB_MODAL_NOT,    /* left           */
    PLUMB_MODAL_AND,    /* left && right  */
    PLUMB_MODAL_STEP,   /* left <e> right */
    PLUMB_MODAL_DIVERGE /* left <~>       */
};

/* Of a list of formulas, in which each comes after its parts. */
struct plumb_refine_modal {
    enum plumb_refine_modal_kind kind;
    uint32_t event; /* PLUMB_TAU: hidden steps */
    uint32_t left, right;
};

struct plumb_refine_equivalence {
    bool equal;
    /* Why: one partition of both; or the classes of each, and a formula. */
    const struct plumb_refine_partition *both;
    const struct plumb_refine_partition *side[2];
    const struct plumb_refine_modal *formula; /* the last one is it */
    uint32_t formulas;
    bool second; /* it holds in the second graph, not in the first */
    /* Steps from the initial state of the graph in which it holds, as its
     * outermost <e> say; `rest` of it holds behind them. */
    const struct plumb_refine_hop *path;
    uint32_t length, rest;
    uint32_t states[2], blocks[2];
};

#endif
