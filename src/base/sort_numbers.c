/* sort_numbers.c - insertion for few, byte by byte for many. */
#include "sort_numbers.h"

#include "pace.h"
#include "sort.h"
#include <string.h>

enum { FEW = 32, FEW_WORDS = 64 };

/* ---- 32 bits ---- */

static void insert_numbers(uint32_t *number, size_t count)
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
static bool compare_numbers(const struct plumb_budget *budget,
                            const uint32_t *number, size_t count,
                            uint32_t *differ)
{
    bool sorted = true;
    *differ = 0;
    for (size_t i = 1; i < count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        *differ |= number[i] ^ number[0];
        sorted = sorted && number[i - 1] <= number[i];
    }
    if (sorted)
        *differ = 0;
    return true;
}

static bool sort_by_byte(const struct plumb_budget *budget,
                         const uint32_t *from, uint32_t *to, size_t count,
                         unsigned shift)
{
    size_t place[257] = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        place[(from[i] >> shift & 255) + 1]++;
    }
    for (unsigned i = 0; i < 256; i++)
        place[i + 1] += place[i];
    for (size_t i = 0; i < count; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        to[place[from[i] >> shift & 255]++] = from[i];
    }
    return true;
}

bool plumb_base_sort_numbers(const struct plumb_budget *budget,
                             uint32_t *number, uint32_t *spare, size_t count)
{
    uint32_t *from = number, *to = spare, differ;
    if (count <= FEW) {
        insert_numbers(number, count);
        return true;
    }
    if (!compare_numbers(budget, number, count, &differ))
        return false;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        if (!(differ >> shift & 255))
            continue;
        if (!sort_by_byte(budget, from, to, count, shift))
            return false;
        uint32_t *const turn = from;
        from = to;
        to = turn;
    }
    if (from != number)
        memcpy(number, from, count * sizeof *number);
    return true;
}

/* ---- 64 bits ---- */

static void insert_words(uint64_t *word, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t x = word[i];
        size_t k = i;
        for (; k && word[k - 1] > x; k--)
            word[k] = word[k - 1];
        word[k] = x;
    }
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool plumb_base_sort_words(struct plumb_budget *budget, uint64_t *word,
                           size_t count)
{
    if (count > FEW_WORDS)
        return plumb_base_sort(budget, word, count, sizeof *word, by_size);
    insert_words(word, count);
    return true;
}
