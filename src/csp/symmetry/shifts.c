/* shifts.c - one process takes another place, those between make room.
 *
 * A step of one process mostly makes it change its place among the others, so
 * one shift is enough mostly.  Their events have a name that no event of the
 * model has. */
#include "shifts.h"

#include "permutation.h"
#include <assert.h>

/* Its index; `count` if it is not there. */
static uint32_t find(const struct plumb_csp_shifts *s, uint32_t permutation)
{
    uint32_t i = 0;
    while (i < s->count && s->permutation[i] != permutation)
        i++;
    return i;
}

static bool add(struct plumb_csp_shifts *s, uint32_t permutation,
                struct plumb_csp_world *world)
{
    const int32_t data = (int32_t)permutation;
    const uint32_t event = plumb_csp_event_number(
        world->events, PLUMB_EVENT_PLAIN, world->model->names, &data, 1);
    s->permutation[s->count] = permutation;
    s->event[s->count++] = event;
    return event != UINT32_MAX;
}

bool plumb_csp_shifts_init(struct plumb_csp_shifts *s, uint32_t ids,
                           struct plumb_csp_world *world)
{
    s->count = 0;
    for (uint32_t a = 0; a < ids; a++)
        for (uint32_t b = 0; b < ids; b++)
            if (a != b && find(s, plumb_csp_shift(a, b)) == s->count &&
                !add(s, plumb_csp_shift(a, b), world))
                return false;
    return true;
}

uint32_t plumb_csp_shifts_first(const struct plumb_csp_shifts *s,
                                uint32_t permutation, uint32_t *rest)
{
    uint32_t a = 0;
    assert(permutation != PLUMB_SAME);
    *rest = PLUMB_SAME;
    const uint32_t whole = find(s, permutation);
    if (whole < s->count)
        return whole;
    while (plumb_csp_image(permutation, a) == a)
        a++;
    const uint32_t part =
        plumb_csp_shift(plumb_csp_image(plumb_csp_inverse(permutation), a), a);
    *rest = plumb_csp_compose(permutation, plumb_csp_inverse(part));
    return find(s, part);
}
