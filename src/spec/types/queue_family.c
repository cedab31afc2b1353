/* queue_family.c - the operation table of queues, and answers that do not
 * depend on the order of the items. */
#include "queue_family.h"

#define REMOVED "ok(v)|empty()"

const struct plumb_spec_opdef plumb_spec_queue_ops[PLUMB_QUEUE_OPS] = {
    [PLUMB_QUEUE_ENQ] = { "enq enqueue offer add send", "v", "ok()|full()",
                          .key = -1, .role = PLUMB_ROLE_ADD },
    [PLUMB_QUEUE_PUT] = { "put", "v", "ok()", .partial = true, .key = -1,
                          .role = PLUMB_ROLE_ADD },
    [PLUMB_QUEUE_DEQ] = { "deq dequeue remove recv receive", "", REMOVED,
                          .key = -1, .role = PLUMB_ROLE_REMOVE },
    [PLUMB_QUEUE_POLL] = { "poll try_deq try_dequeue", "", REMOVED, .key = -1,
                           .role = PLUMB_ROLE_REMOVE },
    [PLUMB_QUEUE_TAKE] = { "take", "", "ok(v)", .partial = true, .key = -1,
                           .role = PLUMB_ROLE_REMOVE },
    [PLUMB_QUEUE_PEEK] = { "peek front head first", "", REMOVED, .key = -1,
                           .role = PLUMB_ROLE_PEEK },
};

bool plumb_spec_queue_step_full(plumb_spec_state s,
                                const struct plumb_spec_action *a,
                                struct plumb_spec_states *out)
{
    return plumb_spec_step_refused(a->kind == PLUMB_QUEUE_PUT, PLUMB_TERM_FULL,
                                   s, a, out);
}

bool plumb_spec_queue_step_empty(const struct plumb_spec_space *space,
                                 plumb_spec_state s,
                                 const struct plumb_spec_action *a,
                                 struct plumb_spec_states *out)
{
    const bool waits =
        a->kind == PLUMB_QUEUE_TAKE ||
        (a->kind == PLUMB_QUEUE_DEQ && space->spec->param[PLUMB_BLOCKING]);
    return plumb_spec_step_refused(waits, PLUMB_TERM_EMPTY, s, a, out);
}

bool plumb_spec_queue_reads(const struct plumb_spec *spec,
                            const struct plumb_spec_action *a)
{
    (void)spec;
    return a->kind == PLUMB_QUEUE_PEEK || plumb_spec_is_refused(a);
}

plumb_spec_vid plumb_spec_queue_owner(const struct plumb_spec_space *space,
                                      const struct plumb_spec_action *a)
{
    (void)space;
    return plumb_spec_item_owner(a, plumb_spec_queue_inserts(a));
}

enum plumb_spec_fifo plumb_spec_queue_fifo(const struct plumb_spec *spec,
                                           const struct plumb_spec_action *a)
{
    if (spec->given[PLUMB_CAP] || plumb_spec_queue_reads(spec, a))
        return PLUMB_FIFO_NEITHER;
    return plumb_spec_queue_inserts(a) ? PLUMB_FIFO_ADDS : PLUMB_FIFO_REMOVES;
}
