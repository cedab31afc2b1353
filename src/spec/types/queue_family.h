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

/* ---- the states of a quasi queue, queue:k=K; the empty one is 0 ---- */

bool plumb_spec_kqueue_open(struct plumb_spec_space *space);
void plumb_spec_kqueue_close(struct plumb_spec_space *space);
bool plumb_spec_kqueue_step(struct plumb_spec_space *space, plumb_spec_state s,
                            const struct plumb_spec_action *a,
                            struct plumb_spec_states *out);
void plumb_spec_kqueue_show(const struct plumb_spec_space *space,
                            plumb_spec_state s, struct plumb_base_text *out);

#endif
