/* open_intervals.h - which of many numbers are still open, when they only get fewer.
 *
 * One bit per number, and above each 64 words a word that says which of them
 * are not zero, and so on up to one word: the next open number is found in a
 * few steps, and two million of them take a quarter of a megabyte. */
#ifndef PLUMB_CHECK_PRIORITY_OPEN_INTERVALS_H
#define PLUMB_CHECK_PRIORITY_OPEN_INTERVALS_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

#define PLUMB_NO_HOLE UINT32_MAX

enum { PLUMB_HOLE_LEVELS = 6 }; /* 64^6 is more than 2^32 */

struct plumb_check_open_intervals {
    uint64_t *level[PLUMB_HOLE_LEVELS];
    unsigned levels;
    uint32_t room; /* numbers there is memory for */
};

/* False when memory is used up.  Nothing is open before plumb_check_open_intervals_open(). */
bool plumb_check_open_intervals_init(struct plumb_check_open_intervals *h,
                                     struct plumb_base_arena *arena,
                                     uint32_t room);

/* 0 ... count - 1 are open, and nothing else is; count is at most the room. */
void plumb_check_open_intervals_open(struct plumb_check_open_intervals *h,
                                     uint32_t count);

/* from ... to - 1 are open no longer. */
void plumb_check_open_intervals_close(struct plumb_check_open_intervals *h,
                                      uint32_t from, uint32_t to);

uint32_t plumb_check_open_intervals_after(
    const struct plumb_check_open_intervals *h, uint32_t at);
uint32_t plumb_check_open_intervals_before(
    const struct plumb_check_open_intervals *h, uint32_t at);

/* The first open number that is not below `at`, or PLUMB_NO_HOLE. */
static inline uint32_t plumb_check_open_intervals_next(
    const struct plumb_check_open_intervals *h, uint32_t at)
{
    if (at >= h->room)
        return PLUMB_NO_HOLE;
    const uint64_t here = h->level[0][at / 64] >> at % 64;
    return here ? at + (uint32_t)__builtin_ctzll(here)
                : plumb_check_open_intervals_after(h, at);
}

/* The last open number that is not above `at`, which is below the room, or
 * PLUMB_NO_HOLE. */
static inline uint32_t plumb_check_open_intervals_previous(
    const struct plumb_check_open_intervals *h, uint32_t at)
{
    const uint64_t here = h->level[0][at / 64] << (63 - at % 64);
    return here ? at - (uint32_t)__builtin_clzll(here)
                : plumb_check_open_intervals_before(h, at);
}

#endif
