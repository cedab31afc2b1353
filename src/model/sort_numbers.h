/* sort_numbers.h - numbers in ascending order. */
#ifndef PLUMB_MODEL_SORT_NUMBERS_H
#define PLUMB_MODEL_SORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* `spare` has room for as many. */
void plumb_sort_numbers(uint32_t *number, uint32_t *spare, size_t count);

/* 64 bits, in place; good for few or nearly sorted. */
void plumb_sort_words(uint64_t *word, size_t count);

#endif
