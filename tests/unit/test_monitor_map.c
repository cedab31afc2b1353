/* test_monitor_map.c - the monitor of maps against all orders. */
#include "toy_map.h"

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_every(&fresh, 4);
    assert_int_equal(c.declined + c.left, 0);
}

static void is_right_about_random_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_random(&fresh, 20000);
    assert_int_equal(c.declined + c.left, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void values_may_repeat(void **state)
{
    (void)state;
    struct toy_type few = fresh;
    few.name = "map with few values, 0 at first";
    few.initial = few.start = 0;
    few.values = 2;
    few.call = call_with_few;
    const struct toy_counts c = toy_check_random(&few, 20000);
    assert_int_equal(c.declined + c.left, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(values_may_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
