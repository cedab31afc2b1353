/* container.h - what the types share that items are put into and taken out of:
 * a limit, waiting for an item, and all that looks at an operation alone. */
#ifndef PLUMB_SPEC_STORES_CONTAINER_H
#define PLUMB_SPEC_STORES_CONTAINER_H

#include "spec/builtin.h"

#define PLUMB_PARAM_CAP                                                        \
    {                                                                          \
        .name = "cap", .kind = PLUMB_PARAM_COUNT, .what = "at most N items",   \
        .least = 1                                                             \
    }

/* `who` is what waits, as in "deq waits". */
#define PLUMB_PARAM_BLOCKING(who)                                              \
    {                                                                          \
        .name = "blocking", .kind = PLUMB_PARAM_FLAG,                          \
        .what = who " for an item"                                             \
    }

/* The first parameters of those that have both. */
enum { PLUMB_CAP, PLUMB_BLOCKING, PLUMB_OWN_PARAM };

/* With `length` items, is it full?  `cap` is the place of that parameter. */
static inline bool plumb_spec_is_full(const struct plumb_spec_space *space,
                                      unsigned cap, uint64_t length)
{
    const struct plumb_spec *const spec = space->spec;
    return spec->given[cap] && length >= spec->param[cap];
}

/* The step of an operation that finds it empty, or full: where it does not
 * wait, it answers just that, and the state stays as it is. */
static inline bool plumb_spec_step_refused(bool waits, enum plumb_spec_term why,
                                           plumb_spec_state s,
                                           const struct plumb_spec_action *a,
                                           struct plumb_spec_states *out)
{
    return waits || !plumb_spec_answers(a, why) ||
           plumb_spec_states_add(out, s);
}

static inline bool plumb_spec_is_refused(const struct plumb_spec_action *a)
{
    return a->term == PLUMB_TERM_EMPTY || a->term == PLUMB_TERM_FULL;
}

/* The value it belongs to: what it puts in, or the item that it answered. */
static inline plumb_spec_vid plumb_spec_item_owner(
    const struct plumb_spec_action *a, bool inserts)
{
    if (inserts)
        return a->arg[a->nargs - 1];
    return a->term == PLUMB_TERM_OK ? a->res[a->nres - 1] : PLUMB_NO_VALUE;
}

/* plumb_type.closed of those whose first parameter is the limit. */
static inline bool plumb_spec_closed_without_cap(
    const struct plumb_spec_bound *bound, uint32_t object)
{
    (void)object;
    return !bound->spec->given[PLUMB_CAP];
}

#endif
