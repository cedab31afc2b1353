/* queue_empty_instants.h - instants at which a queue may have been empty.
 *
 * Instant t lies between event t and the next.  Of all instants with the same
 * item of the line before them, the last is the easiest to have been empty at,
 * so one each is kept. */
#ifndef PLUMB_CHECK_QUEUE_QUEUE_EMPTY_INSTANTS_H
#define PLUMB_CHECK_QUEUE_QUEUE_EMPTY_INSTANTS_H

#include "queue_line.h"

struct plumb_check_empty_instants_point {
    uint64_t at;
    uint32_t item; /* the last in line before it; 0: none, it was empty */
};

/* In the order of time. */
struct plumb_check_empty_instants {
    struct plumb_check_empty_instants_point *point;
    size_t capacity;
    uint32_t count;
};

void plumb_check_empty_instants_release(struct plumb_check_empty_instants *c,
                                        struct plumb_budget *budget);

/* False: no room. */
bool plumb_check_empty_instants_append(
    struct plumb_check_empty_instants *c,
    struct plumb_check_empty_instants_point p, struct plumb_budget *budget);

/* It was not empty at any instant t with from <= t < to. */
void plumb_check_empty_instants_cover(struct plumb_check_empty_instants *c,
                                      uint64_t from, uint64_t to);

/* The item leaves the line; `before` stands before it there. */
void plumb_check_empty_instants_join(struct plumb_check_empty_instants *c,
                                     uint32_t item, uint32_t before);

static inline bool plumb_check_empty_instants_is_settled(
    const struct plumb_check_empty_instants *c)
{
    return c->count && c->point[0].item == 0;
}

/* Whenever an instant of `a` is possible, so is one of `b`. */
bool plumb_check_empty_instants_implies(
    const struct plumb_check_empty_instants *a,
    const struct plumb_check_empty_instants *b);

/* The open dequeues can have taken all debts and, if p is not NULL, all that
 * was in line at that instant. */
bool plumb_check_empty_instants_fits(
    const struct plumb_check_line *l,
    const struct plumb_check_empty_instants_point *p);

/* ---- peeked values that nobody has dequeued yet (queue_state_sets.c) ----
 *
 * Such a value is the front from the return of the peek until it leaves.  What
 * left by a deadline behind that return has either left before it became the
 * front, or after it left itself: a choice that is open until it returns. */

enum plumb_check_fits { PLUMB_FITS, PLUMB_FITS_NOT, PLUMB_FITS_PERHAPS };

/* As plumb_check_empty_instants_fits(), for some choice.  `front` are the peeked ones, in the
 * order of time.  PERHAPS: there are too many choices. */
enum plumb_check_fits plumb_check_state_sets_fit(
    const struct plumb_check_line *l, const uint32_t *front, uint32_t fronts,
    const struct plumb_check_empty_instants_point *p);

#endif
