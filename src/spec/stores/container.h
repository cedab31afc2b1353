/* container.h - what the types share: claims that follow from the table of
 * operations; and, where items are put in and taken out, a limit and waiting. */
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

/* plumb_spec_type.reads: those whose role it is to look, and those that answer
 * that they did nothing. */
bool plumb_spec_reads(const struct plumb_spec *spec,
                      const struct plumb_spec_action *a);

/* plumb_spec_type.ends, of an operation that adds, or takes, or looks. */
struct plumb_spec_end plumb_spec_at_end(const struct plumb_spec_action *a,
                                        bool looks, int end);

/* plumb_spec_type.owner: the key, or what is put in, or what was taken out. */
plumb_spec_vid plumb_spec_owner(const struct plumb_spec_space *space,
                                const struct plumb_spec_action *a);

/* plumb_spec_type.closed of those whose first parameter is the limit. */
bool plumb_spec_closed_without_cap(const struct plumb_spec_bound *bound,
                                   uint32_t object);

/* plumb_spec_type.bar of the same: fewer items leave room. */
enum plumb_spec_bar plumb_spec_barred_by_full(const struct plumb_spec *spec);

/* plumb_spec_type.initial of those that call their empty state 0. */
plumb_spec_state plumb_spec_initial_empty(struct plumb_spec_space *space);

/* With `length` items, is there no room for what `a` puts in, or nothing for
 * it to take out?  `cap` is the place of that parameter. */
static inline bool plumb_spec_finds_limit(const struct plumb_spec_space *space,
                                          unsigned cap, uint64_t length,
                                          const struct plumb_spec_action *a)
{
    const struct plumb_spec *const spec = space->spec;
    return a->nargs ? spec->given[cap] && length >= spec->param[cap]
                    : length == 0;
}

/* The step of such an operation: where it does not wait, it answers just that,
 * and the state stays as it is.  `blocking` is the place of that parameter. */
bool plumb_spec_step_refused(const struct plumb_spec_space *space,
                             unsigned blocking, plumb_spec_state s,
                             const struct plumb_spec_action *a,
                             struct plumb_spec_states *out);

#endif
