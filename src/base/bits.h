/* bits.h - sets of small numbers as the bits of a word. */
#ifndef PLUMB_BASE_BITS_H
#define PLUMB_BASE_BITS_H

#include <assert.h>
#include <stdint.h>

static inline uint64_t plumb_base_bit(unsigned number)
{
    assert(number < 64);
    return (uint64_t)1 << number;
}

/* The lowest number in a set that is not empty. */
static inline unsigned plumb_base_lowest(uint64_t set)
{
    assert(set);
    return (unsigned)__builtin_ctzll(set);
}

#endif
