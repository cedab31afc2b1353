/* queue_family.h - what queue, semiqueue and stuttering-queue have in common:
 * operations, their first two parameters, and all that does not look at the
 * order of the items. */
#ifndef PLUMB_SPEC_QUEUE_FAMILY_H
#define PLUMB_SPEC_QUEUE_FAMILY_H

#include "spec/builtin.h"

enum {
    PLUMB_QUEUE_ENQ,
    PLUMB_QUEUE_PUT,
    PLUMB_QUEUE_DEQ,
    PLUMB_QUEUE_POLL,
    PLUMB_QUEUE_TAKE,
    PLUMB_QUEUE_PEEK,
    PLUMB_QUEUE_OPS
};

enum { PLUMB_QUEUE_CAP, PLUMB_QUEUE_BLOCKING, PLUMB_QUEUE_OWN };

#define PLUMB_QUEUE_PARAMS                                                     \
    { .name = "cap",                                                           \
      .kind = PLUMB_PARAM_COUNT,                                               \
      .what = "at most so many items",                                         \
      .least = 1 },                                                            \
    {                                                                          \
        .name = "blocking", .kind = PLUMB_PARAM_FLAG,                          \
        .what = "deq waits for an item"                                        \
    }

extern const struct plumb_opdef plumb_queue_ops[PLUMB_QUEUE_OPS];

/* With `length` items, is it full? */
bool plumb_queue_is_full(const struct plumb_space *space, uint64_t length);

static inline bool plumb_queue_inserts(const struct plumb_action *a)
{
    return a->kind <= PLUMB_QUEUE_PUT;
}

/* The answers of enq, put to a full queue, and of the rest to an empty one:
 * the state stays as it is, where they do not block. */
bool plumb_queue_step_full(plumb_state s, const struct plumb_action *a,
                           struct plumb_states *out);
bool plumb_queue_step_empty(const struct plumb_space *space, plumb_state s,
                            const struct plumb_action *a,
                            struct plumb_states *out);

bool plumb_queue_reads(const struct plumb_spec *spec,
                       const struct plumb_action *a);
plumb_vid plumb_queue_owner(const struct plumb_space *space,
                            const struct plumb_action *a);
bool plumb_queue_closed(const struct plumb_bound *bound, uint32_t object);

#endif
