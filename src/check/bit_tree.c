/* bit_tree.c - bits, and bits that say where there are any. */
#include "bit_tree.h"

#include <assert.h>
#include <string.h>

static size_t words_for(uint64_t bits)
{
    return (size_t)(bits / 64 + 1);
}

bool plumb_check_bits_init(struct plumb_check_bits *b,
                           struct plumb_base_arena *arena, uint32_t room)
{
    uint64_t bits = room;
    *b = (struct plumb_check_bits){ .room = room };
    do {
        const size_t words = words_for(bits);
        b->level[b->levels] = plumb_base_arena_zeroed(arena, words * 8);
        if (!b->level[b->levels++])
            return false;
        bits = words;
    } while (bits > 1);
    return true;
}

/* Bits below `count` of a row of words are set, those from there to `room` are
 * not. */
static void set_below(uint64_t *word, uint64_t count, uint64_t room)
{
    const size_t whole = (size_t)(count / 64);
    memset(word, 0xff, whole * 8);
    memset(word + whole, 0, (words_for(room) - whole) * 8);
    if (count % 64)
        word[whole] = ((uint64_t)1 << count % 64) - 1;
}

void plumb_check_bits_fill(struct plumb_check_bits *b, uint32_t count)
{
    uint64_t bits = count, room = b->room;
    assert(count <= b->room);
    for (unsigned i = 0; i < b->levels; i++) {
        set_below(b->level[i], bits, room);
        bits = (bits + 63) / 64;
        room = words_for(room);
    }
}

void plumb_check_bits_add(struct plumb_check_bits *b, uint32_t at)
{
    assert(at < b->room);
    for (unsigned i = 0; i < b->levels; i++, at /= 64) {
        const uint64_t before = b->level[i][at / 64];
        b->level[i][at / 64] = before | (uint64_t)1 << at % 64;
        if (before)
            return;
    }
}

static void clear_above(struct plumb_check_bits *b, uint32_t at)
{
    for (unsigned i = 1; i < b->levels; i++) {
        b->level[i][at / 64] &= ~((uint64_t)1 << at % 64);
        if (b->level[i][at / 64])
            return;
        at /= 64;
    }
}

/* The bits `from` ... `to` - 1 of the word they are in. */
static uint64_t mask(uint32_t from, uint32_t to)
{
    const uint64_t upper = ~(uint64_t)0 << from % 64;
    const bool whole = to / 64 != from / 64;
    return whole ? upper : upper & (((uint64_t)1 << to % 64) - 1);
}

void plumb_check_bits_remove(struct plumb_check_bits *b, uint32_t from,
                             uint32_t to)
{
    for (uint32_t x = plumb_check_bits_next(b, from); x < to;
         x = plumb_check_bits_next(b, x)) {
        b->level[0][x / 64] &= ~mask(x, to);
        if (!b->level[0][x / 64])
            clear_above(b, x / 64);
    }
}

/* The first or last member below word `at` of level `i`, which is not zero. */
static uint32_t member_below(const struct plumb_check_bits *b, unsigned i,
                             uint32_t at, bool last)
{
    for (;; i--) {
        const uint64_t word = b->level[i][at];
        at = at * 64 + (uint32_t)(last ? 63 - __builtin_clzll(word)
                                       : __builtin_ctzll(word));
        if (i == 0)
            return at;
    }
}

uint32_t plumb_check_bits_after(const struct plumb_check_bits *b, uint32_t at)
{
    for (unsigned i = 1; i < b->levels; i++) {
        at /= 64;
        const uint64_t later =
            at % 64 == 63 ? 0 : b->level[i][at / 64] >> (at % 64 + 1);
        if (later)
            return member_below(
                b, i - 1, at + 1 + (uint32_t)__builtin_ctzll(later), false);
    }
    return PLUMB_NO_MEMBER;
}

uint32_t plumb_check_bits_before(const struct plumb_check_bits *b, uint32_t at)
{
    for (unsigned i = 1; i < b->levels; i++) {
        at /= 64;
        const uint64_t sooner =
            at % 64 == 0 ? 0 : b->level[i][at / 64] << (64 - at % 64);
        if (sooner)
            return member_below(
                b, i - 1, at - 1 - (uint32_t)__builtin_clzll(sooner), true);
    }
    return PLUMB_NO_MEMBER;
}
