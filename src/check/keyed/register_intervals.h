/* register_intervals.h - a register whose values are each written once, event by event.
 *
 * Everything about a value is in two moments: `first`, when the first operation
 * on it returned, and `last`, when the last of those that have returned (or its
 * write) was called.  Value u cannot come before value v if first(v) < last(u):
 * something about v was over before something about u began.  So if
 *
 *     first(u) < last(v)  and  first(v) < last(u)
 *
 * neither can come first.  If no two values stand so, and no value is read
 * before its write is called, there is an order (Gibbons and Korach 1997, who
 * tell forward zones, first < last, from backward ones;
 * docs/how-monitors-work.md). */
#ifndef PLUMB_CHECK_KEYED_REGISTER_INTERVALS_H
#define PLUMB_CHECK_KEYED_REGISTER_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

/* Moments start at 2; 0: not yet.  The value at first was written at 1. */
struct plumb_check_interval {
    uint32_t first, last;
    /* `first` lies between first and last of another value that has to come
     * later: there it begins; else 0. */
    uint32_t limit;
    /* With a limit: that other value.  Else: up to which place, in the order of
     * `first`, values have been compared with this one. */
    uint32_t place;
};

struct plumb_check_intervals {
    struct plumb_check_interval *interval; /* by value */
    uint32_t *value;                       /* in the order of `first` */
    uint32_t count;
};

#define PLUMB_NO_INTERVAL UINT32_MAX

/* Both arrays are the caller's and large enough; `interval` is zeroed. */
void plumb_check_intervals_init(struct plumb_check_intervals *z,
                                struct plumb_check_interval *interval,
                                uint32_t *value, uint32_t initial);

/* A write is called: say so at any time before its value returns somewhere.
 * False: not the first of its value. */
static inline bool plumb_check_intervals_write(struct plumb_check_intervals *z,
                                               uint32_t value, uint32_t moment)
{
    if (z->interval[value].last)
        return false;
    z->interval[value].last = moment;
    return true;
}

enum plumb_check_intervals_answer {
    PLUMB_INTERVALS_FINE,
    PLUMB_INTERVALS_UNWRITTEN, /* there is no write of this value */
    PLUMB_INTERVALS_CROSSED    /* with *other neither can come first */
};

/* The value's `last` has grown, beyond its `first` or its limit. */
enum plumb_check_intervals_answer plumb_check_intervals_reach(
    struct plumb_check_intervals *z, uint32_t value, uint32_t *other);

/* An operation on the value returns: its write, or a read of it.  Is it the
 * first of its value?  That is taken down without a branch, because the
 * processor cannot guess it. */
static inline enum plumb_check_intervals_answer plumb_check_intervals_return(
    struct plumb_check_intervals *z, uint32_t value, uint32_t call,
    uint32_t moment, uint32_t *other)
{
    struct plumb_check_interval *const u = z->interval + value;
    if (!u->last || u->last > moment)
        return PLUMB_INTERVALS_UNWRITTEN;
    const uint32_t fresh = !u->first, set = 0 - fresh;
    z->value[z->count] = value; /* there is room for one more */
    z->count += fresh;
    u->first |= moment & set;
    u->place ^= (u->place ^ z->count) & set;
    const uint32_t before = u->last;
    u->last = call > before ? call : before;
    return u->last > before && (u->limit || u->last > u->first)
               ? plumb_check_intervals_reach(z, value, other)
               : PLUMB_INTERVALS_FINE;
}

#endif
