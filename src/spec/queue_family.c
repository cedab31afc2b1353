/* queue_family.c - the operation table of queues, and answers that do not
 * depend on the order of the items. */
#include "spec/queue_family.h"

#define REMOVED "ok(v)|empty()"

const struct plumb_opdef plumb_queue_ops[PLUMB_QUEUE_OPS] = {
    [PLUMB_QUEUE_ENQ] = { "enq enqueue offer add send", "v", "ok()|full()",
                          .key = -1 },
    [PLUMB_QUEUE_PUT] = { "put", "v", "ok()", .partial = true, .key = -1 },
    [PLUMB_QUEUE_DEQ] = { "deq dequeue remove recv receive", "", REMOVED,
                          .key = -1 },
    [PLUMB_QUEUE_POLL] = { "poll try_deq try_dequeue", "", REMOVED, .key = -1 },
    [PLUMB_QUEUE_TAKE] = { "take", "", "ok(v)", .partial = true, .key = -1 },
    [PLUMB_QUEUE_PEEK] = { "peek front head first", "", REMOVED, .key = -1 },
};

bool plumb_queue_is_full(const struct plumb_space *space, uint64_t length)
{
    const struct plumb_spec *const spec = space->spec;
    return spec->given[PLUMB_QUEUE_CAP] &&
           length >= spec->param[PLUMB_QUEUE_CAP];
}

bool plumb_queue_step_full(plumb_state s, const struct plumb_action *a,
                           struct plumb_states *out)
{
    const bool blocks = a->kind == PLUMB_QUEUE_PUT;
    return blocks || !plumb_answers(a, PLUMB_TERM_FULL) ||
           plumb_states_add(out, s);
}

bool plumb_queue_step_empty(const struct plumb_space *space, plumb_state s,
                            const struct plumb_action *a,
                            struct plumb_states *out)
{
    const bool blocks = a->kind == PLUMB_QUEUE_TAKE ||
                        (a->kind == PLUMB_QUEUE_DEQ &&
                         space->spec->param[PLUMB_QUEUE_BLOCKING]);
    return blocks || !plumb_answers(a, PLUMB_TERM_EMPTY) ||
           plumb_states_add(out, s);
}

bool plumb_queue_reads(const struct plumb_spec *spec,
                       const struct plumb_action *a)
{
    (void)spec;
    return a->kind == PLUMB_QUEUE_PEEK || a->term == PLUMB_TERM_EMPTY ||
           a->term == PLUMB_TERM_FULL;
}

plumb_vid plumb_queue_owner(const struct plumb_space *space,
                            const struct plumb_action *a)
{
    (void)space;
    if (plumb_queue_inserts(a))
        return a->arg[0];
    return a->term == PLUMB_TERM_OK ? a->res[0] : PLUMB_NO_VALUE;
}

bool plumb_queue_closed(const struct plumb_bound *bound, uint32_t object)
{
    (void)object;
    return !bound->spec->given[PLUMB_QUEUE_CAP];
}
