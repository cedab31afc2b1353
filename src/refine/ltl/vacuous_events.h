/* vacuous_events.h - an event of a formula that never happens: a formula that holds
 * may hold because of that, and nobody meant it so. */
#ifndef PLUMB_REFINE_LTL_VACUOUS_EVENTS_H
#define PLUMB_REFINE_LTL_VACUOUS_EVENTS_H

#include "proposition.h"

/* The text of one, in the arena of the formula; NULL if all happen, or the
 * formula is about events alone that never do, or it is not known: not all of
 * the graph was made, or memory is short. */
const char *plumb_refine_vacuous_event(struct plumb_refine_propositions *p,
                                       struct plumb_csp_graph *graph);

#endif
