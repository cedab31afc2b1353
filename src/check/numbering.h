/* numbering.h - the values of a history as small numbers.
 *
 * Most histories store integers that lie close together, or words, which have
 * numbers already.  These number themselves: integers by their distance from
 * the smallest, strings by their symbol.  Only where integers are far apart is
 * each looked up. */
#ifndef PLUMB_CHECK_NUMBERING_H
#define PLUMB_CHECK_NUMBERING_H

#include "base/arena.h"
#include <plumb/history.h>
#include <stdbool.h>

/* false and true are numbers 0 and 1, then come the integers, then symbols. */
struct plumb_numbering {
    uint64_t least;    /* of the integers                       */
    uint32_t integers; /* numbers for them                      */
    uint32_t count;    /* all numbers are below                 */
    bool strings;      /* there are some                        */
    bool scattered;    /* integers are looked up                */
    uint64_t *integer; /* by number - 2                         */
    uint32_t *slot;    /* open addressing: number - 1, 0 is free */
    uint32_t mask;
};

/* Of all values of `h`, and of `extra` unless it is NULL.  With `sorted` a
 * smaller integer has a smaller number.  It lives in `arena`; false when memory
 * is used up or there are too many. */
bool plumb_numbering_make(struct plumb_numbering *n,
                          const struct plumb_history *h,
                          const struct plumb_value *extra, bool sorted,
                          struct plumb_arena *arena);

/* The number of a value; PLUMB_NOT_NUMBERED of nil, and of strings that are not
 * of the history. */
#define PLUMB_NOT_NUMBERED UINT32_MAX
uint32_t plumb_numbering_find(const struct plumb_numbering *n,
                              struct plumb_value v);

static inline uint32_t plumb_number(const struct plumb_numbering *n,
                                    struct plumb_value v)
{
    if (v.tag == PLUMB_INT && !n->scattered)
        return (uint32_t)(v.bits - n->least) + 2;
    return plumb_numbering_find(n, v);
}

#endif
