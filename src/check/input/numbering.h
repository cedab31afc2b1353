/* numbering.h - the values of a history as small numbers.
 *
 * Most histories store integers that lie close together, or words, which have
 * numbers already.  These number themselves: integers by their distance from
 * the smallest, strings by their symbol.  Where integers are far apart, the page
 * of 64 that one is on is looked up: threads that make up values each in a range
 * of its own fill pages, and there are few enough to be found quickly.  Only
 * where they do not is each integer looked up. */
#ifndef PLUMB_CHECK_INPUT_NUMBERING_H
#define PLUMB_CHECK_INPUT_NUMBERING_H

#include "base/arena.h"
#include <plumb/history.h>
#include <stdbool.h>

/* false and true are numbers 0 and 1, then come the integers, then symbols. */
struct plumb_check_numbering {
    uint64_t least;    /* of the integers                       */
    uint32_t integers; /* numbers for them                      */
    uint32_t count;    /* all numbers are below                 */
    bool strings;      /* there are some                        */
    bool scattered;    /* pages are looked up                   */
    unsigned bits;     /* a page is 2^bits integers: 6, or 0    */
    uint32_t pages, most_pages;
    uint64_t *page;  /* which it is                           */
    uint64_t *used;  /* its integers that there are; NULL: all */
    uint32_t *first; /* the number of the least of them       */
    uint32_t *slot;  /* open addressing: page + 1, 0 is free; made once, of the
                        right size, and asked for every value */
    uint32_t mask;
};

/* Of all values of `h`, and of `extra` unless it is NULL.  With `sorted` a
 * smaller integer has a smaller number.  It lives in `arena`; false when memory
 * is used up or there are too many. */
bool plumb_check_numbering_make(struct plumb_check_numbering *n,
                                const struct plumb_history *h,
                                const struct plumb_value *extra, bool sorted,
                                struct plumb_base_arena *arena);

/* The number of a value; PLUMB_NOT_NUMBERED of nil, and of strings that are not
 * of the history. */
#define PLUMB_NOT_NUMBERED UINT32_MAX
uint32_t plumb_check_numbering_find(const struct plumb_check_numbering *n,
                                    struct plumb_value v);

static inline uint32_t plumb_check_number(const struct plumb_check_numbering *n,
                                          struct plumb_value v)
{
    if (v.tag == PLUMB_INT && !n->scattered)
        return (uint32_t)(v.bits - n->least) + 2;
    return plumb_check_numbering_find(n, v);
}

#endif
