/* register_intervals.c - a register whose values are each written once, event by event.
 *
 * At its first return a value is fine: nothing was called later.  After that
 * only `last` grows, and a pair becomes wrong when one of the two does.  Let
 * first(u) < first(v); the pair is wrong iff last(u) > first(v) and
 * last(v) > first(u).  When last(u) grows over first(v), u looks at v: if
 * last(v) > first(u) that is a violation, else v is given the limit first(u).
 * When last(v) grows over its limit, that is the violation.  One limit is
 * enough: two values that pass over first(v) pass over each other's first, or
 * one of them does, and are wrong themselves.  For the same reason every value
 * is looked at once, but for the one that breaks the rule: linear time. */
#include "register_intervals.h"

void plumb_check_intervals_init(struct plumb_check_intervals *z,
                                struct plumb_check_interval *interval,
                                uint32_t *value, uint32_t initial)
{
    *z = (struct plumb_check_intervals){ .interval = interval,
                                         .value = value,
                                         .count = 1 };
    value[0] = initial;
    interval[initial] =
        (struct plumb_check_interval){ .first = 1, .last = 1, .place = 1 };
}

/* Look at the values whose `first` its `last` has passed. */
static enum plumb_check_intervals_answer pass_over(
    struct plumb_check_intervals *z, struct plumb_check_interval *u,
    uint32_t *other)
{
    while (u->place < z->count) {
        struct plumb_check_interval *const v = z->interval + z->value[u->place];
        if (v->first > u->last)
            break;
        if (v->last > u->first) {
            *other = z->value[u->place];
            return PLUMB_INTERVALS_CROSSED;
        }
        v->limit = u->first;
        v->place = (uint32_t)(u - z->interval);
        u->place++;
    }
    return PLUMB_INTERVALS_FINE;
}

enum plumb_check_intervals_answer plumb_check_intervals_reach(
    struct plumb_check_intervals *z, uint32_t value, uint32_t *other)
{
    struct plumb_check_interval *const u = z->interval + value;
    if (u->limit && u->last > u->limit) {
        *other = u->place;
        return PLUMB_INTERVALS_CROSSED;
    }
    return u->last > u->first ? pass_over(z, u, other) : PLUMB_INTERVALS_FINE;
}
