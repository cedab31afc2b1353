/* bit_tree.h - a set of numbers, with the nearest ones.
 *
 * One bit per number, and above each 64 words a word that says which of them
 * are not zero, and so on up to one word: the nearest member on either side is
 * found in a few steps, and two million numbers take a quarter of a megabyte. */
#ifndef PLUMB_CHECK_BIT_TREE_H
#define PLUMB_CHECK_BIT_TREE_H

#include "base/arena.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define PLUMB_NO_MEMBER UINT32_MAX

enum { PLUMB_BIT_LEVELS = 6 }; /* 64^6 is more than 2^32 */

struct plumb_check_bits {
    uint64_t *level[PLUMB_BIT_LEVELS];
    unsigned levels;
    uint32_t room; /* numbers there is memory for */
};

/* Empty.  False when memory is used up. */
bool plumb_check_bits_init(struct plumb_check_bits *b,
                           struct plumb_base_arena *arena, uint32_t room);

/* It is 0 ... count - 1; count is at most the room. */
void plumb_check_bits_fill(struct plumb_check_bits *b, uint32_t count);

/* One more; and from ... to - 1 less. */
void plumb_check_bits_add(struct plumb_check_bits *b, uint32_t at);
void plumb_check_bits_remove(struct plumb_check_bits *b, uint32_t from,
                             uint32_t to);

uint32_t plumb_check_bits_after(const struct plumb_check_bits *b, uint32_t at);
uint32_t plumb_check_bits_before(const struct plumb_check_bits *b, uint32_t at);

/* The first member that is not below `at`, or PLUMB_NO_MEMBER. */
static inline uint32_t plumb_check_bits_next(const struct plumb_check_bits *b,
                                             uint32_t at)
{
    if (at >= b->room)
        return PLUMB_NO_MEMBER;
    const uint64_t here = b->level[0][at / 64] >> at % 64;
    return here ? at + (uint32_t)__builtin_ctzll(here)
                : plumb_check_bits_after(b, at);
}

/* The last member that is not above `at`, which is below the room, or
 * PLUMB_NO_MEMBER. */
static inline uint32_t plumb_check_bits_previous(
    const struct plumb_check_bits *b, uint32_t at)
{
    assert(at <= b->room);
    const uint64_t here = b->level[0][at / 64] << (63 - at % 64);
    return here ? at - (uint32_t)__builtin_clzll(here)
                : plumb_check_bits_before(b, at);
}

#endif
