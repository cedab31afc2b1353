/* test_live_zones.c - registers by zones, against the definition. */
#include "live_toys.h"
#include "toy_register.h"

#include "check/live_zones.h"

/* One machine at a time. */
static struct plumb_live_users users;

static void *open_zones(struct plumb_live_talk *talk)
{
    plumb_live_users_init(&users, talk->numbers);
    void *const zones = plumb_live_zones_open(talk, &users);
    if (!zones)
        plumb_live_users_release(&users);
    return zones;
}

static void close_zones(void *machine)
{
    plumb_live_zones_close(machine);
    assert_true(users.numbers->used <= 1); /* what was never written */
    plumb_live_users_release(&users);
}

static uint64_t resident(const void *machine)
{
    (void)machine;
    return users.numbers->used;
}

static const struct plumb_live_class by_zones = {
    .open = open_zones,
    .close = close_zones,
    .call = plumb_live_zones_call,
    .ret = plumb_live_zones_ret,
    .info = plumb_live_zones_info,
    .fail = plumb_live_zones_fail,
    .resident = resident,
};

static bool is_value(const struct plumb_tape_op *o, unsigned i)
{
    (void)o;
    return i == 0;
}

/* Whatever was written lately. */
static bool answer_lately(const struct toy *t, struct plumb_tape_op *o,
                          uint32_t variant)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[0] = variant == t->values ? PLUMB_NIL_WORD : variant;
    return variant <= t->values;
}

/* Values start again after 50: most of them have been forgotten by then. */
static struct toy_type of_nil(void)
{
    struct toy_type nil = of_zero;
    nil.name = "register of nil";
    nil.values = 52;
    nil.initial = PLUMB_NO_WORD;
    nil.start = NIL;
    nil.answer = answer_lately;
    return nil;
}

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct live_toy toy = { .type = &of_zero,
                                  .class = &by_zones,
                                  .is_value = is_value };
    live_check_every(&toy, 5);
}

static void is_right_about_every_event(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    struct live_toy toy = { .type = &nil,
                            .class = &by_zones,
                            .is_value = is_value,
                            .cycle = 50,
                            .infos = 1,
                            .faults = 200 };
    for (toy.width = 1; toy.width <= 5; toy.width++) {
        const struct live_toy_counts c = live_check(&toy, 30000, 300);
        assert_true(c.violations > 0);
        assert_true(c.declined < c.streams / 2);
    }
}

static void starts_with_the_value_at_first(void **state)
{
    (void)state;
    struct toy_type zero = of_nil();
    zero.name = "register of 0";
    zero.initial = zero.start = 0;
    const struct live_toy toy = { .type = &zero,
                                  .class = &by_zones,
                                  .is_value = is_value,
                                  .infos = 2,
                                  .faults = 500,
                                  .cycle = 50,
                                  .width = 4 };
    assert_true(live_check(&toy, 30000, 40).violations > 0);
}

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

static void memory_is_flat(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    const struct live_toy toy = { .type = &nil,
                                  .class = &by_zones,
                                  .is_value = is_value,
                                  .cycle = 50,
                                  .width = 3 };
    live_memory_is_flat(&toy, 100000);
}

static void survives_no_memory(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    const struct live_toy toy = { .type = &nil,
                                  .class = &by_zones,
                                  .is_value = is_value,
                                  .cycle = 50,
                                  .width = 4 };
    live_survives_no_memory(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_every_event),
        cmocka_unit_test(starts_with_the_value_at_first),
        cmocka_unit_test(declines_values_that_repeat),
        cmocka_unit_test(memory_is_flat),
        cmocka_unit_test(survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
