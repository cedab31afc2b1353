/* approximants.h - how many steps have to be looked at to tell two states
 * apart.
 *
 * Round by round, classes fall into those that have the same signature: the
 * (event, class) that can be come to by hidden steps inside the class, and
 * whether these can go on for ever.  In the end states of a class are branching
 * bisimilar; we stop as soon as the two states that matter are apart.
 *
 * The classes of all rounds make a tree: a node is a class from the round in
 * which it came about to the one in which it falls into its children. */
#ifndef PLUMB_REFINE_EQUIVALENCE_APPROXIMANTS_H
#define PLUMB_REFINE_EQUIVALENCE_APPROXIMANTS_H

#include "base/number_lists.h"
#include "base/pace.h"
#include "base/vector.h"
#include "csp/states/graph.h"

/* The word of a signature for steps that go on for ever. */
struct plumb_refine_class {
    uint32_t parent, round; /* in which it came about */
};

struct plumb_refine_approximants {
    struct plumb_budget *budget;
    const struct plumb_csp_lts *lts; /* no cycle of taus but loops */
    PLUMB_VECTOR(struct plumb_refine_class) class; /* 0: all states, round 0 */
    uint32_t *leaf;  /* the class of each state now */
    uint32_t *order; /* states: where a tau leads comes before */
    uint32_t rounds;
    struct plumb_base_pace pace;
};

/* Until `one` and `other`, which are not bisimilar, are in different classes.
 * To be released in any case. */
enum plumb_status plumb_refine_approximants_make(
    struct plumb_refine_approximants *a, const struct plumb_csp_lts *lts,
    uint32_t one, uint32_t other, struct plumb_budget *budget,
    struct plumb_error *err);
void plumb_refine_approximants_release(struct plumb_refine_approximants *a);

/* The class that `class` was part of after that round, or is. */
uint32_t plumb_refine_class_after(const struct plumb_refine_approximants *a,
                                  uint32_t class, uint32_t round);

static inline uint32_t plumb_refine_class_of(
    const struct plumb_refine_approximants *a, uint32_t state, uint32_t round)
{
    return plumb_refine_class_after(a, a->leaf[state], round);
}

#endif
