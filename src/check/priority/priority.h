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
 * *tier*.  Tiers are numbered by urgency, the most urgent is 0; then comes
 * one of all operations that found nothing, and one of all that are pending and
 * do not say of what item they are.
 *
 * Operations are sorted by tier, item, and what they do to it; the number of
 * an operation in this order is its *slot*.  What is known of operations is
 * kept by slot, so that it is gone through from the first to the last. */
#ifndef PLUMB_CHECK_PRIORITY_PRIORITY_H
#define PLUMB_CHECK_PRIORITY_PRIORITY_H

#include "check/bit_tree.h"
#include "check/input/monitor.h"
#include <assert.h>

#define PLUMB_NO_SLOT UINT32_MAX
#define PLUMB_NOWHERE UINT32_MAX /* the place of what did not happen */

/* What an operation does to its item, in the order in which they are sorted;
 * the first one of an item is marked. */
enum plumb_check_priority_step {
    PLUMB_STEP_ADD,
    PLUMB_STEP_PEEK,
    PLUMB_STEP_REMOVE,
    PLUMB_STEP_MASK = 3,
    PLUMB_STEP_BEGINS = 4
};

/* The gaps in which an operation may take effect.  Not called yet: first is
 * PLUMB_NEVER.  Not returned yet: last is. */
struct plumb_check_priority_span {
    uint32_t first, last;
};

/* A removal whose result is not known, and what it is taken to have removed:
 * the item that begins at slot `victim`, or PLUMB_NO_SLOT. */
struct plumb_check_thief {
    uint32_t slot, first, victim;
};

/* An operation that finds no gap. */
struct plumb_check_failure {
    uint32_t slot;
    uint32_t item;        /* where its item begins, or PLUMB_NO_SLOT  */
    uint32_t tier;        /* those before this one are ahead of it    */
    uint32_t first, last; /* the gaps it had to choose from           */
};

/* What is known of an item. */
struct plumb_check_priority_item {
    uint32_t from, to;    /* its slots are from ... to - 1                */
    uint32_t add, remove; /* slots, or PLUMB_NO_SLOT                      */
    uint32_t adds;        /* how many add it                              */
    uint32_t removes;     /* how many removed it and returned             */
    uint32_t first, last; /* the greatest first, the smallest last        */
    bool removed, stolen; /* by `remove`; which is a thief                */
};

struct plumb_check_priority {
    struct plumb_check_monitoring *m;
    const struct plumb_check_input *input;
    bool largest_first;

    /* Tier t has the slots start[t] ... start[t + 1] - 1. */
    uint32_t *sorted; /* by slot: the operation */
    uint8_t *step;    /* by slot: enum plumb_check_priority_step */
    uint32_t *start, tiers;
    uint32_t nothing, pending; /* the last two tiers */

    /* Of so many events. */
    struct plumb_check_priority_span *span; /* by slot */
    uint32_t gaps;
    bool known; /* what removals return after these is made use of */
    struct plumb_check_thief *thief;
    uint32_t thieves, busy; /* busy: that have a victim */
    uint32_t *robbed;       /* by slot: the thief of its item, plus 1; or 0 */

    /* Of one pass. */
    struct plumb_check_bits open; /* gaps */
    uint32_t *place; /* by slot: twice the gap, plus 1 if late in it */
    struct plumb_check_failure failure;
    bool repeats;           /* some item is added twice */
    enum plumb_status stop; /* why it had to end        */
    uint32_t passes_left;

    bool *blamed; /* by operation, or NULL if nobody asks */
};

static inline enum plumb_check_priority_step plumb_check_step_at(
    const struct plumb_check_priority *p, uint32_t slot)
{
    return p->step[slot] & PLUMB_STEP_MASK;
}

static inline bool plumb_check_has_returned(
    const struct plumb_check_priority *p, uint32_t slot)
{
    return p->span[slot].last != PLUMB_NEVER;
}

/* priority_sort.c: into memory that is there. */
bool plumb_check_priority_sort(struct plumb_check_priority *p);

/* priority_cut.c: look at the first so many events only. */
bool plumb_check_priority_cut(struct plumb_check_priority *p, uint32_t events);

/* priority_item.c: of the item that begins at a slot. */
struct plumb_check_priority_item plumb_check_priority_item(
    const struct plumb_check_priority *p, uint32_t from);

/* The gaps from the first to before the second in which an item is there,
 * whatever is chosen: none if they are not in this order. */
struct plumb_check_priority_cover {
    uint32_t from, to;
};
struct plumb_check_priority_cover plumb_check_priority_cover(
    const struct plumb_check_priority *p,
    const struct plumb_check_priority_item *item);

/* Thief i has taken the item that begins at a slot; or nothing. */
static inline void plumb_check_priority_rob(struct plumb_check_priority *p,
                                            uint32_t i, uint32_t victim)
{
    assert(i < p->thieves && !p->robbed[victim]); /* nothing is stolen twice */
    p->thief[i].victim = victim;
    p->robbed[victim] = i + 1;
    p->busy++;
}

static inline void plumb_check_priority_give_back(
    struct plumb_check_priority *p, uint32_t i)
{
    assert(i < p->thieves && p->robbed[p->thief[i].victim] == i + 1);
    p->robbed[p->thief[i].victim] = 0;
    p->thief[i].victim = PLUMB_NO_SLOT;
    p->busy--;
}

static inline void plumb_check_priority_forget_thefts(
    struct plumb_check_priority *p)
{
    for (uint32_t i = 0; i < p->thieves; i++)
        if (p->thief[i].victim != PLUMB_NO_SLOT)
            plumb_check_priority_give_back(p, i);
}

/* priority_guess.c: all thefts that there must have been, by one pass.  False:
 * no idea, but some may be noted; or p->stop says why it had to end. */
bool plumb_check_priority_guess(struct plumb_check_priority *p);

/* priority_pass.c: a gap for every operation.  False if one finds none, or
 * p->stop says why it had to end. */
bool plumb_check_priority_pass(struct plumb_check_priority *p);

/* priority_chain.c: the item that a thief must have taken for the operation
 * that failed, or PLUMB_NO_SLOT if nothing helps.  Blames what is in its way,
 * if somebody asks.  False when memory is used up. */
bool plumb_check_priority_chain(struct plumb_check_priority *p,
                                uint32_t *victim);

/* priority_order.c: the order of a pass that has not failed, into m->order. */
bool plumb_check_priority_order(struct plumb_check_priority *p);

#endif
