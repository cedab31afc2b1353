/* test_live_map.c - the machine of maps against the definition. */
#include "live_toys.h"
#include "toy_map.h"

#include "check/live/live.h"

static bool is_value(const struct plumb_check_input_op *o, unsigned i)
{
    switch (i) {
    case 0:
        return true;
    case 1:
        return o->role != PLUMB_ROLE_MEMBER;
    default:
        return false;
    }
}

/* Any value. */
static bool answer_any(const struct toy *t, struct plumb_check_input_op *o,
                       uint32_t variant)
{
    if (o->role != PLUMB_ROLE_READ && o->role != PLUMB_ROLE_DELETE)
        return answer(t, o, variant);
    if (variant == 0) {
        o->term = PLUMB_TERM_NONE;
        return true;
    }
    o->nres = 1;
    o->word[1] = variant - 1;
    return variant - 1 < t->values;
}

/* Values start again after 50, and are keys at the same time. */
static struct toy_type often(void)
{
    struct toy_type type = fresh;
    type.values = 52;
    type.answer = answer_any;
    return type;
}

/* Values are 0 and 1; keys are 0, 1 and nil. */
static struct toy_type few(void)
{
    struct toy_type type = fresh;
    type.name = "map of three keys with few values, 0 at first";
    type.initial = type.start = 0;
    type.values = 2;
    type.call = call_with_few;
    return type;
}

/* One key, two values; the first five need no insert. */
static bool call_with_two(struct toy *t, struct plumb_check_input_op *o,
                          uint32_t variant)
{
    static const struct {
        uint32_t role, value;
    } calls[] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 2, 0 },
                  { 4, 0 }, { 3, 0 }, { 3, 1 } };
    (void)t;
    if (variant >= sizeof calls / sizeof *calls)
        return false;
    set_call(o, calls[variant].role, 0, calls[variant].value);
    return true;
}

static bool call_without_insert(struct toy *t, struct plumb_check_input_op *o,
                                uint32_t variant)
{
    return variant < 5 && call_with_two(t, o, variant);
}

static struct toy_type two(void)
{
    struct toy_type type = few();
    type.name = "map of one key with two values, 0 at first";
    type.call = call_with_two;
    return type;
}

static const struct live_toy usual = { .class = &plumb_check_live_class_map,
                                       .is_value = is_value,
                                       .cycle = 50,
                                       .infos = 1,
                                       .faults = 200 };

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct live_toy toy = { .type = &fresh,
                                  .class = &plumb_check_live_class_map,
                                  .is_value = is_value };
    live_check_every(&toy, 4);
    struct toy_type type = two();
    struct live_toy repeat = toy;
    repeat.type = &type;
    live_check_every(&repeat, 3);
    type.name = "the same without insert";
    type.call = call_without_insert;
    live_check_every(&repeat, 4);
}

static void is_right_about_every_event(void **state)
{
    (void)state;
    const struct toy_type type = often();
    struct live_toy toy = usual;
    toy.type = &type;
    for (toy.width = 1; toy.width <= 6; toy.width++) {
        const struct live_toy_counts c = live_check(&toy, 20000, 300);
        assert_true(c.violations > 0 && c.declined <= c.streams / 100);
    }
}

static void values_may_repeat(void **state)
{
    (void)state;
    const struct toy_type type = few();
    struct live_toy toy = usual;
    toy.type = &type;
    toy.width = 6;
    const struct live_toy_counts c = live_check(&toy, 50000, 1000);
    assert_true(c.violations > 0 && c.declined <= c.streams / 100);
    struct toy_type one = two();
    toy.type = &one;
    for (toy.width = 2; toy.width <= 6; toy.width++)
        live_check(&toy, 20000, 300);
    one.call = call_without_insert;
    for (toy.width = 2; toy.width <= 6; toy.width++)
        live_check(&toy, 20000, 300);
}

static void memory_is_flat(void **state)
{
    (void)state;
    const struct toy_type type = often();
    const struct live_toy toy = { .type = &type,
                                  .class = &plumb_check_live_class_map,
                                  .is_value = is_value,
                                  .cycle = 50,
                                  .width = 3 };
    live_memory_is_flat(&toy, 100000);
}

static void survives_no_memory(void **state)
{
    (void)state;
    const struct toy_type type = often();
    const struct live_toy toy = { .type = &type,
                                  .class = &plumb_check_live_class_map,
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
        cmocka_unit_test(values_may_repeat),
        cmocka_unit_test(memory_is_flat),
        cmocka_unit_test(survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
