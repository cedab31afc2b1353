/* open_intervals.c - which of many numbers are still open, when they only get fewer. */
#include "open_intervals.h"

#include <string.h>

static size_t words_for(uint64_t bits)
{
    return (size_t)(bits / 64 + 1);
}

bool plumb_check_open_intervals_init(struct plumb_check_open_intervals *h,
                                     struct plumb_base_arena *arena,
                                     uint32_t room)
{
    uint64_t bits = room;
    *h = (struct plumb_check_open_intervals){ .room = room };
    do {
        const size_t words = words_for(bits);
        h->level[h->levels] = plumb_base_arena_zeroed(arena, words * 8);
        if (!h->level[h->levels++])
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

void plumb_check_open_intervals_open(struct plumb_check_open_intervals *h,
                                     uint32_t count)
{
    uint64_t bits = count, room = h->room;
    for (unsigned i = 0; i < h->levels; i++) {
        set_below(h->level[i], bits, room);
        bits = (bits + 63) / 64;
        room = words_for(room);
    }
}

static void clear_above(struct plumb_check_open_intervals *h, uint32_t at)
{
    for (unsigned i = 1; i < h->levels; i++) {
        h->level[i][at / 64] &= ~((uint64_t)1 << at % 64);
        if (h->level[i][at / 64])
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

void plumb_check_open_intervals_close(struct plumb_check_open_intervals *h,
                                      uint32_t from, uint32_t to)
{
    for (uint32_t x = plumb_check_open_intervals_next(h, from); x < to;
         x = plumb_check_open_intervals_next(h, x)) {
        h->level[0][x / 64] &= ~mask(x, to);
        if (!h->level[0][x / 64])
            clear_above(h, x / 64);
    }
}

/* Down from word `at` of level `i`, which is not zero. */
static uint32_t first_below(const struct plumb_check_open_intervals *h,
                            unsigned i, uint32_t at)
{
    for (;; i--) {
        at = at * 64 + (uint32_t)__builtin_ctzll(h->level[i][at]);
        if (i == 0)
            return at;
    }
}

static uint32_t last_below(const struct plumb_check_open_intervals *h,
                           unsigned i, uint32_t at)
{
    for (;; i--) {
        at = at * 64 + 63 - (uint32_t)__builtin_clzll(h->level[i][at]);
        if (i == 0)
            return at;
    }
}

uint32_t plumb_check_open_intervals_after(
    const struct plumb_check_open_intervals *h, uint32_t at)
{
    for (unsigned i = 1; i < h->levels; i++) {
        at /= 64;
        const uint64_t later =
            at % 64 == 63 ? 0 : h->level[i][at / 64] >> (at % 64 + 1);
        if (later)
            return first_below(h, i - 1,
                               at + 1 + (uint32_t)__builtin_ctzll(later));
    }
    return PLUMB_NO_HOLE;
}

uint32_t plumb_check_open_intervals_before(
    const struct plumb_check_open_intervals *h, uint32_t at)
{
    for (unsigned i = 1; i < h->levels; i++) {
        at /= 64;
        const uint64_t sooner =
            at % 64 == 0 ? 0 : h->level[i][at / 64] << (64 - at % 64);
        if (sooner)
            return last_below(h, i - 1,
                              at - 1 - (uint32_t)__builtin_clzll(sooner));
    }
    return PLUMB_NO_HOLE;
}
