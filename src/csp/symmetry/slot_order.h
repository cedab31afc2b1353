/* slot_order.h - which slots of a state change together.
 *
 * For vectors.h: neighbours are folded together, so what a step changes should
 * stand side by side.  That is, of each component its term and the globals that
 * it alone writes; then what several write. */
#ifndef PLUMB_CSP_SYMMETRY_SLOT_ORDER_H
#define PLUMB_CSP_SYMMETRY_SLOT_ORDER_H

#include "csp/states/system.h"
#include "csp/states/vectors.h"

/* Arrange the vectors of a system so, by what steps of its first `known` states
 * do; those are known, so nothing new gets a number.  The worst that can happen
 * is that vectors stay as they are. */
void plumb_csp_arrange_slots(struct plumb_csp_system *s,
                             struct plumb_csp_vectors *v, uint32_t known);

#endif
