/* queue_view.h - a queue's input by value: what all operations of a value say
 * together about when it came and went.
 *
 * Of a value v that is added once, all that matters is
 *
 *     ec   its add is called: it has not come before
 *     er   some operation of v returned: it has come by then
 *     hr   a remove or a peek of v returned: it has been the front by then, so
 *          all that is ahead of it has left
 *     dc   the last call of an operation of v: it has not left before
 *
 * A view may end early: at rank `end` of the events.  Operations called later
 * are not there, those that have not returned by then are open, and an open
 * remove may have taken any value. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_VIEW_H
#define PLUMB_CHECK_QUEUE_QUEUE_VIEW_H

#include "check/input/monitor.h"

#define PLUMB_NO_OP UINT32_MAX

struct plumb_check_queue_value {
    uint32_t ec, er, hr, dc;
    uint32_t add, rem; /* indexes of operations, or PLUMB_NO_OP */
};

struct plumb_check_queue_view {
    const struct plumb_check_input *input;
    struct plumb_budget *budget;
    uint32_t end; /* the last event */
    struct plumb_check_queue_value *value;
    uint32_t values; /* of the input, and nil */
    uint32_t opens;  /* removes that have not returned */
    bool vain;       /* there are removes that found nothing */
    /* Why it is not decided by value, or NULL. */
    const char *strange;
    /* The first value found that is wrong by itself, and the earliest return
     * by which one is: PLUMB_NEVER if none is. */
    uint32_t odd, odd_at;
};

/* What it will hold for any end; false when memory is used up. */
bool plumb_check_queue_view_open(struct plumb_check_queue_view *view,
                                 const struct plumb_check_input *input,
                                 struct plumb_budget *budget,
                                 struct plumb_base_arena *arena);

/* Look at the events up to rank `end`.  False when the budget is used up. */
bool plumb_check_queue_look(struct plumb_check_queue_view *view, uint32_t end);

/* The value of an operation that has one. */
static inline uint32_t plumb_check_queue_value_of(
    const struct plumb_check_queue_view *view,
    const struct plumb_check_input_op *o)
{
    return o->word[0] == PLUMB_NIL_WORD ? view->values - 1 : o->word[0];
}

static inline bool plumb_check_queue_has_returned(
    const struct plumb_check_queue_view *view,
    const struct plumb_check_input_op *o)
{
    return o->ret != PLUMB_NEVER && o->ret <= view->end;
}

/* Look at the clock now and then; false when the run has to end. */
static inline bool plumb_check_queue_goes_on(
    const struct plumb_check_queue_view *view, uint32_t step)
{
    return step % 65536 || plumb_budget_state(view->budget) == PLUMB_OK;
}

/* ---- the order in which a queue's values came and went ---- */

/* Values in the order of the queue, and the place of each. */
struct plumb_check_queue_order {
    uint32_t *line, *place;
    uint32_t count;
    /* The earliest return by which something is wrong, or PLUMB_NEVER. */
    uint32_t wrong_at;
};

/* Open removes are taken not to have happened; a value without a remove never
 * leaves.  In `arena`.  False when the budget is used up. */
bool plumb_check_queue_line_up(struct plumb_check_queue_view *view,
                               struct plumb_base_arena *arena,
                               struct plumb_check_queue_order *order);

/* The operations in an order in which they may have taken effect, if nothing
 * is wrong: into m->order.  False when the budget is used up. */
bool plumb_check_queue_witness(const struct plumb_check_queue_view *view,
                               const struct plumb_check_queue_order *order,
                               struct plumb_check_monitoring *m);

#endif
