/* test_live_multiset.c - the machine of multisets against the definition. */
#include "live_toys.h"
#include "toy_multiset.h"

#include "check/live/live.h"

static bool is_value(const struct plumb_check_input_op *o, unsigned i)
{
    (void)o;
    return i == 0;
}

/* Counts may be higher. */
static bool answer_more(const struct toy *t, struct plumb_check_input_op *o,
                        uint32_t variant)
{
    if (o->role != PLUMB_ROLE_COUNT)
        return answer(t, o, variant);
    o->nres = 1;
    o->word[1] = variant;
    return variant < 30;
}

/* More deletes than inserts: it is empty often. */
static bool call_often(struct toy *t, struct plumb_check_input_op *o,
                       uint32_t variant)
{
    static const uint32_t often[] = { 0, 0, 1, 1, 1, 2, 3 };
    return variant < sizeof often / sizeof *often && call(t, o, often[variant]);
}

static bool call_often_of_three(struct toy *t, struct plumb_check_input_op *o,
                                uint32_t variant)
{
    if (variant >= 21 || !call_often(t, o, variant / 3))
        return false;
    o->word[0] = variant % 3 == 2 ? PLUMB_NIL_WORD : variant % 3;
    return true;
}

static struct toy_type often(void)
{
    struct toy_type type = one_key;
    type.call = call_often;
    type.answer = answer_more;
    return type;
}

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct live_toy toy = { .type = &one_key,
                                  .class = &plumb_check_live_class_multiset,
                                  .is_value = is_value };
    live_check_every(&toy, 4);
}

static void is_right_about_every_event(void **state)
{
    (void)state;
    const struct toy_type type = often();
    struct live_toy toy = { .type = &type,
                            .class = &plumb_check_live_class_multiset,
                            .is_value = is_value,
                            .infos = 2,
                            .faults = 200 };
    for (toy.width = 1; toy.width <= 6; toy.width++) {
        const struct live_toy_counts c = live_check(&toy, 20000, 300);
        assert_true(c.violations > 0 && c.declined == 0);
    }
}

static void keeps_keys_apart(void **state)
{
    (void)state;
    struct toy_type three = often();
    three.name = "multiset of three keys";
    three.values = 2;
    three.call = call_often_of_three;
    const struct live_toy toy = { .type = &three,
                                  .class = &plumb_check_live_class_multiset,
                                  .is_value = is_value,
                                  .infos = 1,
                                  .faults = 200,
                                  .width = 6 };
    assert_true(live_check(&toy, 50000, 1000).violations > 0);
}

static void memory_is_flat(void **state)
{
    (void)state;
    const struct toy_type type = often();
    const struct live_toy toy = { .type = &type,
                                  .class = &plumb_check_live_class_multiset,
                                  .is_value = is_value,
                                  .width = 3 };
    live_memory_is_flat(&toy, 100000);
}

static void survives_no_memory(void **state)
{
    (void)state;
    const struct toy_type type = often();
    const struct live_toy toy = { .type = &type,
                                  .class = &plumb_check_live_class_multiset,
                                  .is_value = is_value,
                                  .width = 4 };
    live_survives_no_memory(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_every_event),
        cmocka_unit_test(keeps_keys_apart),
        cmocka_unit_test(memory_is_flat),
        cmocka_unit_test(survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
