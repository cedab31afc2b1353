/* point_set.c - bits, and bits that say where there are any. */
#include "point_set.h"

#include "base/bits.h"

enum { BITS = 6, WORD = 1 << BITS };

bool plumb_check_point_set_init(struct plumb_check_point_set *s,
                                struct plumb_base_arena *arena, uint32_t points)
{
    uint32_t count = points;
    s->levels = 0;
    do {
        const uint32_t words = (count >> BITS) + 1;
        const unsigned k = s->levels++;
        s->words[k] = words;
        s->level[k] =
            plumb_base_arena_zeroed(arena, words * sizeof *s->level[k]);
        if (!s->level[k])
            return false;
        count = words;
    } while (count > 1);
    return true;
}

void plumb_check_point_set_add(struct plumb_check_point_set *s, uint32_t p)
{
    for (unsigned k = 0; k < s->levels; k++) {
        const uint64_t bit = (uint64_t)1 << (p % WORD);
        p >>= BITS;
        const uint64_t before = s->level[k][p];
        s->level[k][p] = before | bit;
        if (before)
            return;
    }
}

static unsigned highest(uint64_t word)
{
    return (unsigned)(WORD - 1 - __builtin_clzll(word));
}

uint32_t plumb_check_point_set_next(const struct plumb_check_point_set *s,
                                    uint32_t p)
{
    for (unsigned k = 0; k < s->levels; k++) {
        const uint32_t at = p >> BITS;
        if (at >= s->words[k])
            return UINT32_MAX;
        uint64_t word = s->level[k][at] >> (p % WORD);
        if (word) {
            p += plumb_base_lowest(word);
            while (k-- > 0)
                p = (p << BITS) + plumb_base_lowest(s->level[k][p]);
            return p;
        }
        p = at + 1;
    }
    return UINT32_MAX;
}

uint32_t plumb_check_point_set_last(const struct plumb_check_point_set *s,
                                    uint32_t p)
{
    for (unsigned k = 0; k < s->levels; k++) {
        const uint32_t at = p >> BITS;
        const uint64_t word = s->level[k][at] << (WORD - 1 - p % WORD);
        if (word) {
            p -= WORD - 1 - highest(word);
            while (k-- > 0)
                p = (p << BITS) + highest(s->level[k][p]);
            return p;
        }
        if (at == 0)
            return UINT32_MAX;
        p = at - 1;
    }
    return UINT32_MAX;
}
