/* accept_absence.h - no state that can be reached is of a kind.
 *
 * For the verifier alone. */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_ABSENCE_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_ABSENCE_H

#include "refine/examination.h"

/* What is said not to be there: what the question asks about.  A goal: none is
 * reached if `best` is NULL, else none that is better than that. */
struct plumb_refine_absence {
    enum plumb_refine_question question;
    const struct plumb_refine_goal *goal;
    const int64_t *best;
};

enum plumb_status plumb_refine_accept_absence(
    struct plumb_csp_graph *g, const struct plumb_refine_absence *claim,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err);

#endif
