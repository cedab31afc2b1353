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
    const bool any = o->term == PLUMB_TERM_ANY;
    const bool equal = state_of(o->word[0]) == state;
    switch (o->role) {
    case PLUMB_ROLE_WRITE:
        return state_of(o->word[0]);
    case PLUMB_ROLE_CAS:
        if (!any && o->word[2] != equal)
            return TOY_REFUSES;
        return equal ? state_of(o->word[1]) : state;
    case PLUMB_ROLE_SWAP:
        return any || state_of(o->word[1]) == state ? state_of(o->word[0])
                                                    : TOY_REFUSES;
    default:
        return any || equal ? state : TOY_REFUSES;
    }
}

static bool reads(const struct plumb_tape_op *o)
{
    switch (o->role) {
    case PLUMB_ROLE_CAS:
        return !o->word[2] || o->word[0] == o->word[1];
    case PLUMB_ROLE_SWAP:
        return o->word[0] == o->word[1];
    default:
        return o->role == PLUMB_ROLE_READ;
    }
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

/* One of three values, nil among them; half of these are reads. */
static uint32_t few(uint32_t variant)
{
    return variant % 3 == 2 ? PLUMB_NIL_WORD : variant % 3;
}

static bool call_again(struct toy *t, struct plumb_tape_op *o, uint32_t variant)
{
    (void)t;
    o->role = variant < 3 ? PLUMB_ROLE_WRITE : PLUMB_ROLE_READ;
    if (variant < 3) {
        o->nargs = 1;
        o->word[0] = few(variant);
    }
    return variant < 6;
}

static bool call_any(struct toy *t, struct plumb_tape_op *o, uint32_t variant)
{
    if (variant < 6)
        return call_again(t, o, variant);
    o->role = variant < 15 ? PLUMB_ROLE_CAS : PLUMB_ROLE_SWAP;
    o->nargs = variant < 15 ? 2 : 1;
    o->word[0] = few(variant);
    if (variant < 15)
        o->word[1] = few(variant / 3);
    return variant < 18;
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
    (void)t;
    if (o->role == PLUMB_ROLE_WRITE)
        return variant == 0;
    o->nres = 1;
    if (o->role == PLUMB_ROLE_CAS) {
        o->word[2] = variant;
        return variant < 2;
    }
    o->word[o->nargs] = few(variant);
    return variant < 3;
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

static struct toy_type of_nil(const char *name)
{
    struct toy_type again = of_zero;
    again.name = name;
    again.values = 2;
    again.initial = PLUMB_NO_WORD;
    again.start = NIL;
    again.call = call_again;
    again.answer = answer_any;
    return again;
}

static void values_may_repeat(void **state)
{
    (void)state;
    const struct toy_type again = of_nil("register of nil, with few values");
    toy_check_every(&again, 4);
    const struct toy_counts c = toy_check_random(&again, 20000);
    assert_int_equal(c.declined, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void compares_and_swaps(void **state)
{
    (void)state;
    struct toy_type any = of_nil("register with cas and swap");
    any.call = call_any;
    toy_check_every(&any, 3);
    const struct toy_counts c = toy_check_random(&any, 20000);
    assert_int_equal(c.declined, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
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
        cmocka_unit_test(values_may_repeat),
        cmocka_unit_test(compares_and_swaps),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
