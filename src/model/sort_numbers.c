/* sort_numbers.c - insertion for few, byte by byte for many. */
#include "model/sort_numbers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };

static void insert_all(uint32_t *number, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint32_t x = number[i];
        size_t k = i;
        for (; k && number[k - 1] > x; k--)
            number[k] = number[k - 1];
        number[k] = x;
    }
}

/* The bits in which they are not all the same; 0 if they are in order. */
static uint32_t bits_that_differ(const uint32_t *number, size_t count)
{
    uint32_t differ = 0;
    bool sorted = true;
    for (size_t i = 1; i < count; i++) {
        differ |= number[i] ^ number[0];
        sorted = sorted && number[i - 1] <= number[i];
    }
    return sorted ? 0 : differ;
}

static void sort_by_byte(const uint32_t *from, uint32_t *to, size_t count,
                         unsigned shift)
{
    size_t place[257] = { 0 };
    for (size_t i = 0; i < count; i++)
        place[(from[i] >> shift & 255) + 1]++;
    for (unsigned i = 0; i < 256; i++)
        place[i + 1] += place[i];
    for (size_t i = 0; i < count; i++)
        to[place[from[i] >> shift & 255]++] = from[i];
}

void plumb_sort_numbers(uint32_t *number, uint32_t *spare, size_t count)
{
    uint32_t *from = number, *to = spare;
    if (count <= FEW) {
        insert_all(number, count);
        return;
    }
    const uint32_t differ = bits_that_differ(number, count);
    for (unsigned shift = 0; shift < 32; shift += 8)
        if (differ >> shift & 255) {
            sort_by_byte(from, to, count, shift);
            uint32_t *const turn = from;
            from = to;
            to = turn;
        }
    if (from != number)
        memcpy(number, from, count * sizeof *number);
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void plumb_sort_words(uint64_t *word, size_t count)
{
    if (count > 2 * FEW) {
        qsort(word, count, sizeof *word, by_size);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint64_t x = word[i];
        size_t k = i;
        for (; k && word[k - 1] > x; k--)
            word[k] = word[k - 1];
        word[k] = x;
    }
}
