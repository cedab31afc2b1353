/* reach_tree.c - a tree of largest ends, 16 children each: one cache line. */
#include "reach_tree.h"

#include "base/pace.h"
#include <assert.h>

enum { BITS = 4, FAN = 1 << BITS, FEW = 2 * FAN };

bool plumb_check_reach_init(struct plumb_check_reach *r,
                            struct plumb_base_arena *arena, uint32_t count)
{
    r->levels = 0;
    for (;;) {
        const uint32_t size = (count + FAN) & ~(uint32_t)(FAN - 1);
        int32_t *const level =
            plumb_base_arena_alloc(arena, size * sizeof *level);
        if (!level)
            return false;
        for (uint32_t i = 0; i < size; i++)
            level[i] = PLUMB_REACHES_NONE;
        r->size[r->levels] = size;
        r->level[r->levels++] = level;
        if (size <= FAN)
            return true;
        count = size >> BITS;
    }
}

static int32_t largest(const int32_t *end)
{
    int32_t most = PLUMB_REACHES_NONE;
    for (unsigned i = 0; i < FAN; i++)
        most = end[i] > most ? end[i] : most;
    return most;
}

bool plumb_check_reach_build(struct plumb_check_reach *r,
                             const struct plumb_budget *budget)
{
    for (unsigned k = 1; k < r->levels; k++)
        for (uint32_t i = 0; i < r->size[k - 1] >> BITS; i++) {
            if (!plumb_base_in_time(budget, i))
                return false;
            r->level[k][i] = largest(r->level[k - 1] + ((size_t)i << BITS));
        }
    return true;
}

static uint32_t descend(const struct plumb_check_reach *r, unsigned k,
                        uint32_t i, int32_t p)
{
    while (k-- > 0)
        for (i = (i << BITS) + FAN - 1; r->level[k][i] < p;)
            i--;
    return i;
}

static uint32_t climb(const struct plumb_check_reach *r, uint32_t limit,
                      int32_t p)
{
    uint32_t i = limit;
    for (unsigned k = 0; k < r->levels; k++) {
        const uint32_t first = i & ~(uint32_t)(FAN - 1);
        while (i > first)
            if (r->level[k][--i] >= p)
                return descend(r, k, i, p);
        i = first >> BITS;
    }
    return PLUMB_NO_REACH;
}

uint32_t plumb_check_reach_last(const struct plumb_check_reach *r,
                                uint32_t first, uint32_t limit, int32_t p)
{
    assert(first <= limit && limit <= r->size[0]);
    if (limit - first > FEW)
        return climb(r, limit, p);
    for (uint32_t i = limit; i > first; i--)
        if (r->level[0][i - 1] >= p)
            return i - 1;
    return PLUMB_NO_REACH;
}

/* Nodes change only as long as it was the largest. */
void plumb_check_reach_set(struct plumb_check_reach *r, uint32_t i, int32_t end)
{
    const int32_t before = r->level[0][i];
    assert(end <= before); /* ends only get earlier */
    r->level[0][i] = end;
    for (unsigned k = 1; k < r->levels; k++) {
        i >>= BITS;
        if (r->level[k][i] != before)
            return;
        r->level[k][i] = largest(r->level[k - 1] + ((size_t)i << BITS));
    }
}
