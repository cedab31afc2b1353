/* partial_order_reduction.h - a component that goes alone.
 *
 * If all that a component can do next is unseen and touches nothing that
 * another component can ever touch, then whatever the others do first, this
 * comes to the same: it is enough to let it go first.  One of its steps has to
 * lead to a state with a larger number, or the others might be put off for ever.
 * docs/how-verification-works.md, "Partial-order reduction", has the rules and
 * why they keep the traces.
 *
 * Nothing is reduced where there is atomic { }, which makes everybody depend on
 * everybody, nor if what a component can do has no end. */
#ifndef PLUMB_CSP_STATES_PARTIAL_ORDER_REDUCTION_H
#define PLUMB_CSP_STATES_PARTIAL_ORDER_REDUCTION_H

#include "system.h"

struct plumb_csp_reducer;

enum plumb_status plumb_csp_reducer_open(struct plumb_csp_reducer **r,
                                         struct plumb_csp_system *s,
                                         enum plumb_csp_reduction reduction,
                                         struct plumb_error *err);
void plumb_csp_reducer_free(struct plumb_csp_reducer *r);

/* May `component` go alone in `state`?  Then `steps` are its steps. */
enum plumb_status plumb_csp_reducer_try(struct plumb_csp_reducer *r,
                                        const uint32_t *state,
                                        uint32_t component,
                                        struct plumb_csp_steps *steps,
                                        bool *alone, struct plumb_error *err);

/* PLUMB_REDUCE_LOCAL: the same, but asked for once and for all states.  The
 * i-th move of the acting, plain term may go alone if bit i is set; a component
 * may if all its moves that are possible may, and there is one. */
enum plumb_status plumb_csp_reducer_mask(struct plumb_csp_reducer *r,
                                         uint32_t component, uint32_t term,
                                         uint64_t *mask,
                                         struct plumb_error *err);
/* If that was asked for before; for any thread, while nobody asks. */
bool plumb_csp_reducer_knows(const struct plumb_csp_reducer *r,
                             uint32_t component, uint32_t term, uint64_t *mask);

#endif
