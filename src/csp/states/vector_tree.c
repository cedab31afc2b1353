/* vector_tree.c - see vector_tree.h. */
#include "vector_tree.h"

#include "base/memory.h"
#include <assert.h>

static uint64_t power(uint64_t base, unsigned exponent)
{
    uint64_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* As few levels as possible, as even as possible. */
static void choose_widths(struct plumb_csp_tree *t, uint32_t side)
{
    while (power(PLUMB_WIDEST, t->levels) < side)
        t->levels++;
    assert(t->levels < PLUMB_MOST_LEVELS);
    for (unsigned level = 0; level < t->levels; level++) {
        uint32_t width = 4;
        while (power(width, t->levels - level) < side)
            width += 4;
        t->width[level] = width;
        side = (side - 1) / width + 1;
    }
}

static void count_places(struct plumb_csp_tree *t)
{
    t->side[t->levels] = 1;
    for (unsigned level = t->levels; level-- > 0;)
        t->side[level] = t->side[level + 1] * t->width[level];
    for (unsigned level = 0; level < t->levels; level++)
        t->top += 2 * t->side[level];
    t->places = t->top + 2;
}

/* All arrays are one block. */
static size_t size_of(const struct plumb_csp_tree *t)
{
    return (t->slots + 2 * (size_t)t->side[0] + 2 * (size_t)t->places) *
           sizeof(uint32_t);
}

static bool allocate(struct plumb_csp_tree *t)
{
    t->place = plumb_base_alloc_zeroed(t->budget, size_of(t));
    if (!t->place)
        return false;
    t->slot = t->place + t->slots;
    t->above = t->slot + 2 * t->side[0];
    t->below = t->above + t->places;
    return true;
}

static void connect(struct plumb_csp_tree *t)
{
    uint32_t begin = 0;
    for (unsigned level = 0; level < t->levels; level++) {
        const uint32_t places = 2 * t->side[level], width = t->width[level];
        for (uint32_t i = 0; i < places; i++)
            t->above[begin + i] = begin + places + i / width;
        for (uint32_t i = 0; i < places; i += width)
            t->below[begin + places + i / width] = begin + i;
        begin += places;
    }
}

static void put_slots(struct plumb_csp_tree *t, const uint32_t *order,
                      uint32_t cut)
{
    for (uint32_t i = 0; i < 2 * t->side[0]; i++)
        t->slot[i] = PLUMB_NO_SLOT;
    for (uint32_t i = 0; i < t->slots; i++) {
        const uint32_t slot = order ? order[i] : i;
        const uint32_t place = i < cut ? i : t->side[0] + i - cut;
        t->slot[place] = slot;
        t->place[slot] = place;
    }
}

bool plumb_csp_tree_init(struct plumb_csp_tree *t, uint32_t slots,
                         const uint32_t *order, uint32_t cut,
                         struct plumb_budget *budget)
{
    *t = (struct plumb_csp_tree){ .budget = budget, .slots = slots };
    const uint32_t right = slots - cut;
    choose_widths(t, cut > right ? cut : right);
    count_places(t);
    if (!allocate(t))
        return false;
    connect(t);
    put_slots(t, order, cut);
    return true;
}

void plumb_csp_tree_release(struct plumb_csp_tree *t)
{
    plumb_base_release(t->budget, t->place, size_of(t));
}
