/* test_live_set.c - the machine of sets against the definition. */
#include "live_toys.h"
#include "toy_set.h"

#include "check/live/live.h"

static bool is_value(const struct plumb_check_input_op *o, unsigned i)
{
    (void)o;
    return i == 0;
}

static struct toy_type three_keys(void)
{
    struct toy_type three = one_key;
    three.name = "set of three keys";
    three.values = 2;
    three.call = call_of_three;
    return three;
}

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct live_toy toy = { .type = &one_key,
                                  .class = &plumb_check_live_class_set,
                                  .is_value = is_value };
    live_check_every(&toy, 4);
}

static void is_right_about_every_event(void **state)
{
    (void)state;
    const struct toy_type three = three_keys();
    struct live_toy toy = { .type = &one_key,
                            .class = &plumb_check_live_class_set,
                            .is_value = is_value,
                            .infos = 2,
                            .faults = 200 };
    for (toy.width = 1; toy.width <= 5; toy.width++) {
        const struct live_toy_counts c = live_check(&toy, 20000, 300);
        assert_true(c.violations > 0 && c.declined == 0);
    }
    toy.type = &three;
    toy.width = 6;
    assert_true(live_check(&toy, 50000, 1000).violations > 0);
}

static void events_may_be_many(void **state)
{
    (void)state;
    struct live_toy toy = { .type = &one_key,
                            .class = &plumb_check_live_class_set,
                            .is_value = is_value,
                            .infos = 2,
                            .faults = 100,
                            .width = 5,
                            .from = UINT32_MAX - 200 };
    assert_true(live_check(&toy, 50000, 500).violations > 0);
}

static const struct live_toy steady = { .type = &one_key,
                                        .class = &plumb_check_live_class_set,
                                        .is_value = is_value,
                                        .width = 4 };

static void memory_is_flat(void **state)
{
    (void)state;
    live_memory_is_flat(&steady, 100000);
}

static void survives_no_memory(void **state)
{
    (void)state;
    const struct toy_type three = three_keys();
    struct live_toy toy = steady;
    toy.type = &three;
    live_survives_no_memory(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_every_event),
        cmocka_unit_test(events_may_be_many),
        cmocka_unit_test(memory_is_flat),
        cmocka_unit_test(survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
