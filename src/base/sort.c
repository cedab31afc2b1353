/* sort.c - halves are sorted and merged: the first one waits aside meanwhile.
 *
 * What is in order already is only looked at. */
#include "sort.h"

#include "memory.h"
#include "pace.h"
#include <assert.h>
#include <string.h>

struct sorting {
    char *spare;
    size_t size; /* of an element */
    int (*compare)(const void *a, const void *b);
    struct plumb_base_pace pace;
};

/* Most are words or numbers; the compiler knows how to move those. */
static void move(const struct sorting *s, char *to, const char *from)
{
    if (s->size == sizeof(uint64_t))
        memcpy(to, from, sizeof(uint64_t));
    else if (s->size == sizeof(uint32_t))
        memcpy(to, from, sizeof(uint32_t));
    else
        memcpy(to, from, s->size);
}

/* Both halves are in order, and the first one is as long as said. */
static bool merge(struct sorting *s, char *array, size_t count, size_t half)
{
    const size_t size = s->size;
    const char *one = s->spare, *const one_end = one + half * size;
    const char *two = array + half * size;
    const char *const two_end = array + count * size;
    if (s->compare(two - size, two) <= 0)
        return true;
    memcpy(s->spare, array, half * size);
    while (one < one_end && two < two_end) {
        const bool second = s->compare(one, two) > 0;
        if (!plumb_base_pace_allows(&s->pace, 1))
            return false;
        move(s, array, second ? two : one);
        *(second ? &two : &one) += size;
        array += size;
    }
    memcpy(array, one, (size_t)(one_end - one));
    return true;
}

/* As deep as the number of elements has binary digits. */
static bool sort(struct sorting *s, char *array, size_t count)
{
    const size_t half = count / 2;
    if (count < 2)
        return true;
    return sort(s, array, half) &&
           sort(s, array + half * s->size, count - half) &&
           merge(s, array, count, half);
}

bool plumb_base_sort(struct plumb_budget *budget, void *array, size_t count,
                     size_t size, int (*compare)(const void *a, const void *b))
{
    assert(size > 0 && (array || !count));
    struct sorting s = { .size = size,
                         .compare = compare,
                         .pace = { .budget = budget } };
    const size_t room = count / 2 * size;
    char few[256];
    if (room <= sizeof few) {
        s.spare = few;
        return sort(&s, array, count);
    }
    s.spare = plumb_base_alloc(budget, room);
    if (!s.spare)
        return false;
    const bool sorted = sort(&s, array, count);
    plumb_base_release(budget, s.spare, room);
    return sorted;
}

int plumb_base_by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void plumb_base_reverse(uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const uint32_t other = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = other;
    }
}
