/* test_monitor_register.c - the monitor of registers against all orders. */
#include "brute_keyed.h"

/* States are values; the value at first is 0, or nil. */
enum { NIL = TOY_STATES - 1 };

static uint32_t state_of(uint32_t word)
{
    return word == PLUMB_NIL_WORD ? NIL : word;
}

static uint32_t step(uint32_t state, const struct plumb_tape_op *o)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return state_of(o->word[0]);
    const bool any = o->term == PLUMB_TERM_ANY;
    return any || state_of(o->word[0]) == state ? state : TOY_REFUSES;
}

static bool reads(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_READ;
}

/* Writes number their values 1, 2, ... */
static bool call(struct toy *t, struct plumb_tape_op *o, uint32_t variant)
{
    o->role = variant == 0 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant == 0) {
        o->nargs = 1;
        o->word[0] = ++t->written;
    }
    return variant < 2;
}

/* One of a few values. */
static bool call_again(struct toy *t, struct plumb_tape_op *o, uint32_t variant)
{
    (void)t;
    o->role = variant < 8 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant < 8) {
        o->nargs = 1;
        o->word[0] = variant;
    }
    return variant < 12;
}

/* Any value that was written, or the next that will be. */
static bool answer(const struct toy *t, struct plumb_tape_op *o,
                   uint32_t variant)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[0] = variant;
    return variant < t->values && variant <= t->written + 1;
}

static bool answer_any(const struct toy *t, struct plumb_tape_op *o,
                       uint32_t variant)
{
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    o->word[0] = variant == 8 ? PLUMB_NIL_WORD : variant;
    (void)t;
    return variant < 9;
}

static const struct toy_type of_zero = { .name = "register",
                                         .monitor = plumb_monitor_register,
                                         .values = TOY_OPS + 2,
                                         .initial = 0,
                                         .step = step,
                                         .reads = reads,
                                         .call = call,
                                         .answer = answer };

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

static void says_when_memory_is_used_up(void **state)
{
    (void)state;
    toy_check_memory(&of_zero, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(declines_values_that_repeat),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
