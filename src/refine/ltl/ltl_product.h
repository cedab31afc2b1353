/* ltl_product.h - a graph and an automaton side by side, as far as looked at.
 *
 * A place is a pair: a state of the graph, and a state of the automaton that
 * has read everything up to the configuration in which the graph is.  An arc
 * is an edge of the graph together with a move that reads the configuration
 * the edge leads to.  A state without edges has arcs that stay. */
#ifndef PLUMB_REFINE_LTL_LTL_PRODUCT_H
#define PLUMB_REFINE_LTL_LTL_PRODUCT_H

#include "base/pair_index.h"
#include "ltl_automaton.h"

#define PLUMB_LTL_STAYS UINT32_MAX /* instead of the index of an edge */

struct plumb_refine_ltl_product {
    struct plumb_csp_graph *g;
    struct plumb_refine_ltl_automaton *a;
    const struct plumb_refine_labels *labels;
    struct plumb_budget *budget;
    struct plumb_error *err;
    uint32_t atoms;
    bool actors;                    /* are asked for */
    struct plumb_base_pairs places; /* a state and a node */
    /* Of each edge of states that were looked at: which atoms hold where it
     * leads, and who takes part.  first: where those of a state begin, plus
     * 1. */
    uint64_t *letter, *mask, *first;
    size_t edges, letter_room, mask_room, firsts, first_room;
};

/* `actors`: those of edges will be looked at. */
void plumb_refine_ltl_product_init(struct plumb_refine_ltl_product *p,
                                   struct plumb_csp_graph *g,
                                   struct plumb_refine_ltl_automaton *a,
                                   const struct plumb_refine_labels *labels,
                                   uint32_t atoms, bool actors,
                                   struct plumb_budget *budget,
                                   struct plumb_error *err);
void plumb_refine_ltl_product_release(struct plumb_refine_ltl_product *p);

/* Going through the arcs of a place. */
struct plumb_refine_ltl_cursor {
    uint32_t state, node; /* of the place                                */
    uint32_t edges;       /* 1 if it stays                               */
    bool stays;
    uint32_t edge, move; /* the next ones to look at                    */
    uint32_t target;     /* of the edge that is looked at ...           */
    uint64_t letter;     /* ... and what holds there                    */
    uint64_t actors;     /* of that edge                                */
    uint64_t enabled;    /* all that have an edge in the state          */
};

struct plumb_refine_ltl_arc {
    uint32_t place; /* it leads to                                 */
    uint32_t edge;  /* of the state, or PLUMB_LTL_STAYS            */
    uint64_t kept;  /* untils that it does not promise             */
    uint64_t actors, enabled;
};

/* The arcs that lead to initial places; those of a place. */
void plumb_refine_ltl_cursor_begin(struct plumb_refine_ltl_cursor *c);
enum plumb_status plumb_refine_ltl_cursor_at(struct plumb_refine_ltl_product *p,
                                             uint32_t place,
                                             struct plumb_refine_ltl_cursor *c);
/* Where a cursor of that place was when it had these `edge` and `move`. */
enum plumb_status plumb_refine_ltl_cursor_resume(
    struct plumb_refine_ltl_product *p, uint32_t place, uint32_t edge,
    uint32_t move, struct plumb_refine_ltl_cursor *c);
/* PLUMB_END if there are no more. */
enum plumb_status plumb_refine_ltl_cursor_next(
    struct plumb_refine_ltl_product *p, struct plumb_refine_ltl_cursor *c,
    struct plumb_refine_ltl_arc *arc);

#endif
