/* test_live_register_intervals.c - registers by intervals, against the definition. */
#include "live_registers.h"

#include "check/live/live_register_intervals.h"

/* One machine at a time. */
static struct plumb_check_live_users users;

static void *open_intervals(struct plumb_check_live_talk *talk)
{
    plumb_check_live_users_init(&users, talk->numbers);
    void *const intervals = plumb_check_live_intervals_open(talk, &users);
    if (!intervals)
        plumb_check_live_users_release(&users);
    return intervals;
}

static void close_intervals(void *machine)
{
    plumb_check_live_intervals_close(machine);
    assert_true(users.numbers->used <= 1); /* what was never written */
    plumb_check_live_users_release(&users);
}

static const struct plumb_check_live_class by_intervals = {
    .open = open_intervals,
    .close = close_intervals,
    .call = plumb_check_live_intervals_call,
    .ret = plumb_check_live_intervals_ret,
    .info = plumb_check_live_intervals_info,
    .fail = plumb_check_live_intervals_fail,
};

static void declines_values_that_repeat(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    const struct live_toy toy = { .type = &nil,
                                  .class = &by_intervals,
                                  .is_value = is_value,
                                  .faults = 500,
                                  .cycle = 5,
                                  .width = 3 };
    const struct live_toy_counts c = live_check(&toy, 30000, 300);
    assert_true(c.violations > 0 && c.declined > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIVE_REGISTER_TESTS,
        cmocka_unit_test(declines_values_that_repeat),
    };
    tested = &by_intervals;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
