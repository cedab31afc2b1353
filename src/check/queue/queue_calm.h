/* queue_calm.h - instants at which a queue may have been empty.
 *
 * Instant t lies between event t and the next.  Of all instants with the same
 * item of the line before them, the last is the easiest to have been empty at,
 * so one each is kept. */
#ifndef PLUMB_CHECK_QUEUE_CALM_H
#define PLUMB_CHECK_QUEUE_CALM_H

#include "queue_line.h"

struct plumb_calm_point {
    uint64_t at;
    uint32_t item; /* the last in line before it; 0: none, it was empty */
};

/* In the order of time. */
struct plumb_calm {
    struct plumb_calm_point *point;
    size_t capacity;
    uint32_t count;
};

void plumb_calm_release(struct plumb_calm *c, struct plumb_budget *budget);

/* False: no room. */
bool plumb_calm_append(struct plumb_calm *c, struct plumb_calm_point p,
                       struct plumb_budget *budget);

/* It was not empty at any instant t with from <= t < to. */
void plumb_calm_cover(struct plumb_calm *c, uint64_t from, uint64_t to);

/* The item leaves the line; `before` stands before it there. */
void plumb_calm_join(struct plumb_calm *c, uint32_t item, uint32_t before);

static inline bool plumb_calm_is_settled(const struct plumb_calm *c)
{
    return c->count && c->point[0].item == 0;
}

/* Whenever an instant of `a` is possible, so is one of `b`. */
bool plumb_calm_implies(const struct plumb_calm *a, const struct plumb_calm *b);

/* The open dequeues can have taken all debts and, if p is not NULL, all that
 * was in line at that instant. */
bool plumb_calm_fits(const struct plumb_line *l,
                     const struct plumb_calm_point *p);

#endif
