/* sort_numbers.h - numbers in ascending order.
 *
 * False when the budget ends the run meanwhile (then they are in no order, and
 * some may be gone) or refuses memory. */
#ifndef PLUMB_BASE_SORT_NUMBERS_H
#define PLUMB_BASE_SORT_NUMBERS_H

#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `spare` has room for as many. */
bool plumb_base_sort_numbers(const struct plumb_budget *budget,
                             uint32_t *number, uint32_t *spare, size_t count);

/* 64 bits; good for few or nearly sorted.  Many need some memory. */
bool plumb_base_sort_words(struct plumb_budget *budget, uint64_t *word,
                           size_t count);

#endif
