/* steps.c - the steps of a state, being collected.
 *
 * The arrays grow to what the largest state needs and are used again for the
 * next state: in the long run nothing is allocated. */
#include "steps.h"

#include "base/fail.h"
#include "base/memory.h"

/* vector_capacity counts words: strides differ between users, not within one
 * array. */
uint32_t *plumb_csp_steps_vector(struct plumb_csp_steps *steps, size_t stride,
                                 struct plumb_budget *budget, uint32_t *index)
{
    const size_t need = (steps->vectors + 1) * stride;
    if (!PLUMB_GROW(budget, steps->vector, steps->vector_capacity, need))
        return NULL;
    *index = (uint32_t)steps->vectors++;
    return steps->vector + *index * stride;
}

bool plumb_csp_steps_add(struct plumb_csp_steps *steps,
                         const struct plumb_csp_step *step,
                         struct plumb_budget *budget)
{
    return PLUMB_APPEND(budget, steps->step, steps->count, steps->capacity,
                        *step);
}

enum plumb_status plumb_csp_steps_in_time(const struct plumb_csp_world *w,
                                          uint32_t n, struct plumb_error *err)
{
    if (n % 64 != 63 || w->unhurried ||
        plumb_budget_state(w->budget) == PLUMB_OK)
        return PLUMB_OK;
    return plumb_base_fail_budget(w->budget, err);
}

void plumb_csp_steps_clear(struct plumb_csp_steps *steps)
{
    steps->count = 0;
    steps->vectors = 0;
}

void plumb_csp_steps_release(struct plumb_csp_steps *steps,
                             struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, steps->step, steps->capacity);
    PLUMB_RELEASE(budget, steps->vector, steps->vector_capacity);
    *steps = (struct plumb_csp_steps){ 0 };
}
