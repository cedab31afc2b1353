/* test_live_register.c - the machine of registers against the definition. */
#include "live_registers.h"

#include "check/live/live.h"

/* ---- all operations, and values that repeat ---- */

/* Values are 0, 1 and nil. */
static bool call_all(struct toy *t, struct plumb_check_input_op *o,
                     uint32_t variant)
{
    static const uint32_t value[] = { 0, 1, PLUMB_NIL_WORD };
    (void)t;
    if (variant >= 18)
        return false;
    o->role = variant < 3   ? PLUMB_ROLE_WRITE
              : variant < 6 ? PLUMB_ROLE_SWAP
              : variant < 9 ? PLUMB_ROLE_READ
                            : PLUMB_ROLE_CAS;
    o->nargs = variant < 6 ? 1 : variant < 9 ? 0 : 2;
    if (o->nargs)
        o->word[0] = value[variant % 3];
    if (o->nargs == 2)
        o->word[1] = value[variant / 3 % 3];
    return true;
}

static bool answer_all(const struct toy *t, struct plumb_check_input_op *o,
                       uint32_t variant)
{
    (void)t;
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[o->nargs] = variant;
    if (o->role == PLUMB_ROLE_CAS)
        return variant < 2;
    if (variant == 2)
        o->word[o->nargs] = PLUMB_NIL_WORD;
    return variant < 3;
}

static bool is_value_of_all(const struct plumb_check_input_op *o, unsigned i)
{
    return o->role != PLUMB_ROLE_CAS || i < 2;
}

static struct toy_type all(void)
{
    struct toy_type type = of_nil();
    type.name = "register with everything";
    type.values = 2;
    type.call = call_all;
    type.answer = answer_all;
    return type;
}

static void follows_values_that_repeat(void **state)
{
    (void)state;
    const struct toy_type nil = of_nil();
    const struct live_toy toy = { .type = &nil,
                                  .class = &plumb_check_live_class_register,
                                  .is_value = is_value,
                                  .faults = 500,
                                  .cycle = 5,
                                  .width = 3 };
    const struct live_toy_counts c = live_check(&toy, 30000, 300);
    assert_true(c.violations > 0 && c.declined <= c.streams / 100);
}

static void follows_every_operation(void **state)
{
    (void)state;
    const struct toy_type type = all();
    struct live_toy toy = { .type = &type,
                            .class = &plumb_check_live_class_register,
                            .is_value = is_value_of_all,
                            .infos = 1,
                            .faults = 200 };
    live_check_every(&toy, 3);
    for (toy.width = 2; toy.width <= 5; toy.width++) {
        const struct live_toy_counts c = live_check(&toy, 20000, 300);
        assert_true(c.violations > 0 && c.declined <= c.streams / 100);
    }
}

/* More write at once than live_small_state.c follows; then one value is written again. */
static void gives_up_when_both_do(void **state)
{
    (void)state;
    struct plumb_check_live_numbers numbers;
    struct plumb_check_live_talk talk = { .numbers = &numbers,
                                          .initial = PLUMB_NO_WORD };
    const struct plumb_check_live_class *const class =
        &plumb_check_live_class_register;
    struct plumb_check_live_op op[60];
    plumb_check_live_numbers_init(&numbers, NULL);
    void *const machine = class->open(&talk);
    for (uint32_t i = 0; i < 60; i++) {
        op[i] = (struct plumb_check_live_op){ .call = i + 1,
                                              .role = PLUMB_ROLE_WRITE,
                                              .nargs = 1 };
        op[i].word[0] = plumb_check_live_number(
            &numbers, (struct plumb_value){ i < 59 ? i : 3, PLUMB_INT, 0 });
        assert_int_equal(class->call(machine, op + i),
                         i < 59 ? PLUMB_LIVE_GOOD : PLUMB_LIVE_DECLINED);
    }
    assert_string_equal(talk.declined, "values repeat"); /* that came last */
    class->close(machine);
    plumb_check_live_numbers_release(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIVE_REGISTER_TESTS,
        cmocka_unit_test(follows_values_that_repeat),
        cmocka_unit_test(follows_every_operation),
        cmocka_unit_test(gives_up_when_both_do),
    };
    tested = &plumb_check_live_class_register;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
