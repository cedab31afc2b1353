/* unheard.h - an event of a formula that never happens: a formula that holds
 * may hold because of that, and nobody meant it so. */
#ifndef PLUMB_MODEL_UNHEARD_H
#define PLUMB_MODEL_UNHEARD_H

#include "proposition.h"

/* The text of one, in the arena of the formula; NULL if all happen, or the
 * formula is about events alone that never do, or it is not known: not all of
 * the graph was made, or memory is short. */
const char *plumb_unheard_event(struct plumb_propositions *p,
                                struct plumb_graph *graph);

#endif
