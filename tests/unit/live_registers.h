/* live_registers.h - what every machine of registers is tested with. */
#ifndef PLUMB_TESTS_LIVE_REGISTERS_H
#define PLUMB_TESTS_LIVE_REGISTERS_H

#include "live_toys.h"
#include "toy_register.h"

/* By main(). */
static const struct plumb_check_live_class *tested;

static bool is_value(const struct plumb_check_input_op *o, unsigned i)
{
    (void)o;
    return i == 0;
}

/* Whatever was written lately. */
static bool answer_lately(const struct toy *t, struct plumb_check_input_op *o,
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
                                  .class = tested,
                                  .is_value = is_value };
    live_check_every(&toy, 5);
}

static void is_right_about_every_event(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    struct live_toy toy = { .type = &nil,
                            .class = tested,
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
                                  .class = tested,
                                  .is_value = is_value,
                                  .infos = 2,
                                  .faults = 500,
                                  .cycle = 50,
                                  .width = 4 };
    assert_true(live_check(&toy, 30000, 40).violations > 0);
}

static void memory_is_flat(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    const struct live_toy toy = { .type = &nil,
                                  .class = tested,
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
                                  .class = tested,
                                  .is_value = is_value,
                                  .cycle = 50,
                                  .width = 4 };
    live_survives_no_memory(&toy);
}

#define LIVE_REGISTER_TESTS                                                    \
    cmocka_unit_test(is_right_about_all_small_ones),                           \
        cmocka_unit_test(is_right_about_every_event),                          \
        cmocka_unit_test(starts_with_the_value_at_first),                      \
        cmocka_unit_test(memory_is_flat), cmocka_unit_test(survives_no_memory)

#endif
