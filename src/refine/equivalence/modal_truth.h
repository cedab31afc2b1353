/* modal_truth.h - formulas about the states of a graph, each with the states
 * in which it holds.
 *
 * Equal formulas have equal numbers; what is said twice, or of nothing, is left
 * out.  The graph has no cycle of taus but loops, and its states come in an
 * order in which a tau leads to an earlier one: one pass settles a formula. */
#ifndef PLUMB_REFINE_EQUIVALENCE_MODAL_TRUTH_H
#define PLUMB_REFINE_EQUIVALENCE_MODAL_TRUTH_H

#include "base/arena.h"
#include "base/number_lists.h"
#include "base/pace.h"
#include "base/vector.h"
#include "refine/equivalence.h"

struct plumb_refine_truth {
    struct plumb_refine_modal formula;
    const uint64_t *holds; /* a bit for each state */
    uint32_t size;         /* as it would be written, up to UINT32_MAX */
};

struct plumb_refine_truths {
    struct plumb_budget *budget;
    const struct plumb_csp_lts *lts;
    const uint32_t *order;
    struct plumb_base_lists known; /* formulas as lists, for finding them */
    PLUMB_VECTOR(struct plumb_refine_truth) truth; /* 0: true */
    struct plumb_base_arena arena;
    struct plumb_base_pace pace;
};

/* To be released in any case; false when the budget refuses. */
bool plumb_refine_truths_init(struct plumb_refine_truths *t,
                              const struct plumb_csp_lts *lts,
                              const uint32_t *order,
                              struct plumb_budget *budget);
void plumb_refine_truths_release(struct plumb_refine_truths *t);

/* The number of a formula; UINT32_MAX when the budget refuses. */
uint32_t plumb_refine_truths_put(struct plumb_refine_truths *t,
                                 struct plumb_refine_modal formula);

static inline bool plumb_refine_truths_hold(const struct plumb_refine_truths *t,
                                            uint32_t formula, uint32_t state)
{
    return t->truth.at[formula].holds[state / 64] >> state % 64 & 1;
}

#endif
