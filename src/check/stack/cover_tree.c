/* cover_tree.c - a tree of smallest counts, from the leaves up. */
#include "cover_tree.h"

#include "base/pace.h"
#include <assert.h>

enum { BITS = 4, FAN = 1 << BITS };

/* A count that is never reached: of the places behind the last point. */
#define NEVER_LOW (INT32_MAX / 2)

static bool add_level(struct plumb_check_cover *c,
                      struct plumb_base_arena *arena, uint32_t size)
{
    const unsigned k = c->levels++;
    c->size[k] = size;
    c->least[k] = plumb_base_arena_alloc(arena, size * sizeof *c->least[k]);
    c->added[k] =
        k ? plumb_base_arena_zeroed(arena, size * sizeof *c->added[k]) : NULL;
    return c->least[k] && (c->added[k] || !k);
}

bool plumb_check_cover_init(struct plumb_check_cover *c,
                            struct plumb_base_arena *arena, uint32_t points)
{
    uint32_t count = points;
    c->levels = 0;
    do {
        const uint32_t size = (count + FAN) & ~(uint32_t)(FAN - 1);
        if (!add_level(c, arena, size))
            return false;
        const unsigned k = c->levels - 1;
        for (uint32_t i = 0; i < size; i++)
            c->least[k][i] = k == 0 && i < points ? 0 : NEVER_LOW;
        count = size >> BITS;
    } while (c->size[c->levels - 1] > FAN);
    return true;
}

static int32_t smallest(const int32_t *count)
{
    int32_t least = INT32_MAX;
    for (unsigned i = 0; i < FAN; i++)
        least = count[i] < least ? count[i] : least;
    return least;
}

/* Node i of level k, which is not 0, from what is below it. */
static void refresh(struct plumb_check_cover *c, unsigned k, uint32_t i)
{
    c->least[k][i] =
        smallest(c->least[k - 1] + ((size_t)i << BITS)) + c->added[k][i];
}

bool plumb_check_cover_build(struct plumb_check_cover *c,
                             const struct plumb_budget *budget)
{
    for (unsigned k = 1; k < c->levels; k++)
        for (uint32_t i = 0; i < c->size[k - 1] >> BITS; i++) {
            if (!plumb_base_in_time(budget, i))
                return false;
            refresh(c, k, i);
        }
    return true;
}

/* Nodes first ... end - 1 of level k. */
static void lower_nodes(struct plumb_check_cover *c, unsigned k, uint32_t first,
                        uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        c->least[k][i]--;
    if (k)
        for (uint32_t i = first; i < end; i++)
            c->added[k][i]--;
}

/* [from, end) is what is left to lower, in nodes of level k: the ends that do
 * not fill a parent now, the rest as parents.  The parents of both ends, which
 * are at x and y, change with what is below them. */
void plumb_check_cover_lower(struct plumb_check_cover *c, uint32_t first,
                             uint32_t last)
{
    uint32_t from = first, end = last + 1, x = first, y = last;
    assert(first <= last && last < c->size[0]);
    for (unsigned k = 0; k < c->levels; k++) {
        const uint32_t inner_from = (from + FAN - 1) >> BITS;
        const uint32_t inner_end = end >> BITS;
        if (inner_from >= inner_end || k + 1 == c->levels) {
            lower_nodes(c, k, from, end);
            from = end = 0;
        } else {
            lower_nodes(c, k, from, inner_from << BITS);
            lower_nodes(c, k, inner_end << BITS, end);
            from = inner_from;
            end = inner_end;
        }
        if (k + 1 == c->levels)
            return;
        x >>= BITS;
        y >>= BITS;
        refresh(c, k + 1, x);
        if (y != x)
            refresh(c, k + 1, y);
    }
}

/* Node i of level k is low enough, `most` being what is left of the bound below
 * its parents: the first such point below it. */
static uint32_t descend(const struct plumb_check_cover *c, unsigned k,
                        uint32_t i, int32_t most)
{
    while (k > 0) {
        most -= c->added[k][i];
        k--;
        for (i <<= BITS; c->least[k][i] > most;)
            i++;
    }
    return i;
}

uint32_t plumb_check_cover_next(const struct plumb_check_cover *c,
                                uint32_t first, uint32_t last, int32_t most)
{
    assert(first <= last && last < c->size[0]);
    for (unsigned k = 1; k < c->levels; k++)
        most -= c->added[k][first >> (BITS * k)];
    uint32_t i = first;
    for (unsigned k = 0; k < c->levels; k++) {
        const uint32_t end = ((first >> (BITS * k)) | (FAN - 1)) + 1;
        for (; i < end; i++) {
            if (i > last >> (BITS * k))
                return PLUMB_NO_POINT;
            if (c->least[k][i] > most)
                continue;
            const uint32_t found = descend(c, k, i, most);
            return found <= last ? found : PLUMB_NO_POINT;
        }
        if (k + 1 < c->levels)
            most += c->added[k + 1][first >> (BITS * (k + 1))];
        i = end >> BITS;
    }
    return PLUMB_NO_POINT;
}
