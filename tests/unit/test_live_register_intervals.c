/* test_live_register_intervals.c - registers by zones, against the definition. */
#include "live_registers.h"

#include "check/live/live_register_intervals.h"

/* One machine at a time. */
static struct plumb_check_live_users users;

static void *open_zones(struct plumb_check_live_talk *talk)
{
    plumb_check_live_users_init(&users, talk->numbers);
    void *const zones = plumb_check_live_intervals_open(talk, &users);
    if (!zones)
        plumb_check_live_users_release(&users);
    return zones;
}

static void close_zones(void *machine)
{
    plumb_check_live_intervals_close(machine);
    assert_true(users.numbers->used <= 1); /* what was never written */
    plumb_check_live_users_release(&users);
}

static uint64_t resident(const void *machine)
{
    (void)machine;
    return users.numbers->used;
}

static const struct plumb_check_live_class by_zones = {
    .open = open_zones,
    .close = close_zones,
    .call = plumb_check_live_intervals_call,
    .ret = plumb_check_live_intervals_ret,
    .info = plumb_check_live_intervals_info,
    .fail = plumb_check_live_intervals_fail,
    .resident = resident,
};

static void declines_values_that_repeat(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    const struct live_toy toy = { .type = &nil,
                                  .class = &by_zones,
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
    tested = &by_zones;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
