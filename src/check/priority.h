/* priority.h - what the parts of the monitor of priority queues share.
 *
 * Time is cut into *gaps*: an operation takes effect between two events, and
 * only the places where a call is followed by a return matter, because what
 * takes effect between two calls may as well do so after the second.  So an
 * operation may take effect in the gaps first ... last, and no two gaps are
 * open to the same operations without need.
 *
 * An *item* is a value, or a pair of a priority and a value; its operations
 * are what adds, peeks at and removes it.  Items of one priority are a
 * *class*.  Classes are numbered by urgency, the most urgent is 0. */
#ifndef PLUMB_CHECK_PRIORITY_H
#define PLUMB_CHECK_PRIORITY_H

#include "check/holes.h"
#include "check/monitor.h"

#define PLUMB_NO_OP   UINT32_MAX
#define PLUMB_NOWHERE UINT32_MAX /* the place of what did not happen */

/* The gaps in which an operation may take effect.  Not called yet: first is
 * PLUMB_NEVER.  Not returned yet: last is. */
struct plumb_span {
    uint32_t first, last;
};

/* A removal whose result is not known, and what it is taken to have removed:
 * the item that is added by the operation `victim`, or PLUMB_NO_OP. */
struct plumb_thief {
    uint32_t op, first, victim;
};

/* An operation that finds no gap. */
struct plumb_failure {
    uint32_t op;          /* PLUMB_NO_OP: nothing has failed                */
    uint32_t add;         /* what adds its item, or PLUMB_NO_OP             */
    uint32_t class;       /* those before this one are ahead of it          */
    uint32_t first, last; /* the gaps it had to choose from                 */
};

/* What is known of an item. */
struct plumb_item {
    uint32_t from, to;      /* its operations are sorted[from ... to - 1] */
    uint32_t add, remove;   /* or PLUMB_NO_OP                             */
    uint32_t adds, removes; /* how many; removes that returned            */
    uint32_t reads;         /* peeks and removes that returned            */
    uint32_t first, last;   /* the greatest first, the smallest last      */
    uint32_t end;           /* the last gap for a peek                    */
    bool removed, stolen;   /* by `remove`; which is a thief              */
};

struct plumb_priority {
    struct plumb_monitoring *m;
    const struct plumb_tape *tape;
    bool largest_first;

    /* Operations by class, by item, and then what adds it, peeks at it and
     * removes it; each class at start[class].  The last class is of those that
     * found nothing. */
    uint32_t *sorted, *start;
    uint32_t classes;

    /* Of the events before `cut`. */
    struct plumb_span *span;
    uint32_t gaps;
    bool known; /* what removals return after the cut is made use of */
    struct plumb_thief *thief;
    uint32_t thieves, busy; /* busy: that have a victim */

    /* Of one pass. */
    struct plumb_holes holes;
    uint32_t *place; /* by operation: twice the gap, plus 1 if late in it */
    struct plumb_failure failure;
    bool repeats;           /* some item is added twice */
    enum plumb_status stop; /* why it had to end        */
    uint32_t passes_left;

    bool *blamed; /* by operation, or NULL if nobody asks */
};

/* priority_sort.c */
bool plumb_priority_sort(struct plumb_priority *p, uint32_t **room);
uint32_t plumb_priority_class_of(const struct plumb_priority *p, uint32_t op);
void plumb_priority_cut(struct plumb_priority *p, uint32_t events);

/* priority_pass.c */
struct plumb_item plumb_priority_item(const struct plumb_priority *p,
                                      uint32_t from, uint32_t end);
bool plumb_priority_pass(struct plumb_priority *p);
struct plumb_item plumb_priority_item_of(const struct plumb_priority *p,
                                         uint32_t op);

/* Its item is there in all gaps from the first to before the second, whatever
 * is chosen: nothing if it is empty. */
struct plumb_cover {
    uint32_t from, to;
};
struct plumb_cover plumb_priority_cover(const struct plumb_priority *p,
                                        const struct plumb_item *item);

/* priority_chain.c: the item that a thief must have taken for the operation
 * that failed, by what adds it, or PLUMB_NO_OP if nothing helps.  Blames what
 * is in its way, if somebody asks.  False when memory is used up. */
bool plumb_priority_chain(struct plumb_priority *p, uint32_t *victim);

/* priority_order.c: the order of a pass that has not failed, into m->order. */
bool plumb_priority_order(struct plumb_priority *p);

#endif
