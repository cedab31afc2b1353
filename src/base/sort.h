/* sort.h - in order by comparison, as qsort() but on a budget.
 *
 * Equal ones keep their order.  Many need room for half of them meanwhile.
 * False when memory is refused, and then nothing has moved; or when the budget
 * ends the run, and then they are in no order and some may be gone. */
#ifndef PLUMB_BASE_SORT_H
#define PLUMB_BASE_SORT_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool plumb_base_sort(struct plumb_budget *budget, void *array, size_t count,
                     size_t size, int (*compare)(const void *a, const void *b));

/* For arrays of uint32_t, in ascending order. */
int plumb_base_by_number(const void *a, const void *b);

/* The other way round. */
void plumb_base_reverse(uint32_t *list, size_t count);

#endif
