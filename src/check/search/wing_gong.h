/* wing_gong.h - the algorithm of 1990, as printed: the readable reference. */
#ifndef PLUMB_CHECK_WING_GONG_H
#define PLUMB_CHECK_WING_GONG_H

#include "search.h"

/* Decide `part`; the finding's order lives in `arena`.  `f` supplies states. */
void plumb_wing_gong(struct plumb_fronts *f, const struct plumb_part *part,
                     struct plumb_arena *arena, struct plumb_finding *found);

#endif
