/* queue_deadlines.h - telling early that an enqueue comes too late.
 *
 * In a queue, items leave in the order they came.  The i-th v that is enqueued
 * is the i-th v that is dequeued.  Let r(w, j) be the j-th smallest return of
 * the dequeues that answered w: by then, the j-th w has left.  Let c(v, i) be
 * the i-th smallest call of the dequeues that answered v or are pending: the
 * i-th v has not left before.  So if the i-th v is ahead of the j-th w, then
 * c(v, i) < r(w, j).  An enqueue after which that is not so need not be tried:
 * no legal order goes on with it.  (The proof in full is in src/proof.)
 *
 * Without this, two overlapping enqueues make two states, which only the
 * dequeues much later tell apart: as many states as two to the number of
 * overlaps in the queue.  With it most wrong orders end at once.
 *
 * In a stuttering queue an item may answer s dequeues before it is gone, and
 * answers at least one.  The first j - 1 items of w answer at most s (j - 1)
 * dequeues, so the j-th has come first by the next return, r(w, s (j - 1) + 1),
 * and then the i-th v has answered: c(v, i) stays as it is.
 *
 * `cap` refuses enqueues, and changes nothing else.  Only a pending enqueue might
 * be refused without telling, so with `cap` and one of those nothing is late.
 *
 * What was enqueued only matters through the largest c so far, `latest`. */
#ifndef PLUMB_CHECK_SEARCH_QUEUE_DEADLINES_H
#define PLUMB_CHECK_SEARCH_QUEUE_DEADLINES_H

#include "part.h"

#define PLUMB_NO_LANE UINT32_MAX

/* One value: its dequeues, and how often it has been enqueued. */
struct plumb_check_lane {
    uint32_t first, count; /* in call[] and ret[] */
    uint32_t added;
    plumb_spec_vid value;
};

struct plumb_check_deadlines {
    struct plumb_budget *budget;
    struct plumb_check_lane *lane;
    uint32_t lanes;       /* 0: nothing to look out for */
    uint32_t *call, *ret; /* of dequeues, by lane, each ascending */
    uint32_t *pending;    /* calls of pending dequeues, ascending */
    uint32_t pendings;
    uint32_t answers; /* how many dequeues an item may answer */
    uint32_t latest;
    uint32_t *before; /* `latest` before each enqueue that is in */
    uint32_t depth;
    uint32_t *lane_of; /* by value: lane + 1; all 0 between loads */
    size_t lane_capacity, call_capacity, ret_capacity, pending_capacity;
    size_t before_capacity, lane_of_capacity;
};

void plumb_check_deadlines_init(struct plumb_check_deadlines *o,
                                struct plumb_budget *budget);
void plumb_check_deadlines_release(struct plumb_check_deadlines *o);

/* Look through `part`; `lane[i]` becomes the lane of the value that item i
 * enqueues, or PLUMB_NO_LANE.  `peeks`: an item that is enqueued and dequeued once
 * leaves after the peeks at it, and those ahead of it before; the verifier does
 * not know that.  False when memory is used up. */
bool plumb_check_deadlines_load(struct plumb_check_deadlines *o,
                                const struct plumb_spec_bound *bound,
                                const struct plumb_check_part *part, bool peeks,
                                uint32_t *lane);

/* Can an order that goes on with an enqueue to this lane be legal? */
bool plumb_check_deadlines_allows(const struct plumb_check_deadlines *o,
                                  uint32_t lane);

/* It is enqueued; and the last one is taken back. */
void plumb_check_deadlines_add(struct plumb_check_deadlines *o, uint32_t lane);
void plumb_check_deadlines_undo(struct plumb_check_deadlines *o, uint32_t lane);

#endif
