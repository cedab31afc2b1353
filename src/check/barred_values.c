/* barred_values.c - intervals of `empty`, by call. */
#include "barred_values.h"

#include "base/memory.h"
#include <assert.h>

void plumb_check_barred_begin(struct plumb_check_barred *b,
                              const struct plumb_spec *spec)
{
    const struct plumb_spec_type *const type = spec->type;
    b->spec = spec;
    b->bar = type->bar ? type->bar(spec) : PLUMB_BARRED;
    b->count = 0;
    b->full = false;
}

void plumb_check_barred_release(struct plumb_check_barred *b,
                                struct plumb_budget *budget)
{
    PLUMB_RELEASE(budget, b->call, b->call_capacity);
    PLUMB_RELEASE(budget, b->reach, b->reach_capacity);
}

static enum plumb_spec_role role_of(const struct plumb_check_barred *b,
                                    const struct plumb_spec_action *a)
{
    return b->spec->type->ops[a->kind].role;
}

bool plumb_check_barred_add(struct plumb_check_barred *b,
                            struct plumb_budget *budget,
                            const struct plumb_spec_action *a)
{
    b->full |= a->term == PLUMB_TERM_FULL;
    if (a->term != PLUMB_TERM_EMPTY || role_of(b, a) != PLUMB_ROLE_REMOVE ||
        b->bar <= PLUMB_BARRED_BY_FULL)
        return true;
    const uint32_t n = b->count;
    if (!PLUMB_GROW(budget, b->call, b->call_capacity, (size_t)n + 1) ||
        !PLUMB_GROW(budget, b->reach, b->reach_capacity, (size_t)n + 1))
        return false;
    assert(n == 0 || b->call[n - 1] < a->call);
    b->call[n] = a->call;
    b->reach[n] = n && b->reach[n - 1] > a->ret ? b->reach[n - 1] : a->ret;
    b->count++;
    return true;
}

static bool overlaps_empty(const struct plumb_check_barred *b,
                           const struct plumb_spec_action *a)
{
    uint32_t low = 0, high = b->count; /* those called before it returns */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (b->call[middle] < a->ret)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && b->reach[low - 1] > a->call;
}

bool plumb_check_barred_is(const struct plumb_check_barred *b,
                           const struct plumb_spec_action *a)
{
    const enum plumb_spec_role in_the_way =
        b->bar == PLUMB_BARRED_BY_ADDING ? PLUMB_ROLE_ADD : PLUMB_ROLE_REMOVE;
    if (b->full || b->bar == PLUMB_BARRED)
        return true;
    return b->bar > PLUMB_BARRED_BY_FULL && role_of(b, a) == in_the_way &&
           overlaps_empty(b, a);
}
