/* wing_gong.h - the algorithm of 1990, as printed: the readable reference. */
#ifndef PLUMB_CHECK_SEARCH_WING_GONG_H
#define PLUMB_CHECK_SEARCH_WING_GONG_H

#include "search.h"

/* Decide `part`; the finding's order lives in `arena`.  `f` supplies states. */
void plumb_check_wing_gong(struct plumb_check_state_sets *f,
                           const struct plumb_check_part *part,
                           struct plumb_base_arena *arena,
                           struct plumb_check_finding *found);

#endif
