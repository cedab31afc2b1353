/* test_monitor_multiset.c - the monitor of multisets against all orders. */
#include "toy_multiset.h"

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_every(&one_key, 4);
    assert_int_equal(c.declined + c.left, 0);
}

static void is_right_about_random_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_random(&one_key, 20000);
    assert_int_equal(c.declined + c.left, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void keeps_keys_apart(void **state)
{
    (void)state;
    struct toy_type three = one_key;
    three.name = "multiset of three keys";
    three.values = 2;
    three.call = call_of_three;
    const struct toy_counts c = toy_check_random(&three, 20000);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void says_when_memory_is_used_up(void **state)
{
    (void)state;
    toy_check_memory(&one_key, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(keeps_keys_apart),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
