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

/* Which the monitor does not follow: as if it were a write, for the tests. */
static bool call_with_append(struct toy *t, struct plumb_check_input_op *o,
                             uint32_t variant)
{
    if (variant >= 2)
        return call_with_few(t, o, variant - 2);
    set_call(o, 0, variant % 2, 1);
    o->role = PLUMB_ROLE_APPEND;
    return true;
}

static uint32_t step_with_append(uint32_t state,
                                 const struct plumb_check_input_op *o)
{
    return o->role == PLUMB_ROLE_APPEND ? o->word[1] : step(state, o);
}

static bool answer_with_append(const struct toy *t,
                               struct plumb_check_input_op *o, uint32_t variant)
{
    return o->role == PLUMB_ROLE_APPEND ? variant == 0 : answer(t, o, variant);
}

static bool reads_with_append(const struct plumb_check_input_op *o)
{
    return o->role != PLUMB_ROLE_APPEND && reads(o);
}

static void keys_that_are_appended_to_are_left(void **state)
{
    (void)state;
    struct toy_type appends = fresh;
    appends.name = "map with append";
    appends.inexact = appends.wordy = true;
    appends.values = 2;
    appends.call = call_with_append;
    appends.answer = answer_with_append;
    appends.step = step_with_append;
    appends.reads = reads_with_append;
    const struct toy_counts c = toy_check_random(&appends, 20000);
    assert_true(c.linearizable > c.left && c.left > 0 && c.violations > 0);
}

static bool call_of_writes(struct toy *t, struct plumb_check_input_op *o,
                           uint32_t variant)
{
    return variant == 0 && call_with_fresh(t, o, variant);
}

static void keys_with_too_much_at_once_are_left(void **state)
{
    (void)state;
    struct toy_type crowded = fresh;
    struct toy_counts counts = { 0 };
    struct plumb_base_rng rng;
    crowded.call = call_of_writes;
    for (uint32_t seed = 0; seed < 100; seed++) {
        struct toy t;
        plumb_base_rng_seed(&rng, seed);
        toy_random(&t, &crowded, 15, 15, &rng);
        toy_check(&t, toy_first_violation(&t), &counts);
    }
    toy_report(&crowded, "crowded", &counts);
    assert_true(counts.left > 0 && counts.linearizable > counts.left);
}

static void says_when_memory_is_used_up(void **state)
{
    (void)state;
    toy_check_memory(&fresh, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(values_may_repeat),
        cmocka_unit_test(keys_that_are_appended_to_are_left),
        cmocka_unit_test(keys_with_too_much_at_once_are_left),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
