/* tell_apart.h - a formula that holds in one of two states and not in the
 * other. */
#ifndef PLUMB_REFINE_EQUIVALENCE_TELL_APART_H
#define PLUMB_REFINE_EQUIVALENCE_TELL_APART_H

#include "approximants.h"
#include "modal_truth.h"

/* Of two states of the graph of `a` that it has in different classes: its
 * number in `t`, which is of the same graph. */
enum plumb_status plumb_refine_tell_apart(
    const struct plumb_refine_approximants *a, struct plumb_refine_truths *t,
    uint32_t one, uint32_t other, uint32_t *formula, struct plumb_error *err);

#endif
