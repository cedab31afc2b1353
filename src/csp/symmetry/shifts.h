/* shifts.h - the renamings that are events. */
#ifndef PLUMB_CSP_SYMMETRY_SHIFTS_H
#define PLUMB_CSP_SYMMETRY_SHIFTS_H

#include "csp/states/system.h"
#include "process_ids.h"

enum { PLUMB_MOST_SHIFTS = PLUMB_MOST_PROCESS_IDS * PLUMB_MOST_PROCESS_IDS };

struct plumb_csp_shifts {
    uint32_t count;
    uint32_t permutation[PLUMB_MOST_SHIFTS];
    uint32_t event[PLUMB_MOST_SHIFTS];
};

/* False when memory is refused.  The same events each time. */
bool plumb_csp_shifts_init(struct plumb_csp_shifts *s, uint32_t ids,
                           struct plumb_csp_world *world);

/* The shift to begin with, to do `permutation`: its index.  What is left to be
 * done after it moves fewer of the first process ids. */
uint32_t plumb_csp_shifts_first(const struct plumb_csp_shifts *s,
                                uint32_t permutation, uint32_t *rest);

#endif
