/* steps.h - the steps of a state, being collected. */
#ifndef PLUMB_CSP_STATES_STEPS_H
#define PLUMB_CSP_STATES_STEPS_H

#include "system.h"
#include <assert.h>

/* One more vector of `stride` words, not filled in; its index in `*index`.
 * NULL when memory is refused.  Pointers to vectors do not survive this. */
uint32_t *plumb_csp_steps_vector(struct plumb_csp_steps *steps, size_t stride,
                                 struct plumb_budget *budget, uint32_t *index);
/* One more step, a copy of `step`; false when memory is refused. */
bool plumb_csp_steps_add(struct plumb_csp_steps *steps,
                         const struct plumb_csp_step *step,
                         struct plumb_budget *budget);
void plumb_csp_steps_clear(struct plumb_csp_steps *steps);

/* PLUMB_OK, or the time is up.  A state may have 10^5 steps, each with a long
 * program: whoever makes the n-th of many asks here, and for every 64th the
 * clock is read. */
enum plumb_status plumb_csp_steps_in_time(const struct plumb_csp_world *w,
                                          uint32_t n, struct plumb_error *err);

static inline uint32_t *plumb_csp_steps_target(
    const struct plumb_csp_steps *steps, uint32_t step, size_t stride)
{
    assert(step < steps->count);
    return steps->vector + steps->step[step].target * stride;
}

#endif
