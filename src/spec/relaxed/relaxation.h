/* relaxation.h - what relaxed types share: bounds that may be absent, and an
 * `empty` that is answered although a few items are there.
 *
 * docs/relaxed-objects.md defines every relaxation. */
#ifndef PLUMB_SPEC_RELAXED_RELAXATION_H
#define PLUMB_SPEC_RELAXED_RELAXATION_H

#include "spec/stores/container.h"

/* A parameter that bounds something: no bound if it is not given. */
static inline uint64_t plumb_spec_bound_of(const struct plumb_spec *spec,
                                           unsigned param)
{
    return spec->given[param] ? spec->param[param] : UINT64_MAX;
}

#define PLUMB_PARAM_EMPTY                                                      \
    {                                                                          \
        .name = "empty", .kind = PLUMB_PARAM_COUNT,                            \
        .what = "may answer empty with up to N items"                          \
    }

/* Where `length` items are present, at least one: the step of a removal that
 * answers `empty` all the same, if `empty` (its place among the parameters)
 * allows that.  The state stays as it is. */
bool plumb_spec_step_says_empty(const struct plumb_spec_space *space,
                                unsigned empty, uint64_t length,
                                plumb_spec_state s,
                                const struct plumb_spec_action *a,
                                struct plumb_spec_states *out);

#endif
