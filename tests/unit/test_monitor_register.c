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

static void declines_values_that_repeat(void **state)
{
    (void)state;
    struct toy_type again = of_zero;
    again.name = "register of nil, with few values";
    again.values = 8;
    again.initial = PLUMB_NO_WORD;
    again.start = NIL;
    again.call = call_again;
    again.answer = answer_any;
    const struct toy_counts c = toy_check_random(&again, 20000);
    assert_true(c.linearizable > 0 && c.violations > 0 && c.declined > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(declines_values_that_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
