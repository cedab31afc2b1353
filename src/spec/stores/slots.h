/* slots.h - an index of numbered things by their content.
 *
 * Open addressing with linear probing.  A slot holds a number and its hash of
 * 32 bits, so that growing needs nothing from the owner of the things, and
 * most mismatches are seen without looking at them.  To find or add:
 *
 *     if (!plumb_spec_slots_reserve(index))
 *         return NOTHING;
 *     size_t at = hash;
 *     while (plumb_spec_slots_next(index, hash, &at, &number))
 *         if (the thing `number` is the one)
 *             return number;
 *     plumb_spec_slots_fill(index, at, hash, new_number);              */
#ifndef PLUMB_SPEC_STORES_SLOTS_H
#define PLUMB_SPEC_STORES_SLOTS_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_spec_slot {
    uint32_t hash;
    uint32_t number; /* + 1; 0 is a free slot */
};

struct plumb_spec_slots {
    struct plumb_budget *budget;
    struct plumb_spec_slot *slot;
    size_t count, capacity; /* the capacity is a power of two, or 0 */
};

void plumb_spec_slots_init(struct plumb_spec_slots *s,
                           struct plumb_budget *budget);
void plumb_spec_slots_release(struct plumb_spec_slots *s);

/* Make room for one more.  False when memory is used up. */
bool plumb_spec_slots_reserve(struct plumb_spec_slots *s);

/* The next number with this hash, from *at on; `at` starts as the hash and is
 * the free slot when there are no more. */
static inline bool plumb_spec_slots_next(const struct plumb_spec_slots *s,
                                         uint32_t hash, size_t *at,
                                         uint32_t *number)
{
    const size_t mask = s->capacity - 1;
    size_t i = *at & mask;
    while (s->slot[i].number && s->slot[i].hash != hash)
        i = (i + 1) & mask;
    *at = i;
    if (!s->slot[i].number)
        return false;
    *number = s->slot[i].number - 1;
    ++*at;
    return true;
}

static inline void plumb_spec_slots_fill(struct plumb_spec_slots *s, size_t at,
                                         uint32_t hash, uint32_t number)
{
    s->slot[at].hash = hash;
    s->slot[at].number = number + 1;
    s->count++;
}

#endif
