/* queue_prefix.h - queues with removes that have not returned.
 *
 * Where a history ends, and at every moment on the way, removes are open, and
 * may have taken what nobody has seen leave. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_PREFIX_H
#define PLUMB_CHECK_QUEUE_QUEUE_PREFIX_H

#include "queue_view.h"

enum plumb_check_queue_word {
    PLUMB_QUEUE_FINE,
    PLUMB_QUEUE_WRONG,
    PLUMB_QUEUE_UNCLEAR, /* too many ways to try */
    PLUMB_QUEUE_ENDED    /* the budget is used up */
};

/* Scratch memory, by value. */
struct plumb_check_queue_prefix {
    struct plumb_check_queue_view *view;
    uint32_t *came_under;  /* the cover when it came */
    uint32_t *cover_by;    /* and the value that made it */
    uint32_t *stayed_then; /* the number of residents that had come then */
    uint32_t *number;      /* of a resident, in the order of their er */
    uint32_t *resident;    /* by number */
    bool *out;             /* left out of turn */
    /* FINE: residents that left, taken by the open removes in that order. */
    uint32_t *gone;
    uint32_t gones;
    /* WRONG: values whose operations are wrong, with the open removes and the
     * read `empty`, if any (else PLUMB_NO_OP). */
    uint32_t *suspect;
    uint32_t suspects;
    uint32_t empty;
};

bool plumb_check_queue_prefix_open(struct plumb_check_queue_prefix *p,
                                   struct plumb_check_queue_view *view,
                                   struct plumb_base_arena *arena);

/* Can what has happened up to rank `end` be that of a queue? */
enum plumb_check_queue_word plumb_check_queue_prefix_decide(
    struct plumb_check_queue_prefix *p, uint32_t end);

/* ---- queue_blame.c ---- */

/* The events up to rank m->sure are wrong; `p` is used up.  Sets m->blame.
 * False when the budget is used up. */
bool plumb_check_queue_blame(struct plumb_check_queue_prefix *p,
                             struct plumb_check_monitoring *m);

/* ---- queue_earliest.c ---- */

/* All events together are wrong, and the answers of all operations are not
 * before rank `from`.  `view` is of all events.  Sets maybe, sure and blame of
 * `m`, or declined; false when the budget is used up. */
bool plumb_check_queue_earliest(const struct plumb_check_queue_view *view,
                                struct plumb_check_monitoring *m,
                                uint32_t from);

#endif
