/* range.h - ranges of addresses.
 *
 * A wild pointer may point anywhere: [at, at + size) can reach beyond the end
 * of the address space, where at + size is small.  Such a range ends at the
 * last address there is. */
#ifndef PLUMB_BASE_RANGE_H
#define PLUMB_BASE_RANGE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* The last address of a range that is not empty. */
static inline uint64_t plumb_base_range_last(uint64_t at, uint64_t size)
{
    assert(size > 0);
    return at > UINT64_MAX - (size - 1) ? UINT64_MAX : at + (size - 1);
}

/* Have two ranges an address in common? */
static inline bool plumb_base_ranges_meet(uint64_t a, uint64_t a_size,
                                          uint64_t b, uint64_t b_size)
{
    return a <= b ? b - a < a_size && b_size > 0 : a - b < b_size && a_size > 0;
}

#endif
