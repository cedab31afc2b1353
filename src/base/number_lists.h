/* number_lists.h - lists of numbers; equal lists, equal numbers.
 *
 * For sets of events and for what states can do: many have the same. */
#ifndef PLUMB_BASE_NUMBER_LISTS_H
#define PLUMB_BASE_NUMBER_LISTS_H

#include "index.h"
#include <assert.h>

struct plumb_base_lists {
    struct plumb_budget *budget;
    struct plumb_base_index index;
    size_t *first; /* of each list, and where the last one ends */
    size_t first_room;
    uint64_t *hash;
    size_t hash_room;
    uint32_t count;
    uint32_t *number; /* all lists, one after the other */
    size_t number_room;
};

void plumb_base_lists_init(struct plumb_base_lists *l,
                           struct plumb_budget *budget);
void plumb_base_lists_release(struct plumb_base_lists *l);

/* PLUMB_ABSENT when memory is refused. */
uint32_t plumb_base_lists_put(struct plumb_base_lists *l,
                              const uint32_t *number, size_t count);
/* PLUMB_ABSENT if it was not put in. */
uint32_t plumb_base_lists_find(const struct plumb_base_lists *l,
                               const uint32_t *number, size_t count);

static inline const uint32_t *plumb_base_lists_get(
    const struct plumb_base_lists *l, uint32_t list, size_t *count)
{
    assert(list < l->count);
    *count = l->first[list + 1] - l->first[list];
    return l->number + l->first[list];
}

#endif
