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
                          .waits = true, .key = -1, .role = PLUMB_ROLE_REMOVE },
    [PLUMB_QUEUE_POLL] = { "poll try_deq try_dequeue", "", REMOVED, .key = -1,
                           .role = PLUMB_ROLE_REMOVE },
    [PLUMB_QUEUE_TAKE] = { "take", "", "ok(v)", .partial = true, .key = -1,
                           .role = PLUMB_ROLE_REMOVE },
    [PLUMB_QUEUE_PEEK] = { "peek front head first", "", REMOVED, .key = -1,
                           .role = PLUMB_ROLE_PEEK },
};

enum plumb_spec_fifo plumb_spec_queue_fifo(const struct plumb_spec *spec,
                                           const struct plumb_spec_action *a)
{
    if (plumb_spec_reads(spec, a))
        return PLUMB_FIFO_NEITHER;
    return plumb_spec_queue_inserts(a) ? PLUMB_FIFO_ADDS : PLUMB_FIFO_REMOVES;
}
