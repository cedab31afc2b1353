/* slots.c - growing the index: at most three quarters are in use. */
#include "slots.h"

#include "base/memory.h"
#include "base/pace.h"

enum { FIRST_CAPACITY = 64 };

void plumb_spec_slots_init(struct plumb_spec_slots *s,
                           struct plumb_budget *budget)
{
    *s = (struct plumb_spec_slots){ .budget = budget };
}

void plumb_spec_slots_release(struct plumb_spec_slots *s)
{
    PLUMB_RELEASE(s->budget, s->slot, s->capacity);
    plumb_spec_slots_init(s, s->budget);
}

static void move_slot(struct plumb_spec_slot *to, size_t mask,
                      struct plumb_spec_slot from)
{
    size_t i = from.hash & mask;
    while (to[i].number)
        i = (i + 1) & mask;
    to[i] = from;
}

bool plumb_spec_slots_reserve(struct plumb_spec_slots *s)
{
    if (s->count < s->capacity / 4 * 3)
        return true;
    const size_t capacity = s->capacity ? 2 * s->capacity : FIRST_CAPACITY;
    struct plumb_spec_slot *const fresh =
        plumb_base_alloc_zeroed(s->budget, capacity * sizeof *fresh);
    if (!fresh)
        return false;
    for (size_t i = 0; i < s->capacity; i++) {
        if (!plumb_base_in_time(s->budget, i)) {
            PLUMB_RELEASE(s->budget, fresh, capacity);
            return false;
        }
        if (s->slot[i].number)
            move_slot(fresh, capacity - 1, s->slot[i]);
    }
    PLUMB_RELEASE(s->budget, s->slot, s->capacity);
    s->slot = fresh;
    s->capacity = capacity;
    return true;
}
