/* test_monitor_register.c - the monitor of registers against all orders. */
#include "toy_register.h"

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_every(&of_zero, 5);
    assert_int_equal(c.declined, 0);
}

static void is_right_about_random_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_random(&of_zero, 20000);
    assert_int_equal(c.declined, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static struct toy_type of_nil(const char *name)
{
    struct toy_type again = of_zero;
    again.name = name;
    again.values = 2;
    again.initial = PLUMB_NO_WORD;
    again.start = NIL;
    again.call = call_again;
    again.answer = answer_any;
    return again;
}

static void values_may_repeat(void **state)
{
    (void)state;
    const struct toy_type again = of_nil("register of nil, with few values");
    toy_check_every(&again, 4);
    const struct toy_counts c = toy_check_random(&again, 20000);
    assert_int_equal(c.declined, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void compares_and_swaps(void **state)
{
    (void)state;
    struct toy_type any = of_nil("register with cas and swap");
    any.call = call_any;
    toy_check_every(&any, 3);
    const struct toy_counts c = toy_check_random(&any, 20000);
    assert_int_equal(c.declined, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void says_when_memory_is_used_up(void **state)
{
    (void)state;
    toy_check_memory(&of_zero, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(values_may_repeat),
        cmocka_unit_test(compares_and_swaps),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
