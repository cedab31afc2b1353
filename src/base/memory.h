/* memory.h - allocation that is charged to a budget.
 *
 * Sizes are passed back on release, so the budget needs no header per block.
 * Every function returns NULL (and leaves its arguments alone) when malloc or
 * the budget refuses. */
#ifndef PLUMB_BASE_MEMORY_H
#define PLUMB_BASE_MEMORY_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>

void *plumb_base_alloc(struct plumb_budget *budget, size_t size);
void *plumb_base_alloc_zeroed(struct plumb_budget *budget, size_t size);
void *plumb_base_resize(struct plumb_budget *budget, void *block,
                        size_t old_size, size_t new_size);
void plumb_base_release(struct plumb_budget *budget, void *block, size_t size);

/* Make room for `need` elements in a growing array: at least doubles. */
bool plumb_base_grow_more(struct plumb_budget *budget, void **block,
                          size_t *capacity, size_t need, size_t element_size);

static inline bool plumb_base_grow(struct plumb_budget *budget, void **block,
                                   size_t *capacity, size_t need,
                                   size_t element_size)
{
    return need <= *capacity ||
           plumb_base_grow_more(budget, block, capacity, need, element_size);
}

/* Work that only makes an answer better should end: a stop is asked for, or
 * less than a seventh of the time is left for having the answer verified. */
bool plumb_base_budget_is_tight(const struct plumb_budget *budget);

/* Make the n-th allocation from now fail, for tests; has it come to that? */
void plumb_base_budget_fail_at(struct plumb_budget *budget, size_t nth);
bool plumb_base_budget_has_failed(const struct plumb_budget *budget);

#endif
