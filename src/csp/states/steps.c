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
    if (need > steps->vector_capacity) {
        void *block = steps->vector;
        if (!plumb_base_grow(budget, &block, &steps->vector_capacity, need,
                             sizeof *steps->vector))
            return NULL;
        steps->vector = block;
    }
    *index = (uint32_t)steps->vectors++;
    return steps->vector + *index * stride;
}

bool plumb_csp_steps_add(struct plumb_csp_steps *steps,
                         const struct plumb_csp_step *step,
                         struct plumb_budget *budget)
{
    if (steps->count == steps->capacity) {
        void *block = steps->step;
        if (!plumb_base_grow(budget, &block, &steps->capacity, steps->count + 1,
                             sizeof *steps->step))
            return false;
        steps->step = block;
    }
    steps->step[steps->count++] = *step;
    return true;
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
    plumb_base_release(budget, steps->step,
                       steps->capacity * sizeof *steps->step);
    plumb_base_release(budget, steps->vector,
                       steps->vector_capacity * sizeof *steps->vector);
    *steps = (struct plumb_csp_steps){ 0 };
}
