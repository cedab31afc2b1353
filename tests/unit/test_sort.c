/* test_sort.c - sorting on a budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/sort_numbers.h"
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void numbers_are_sorted(void **state)
{
    (void)state;
    enum { MOST = 600 };
    uint32_t one[MOST], two[MOST], three[MOST], spare[MOST];
    uint64_t words[MOST];
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 1);
    for (uint32_t round = 0; round < 3000; round++) {
        const uint32_t count = plumb_base_rng_below(&rng, MOST);
        const uint32_t shift = plumb_base_rng_below(&rng, 32);
        for (uint32_t i = 0; i < count; i++) {
            one[i] = two[i] = three[i] =
                (uint32_t)plumb_base_rng_next(&rng) >> shift;
            words[i] = (uint64_t)one[i] << 20;
        }
        qsort(two, count, sizeof *two, by_number);
        assert_true(plumb_base_sort_numbers(NULL, one, spare, count));
        assert_true(plumb_base_sort_words(NULL, words, count));
        assert_true(
            plumb_base_sort(NULL, three, count, sizeof *three, by_number));
        assert_memory_equal(one, two, count * sizeof *one);
        assert_memory_equal(three, two, count * sizeof *three);
        for (uint32_t i = 0; i < count; i++)
            assert_true(words[i] == (uint64_t)two[i] << 20);
    }
}

struct person {
    uint32_t age, born, unused;
};

static void equal_ones_keep_their_order(void **state)
{
    enum { MANY = 5000, AGES = 90 };
    static struct person person[MANY];
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < MANY; i++)
        person[i] = (struct person){ plumb_base_rng_below(&rng, AGES), i, 0 };
    assert_true(plumb_base_sort(NULL, person, MANY, sizeof *person, by_number));
    for (uint32_t i = 1; i < MANY; i++)
        assert_true(person[i - 1].age < person[i].age ||
                    (person[i - 1].age == person[i].age &&
                     person[i - 1].born < person[i].born));
}

/* Large enough that each has to ask. */
enum { MUCH = 100000 };

static uint32_t *disorder(void)
{
    uint32_t *const number = malloc(2 * MUCH * sizeof *number);
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < 2 * MUCH; i++)
        number[i] = (uint32_t)plumb_base_rng_next(&rng);
    return number;
}

static void a_stop_ends_it(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    uint32_t *const number = disorder();
    uint64_t *const word = (uint64_t *)(void *)number;
    (void)state;
    plumb_budget_stop(budget);
    assert_false(plumb_base_sort_numbers(budget, number, number + MUCH, MUCH));
    assert_false(plumb_base_sort_words(budget, word, MUCH));
    assert_false(
        plumb_base_sort(budget, number, MUCH, sizeof *number, by_number));
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
    free(number);
}

static void nothing_moves_without_memory(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, MUCH);
    uint32_t *const number = disorder(), *const copy = disorder();
    (void)state;
    assert_false(
        plumb_base_sort(budget, number, MUCH, sizeof *number, by_number));
    assert_memory_equal(number, copy, MUCH * sizeof *number);
    plumb_budget_free(budget);
    free(number);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_sorted),
        cmocka_unit_test(equal_ones_keep_their_order),
        cmocka_unit_test(a_stop_ends_it),
        cmocka_unit_test(nothing_moves_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
