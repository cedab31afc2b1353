/* queue_family.h - what queue, semiqueue and stuttering-queue have in common:
 * operations, their first two parameters, and all that does not look at the
 * order of the items. */
#ifndef PLUMB_SPEC_TYPES_QUEUE_FAMILY_H
#define PLUMB_SPEC_TYPES_QUEUE_FAMILY_H

#include "spec/stores/container.h"

enum {
    PLUMB_QUEUE_ENQ,
    PLUMB_QUEUE_PUT,
    PLUMB_QUEUE_DEQ,
    PLUMB_QUEUE_POLL,
    PLUMB_QUEUE_TAKE,
    PLUMB_QUEUE_PEEK,
    PLUMB_QUEUE_OPS
};

#define PLUMB_QUEUE_PARAMS                                                     \
    [PLUMB_CAP] = PLUMB_PARAM_CAP, [PLUMB_BLOCKING] =                          \
                                       PLUMB_PARAM_BLOCKING("deq waits")

extern const struct plumb_spec_opdef plumb_spec_queue_ops[PLUMB_QUEUE_OPS];

/* The parameters of `queue`: after the first two, how it is relaxed, and
 * then whether answers are weak. */
enum {
    PLUMB_QUEUE_K = PLUMB_OWN_PARAM,
    PLUMB_QUEUE_EARLY,
    PLUMB_QUEUE_LATE,
    PLUMB_QUEUE_SEGMENT,
    PLUMB_QUEUE_ENQ_FACTOR,
    PLUMB_QUEUE_DEQ_FACTOR,
    PLUMB_QUEUE_EMPTY,
    PLUMB_QUEUE_WEAK,
    PLUMB_QUEUE_PARAMETERS
};
extern const struct plumb_spec_param
    plumb_spec_queue_params[PLUMB_QUEUE_PARAMETERS];

/* The type of a queue whose `weak` is given. */
const struct plumb_spec_type *plumb_spec_weak_queue(
    const struct plumb_spec *spec);

static inline bool plumb_spec_queue_inserts(const struct plumb_spec_action *a)
{
    return a->kind <= PLUMB_QUEUE_PUT;
}

/* It takes an item out, if there is one. */
static inline bool plumb_spec_queue_removes(const struct plumb_spec_action *a)
{
    return !plumb_spec_queue_inserts(a) && a->kind != PLUMB_QUEUE_PEEK;
}

/* Its part in first in, first out, if the items do leave in that order. */
enum plumb_spec_fifo plumb_spec_queue_fifo(const struct plumb_spec *spec,
                                           const struct plumb_spec_action *a);

#endif
