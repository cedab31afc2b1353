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

/* An array that grows: room for `need` elements, in an array of `capacity`.
 * Both are lvalues, of a pointer and a size_t; the capacity at least doubles,
 * and what is new of a zeroed one is zero.  False leaves them as they were.
 * (Arguments are evaluated more than once.) */
#define PLUMB_GROW(budget, array, capacity, need)                              \
    PLUMB_GROW_BY(plumb_base_grown, budget, array, capacity, need)
#define PLUMB_GROW_ZEROED(budget, array, capacity, need)                       \
    PLUMB_GROW_BY(plumb_base_grown_zeroed, budget, array, capacity, need)

/* Put one more behind `count` of them; false when memory is refused. */
#define PLUMB_APPEND(budget, array, count, capacity, ...)                      \
    (PLUMB_GROW(budget, array, capacity, (size_t)(count) + 1) &&               \
     ((array)[(count)++] = (__VA_ARGS__), true))

/* The array goes in by value and comes back as a result: a `void **` to it
 * would be another type's pointer. */
#define PLUMB_GROW_BY(grown, budget, array, capacity, need)                    \
    ((need) <= (capacity) ||                                                   \
     ((array) = grown(budget, array, &(capacity), need, sizeof *(array)),      \
      (need) <= (capacity)))

#define PLUMB_RELEASE(budget, array, capacity)                                 \
    plumb_base_release(budget, array, (capacity) * sizeof *(array))

/* Where the array is now; if memory is refused, where it was. */
void *plumb_base_grown(struct plumb_budget *budget, void *array,
                       size_t *capacity, size_t need, size_t element_size);
void *plumb_base_grown_zeroed(struct plumb_budget *budget, void *array,
                              size_t *capacity, size_t need,
                              size_t element_size);

/* What another library allocated for us: false if that is too much.  The caller
 * gives back what was charged. */
bool plumb_base_budget_charge(struct plumb_budget *budget, size_t size);
void plumb_base_budget_give_back(struct plumb_budget *budget, size_t size);

/* Work that only makes an answer better should end: a stop is asked for, or
 * less than a seventh of the time is left for having the answer verified. */
bool plumb_base_budget_is_tight(const struct plumb_budget *budget);

/* Is more than half of its memory in use? */
bool plumb_base_budget_is_half_used(const struct plumb_budget *budget);

/* From now on, plumb_budget_peak() says what is used from now on. */
void plumb_base_budget_forget_peak(struct plumb_budget *budget);

/* Make the n-th allocation from now fail, for tests; has it come to that? */
void plumb_base_budget_fail_at(struct plumb_budget *budget, size_t nth);
bool plumb_base_budget_has_failed(const struct plumb_budget *budget);

#endif
