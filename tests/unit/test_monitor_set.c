/* test_monitor_set.c - the monitor of sets against all orders. */
#include "brute_keyed.h"

static uint32_t step(uint32_t state, const struct plumb_tape_op *o)
{
    const bool any = o->term == PLUMB_TERM_ANY;
    const uint32_t wanted = o->role == PLUMB_ROLE_INSERT;
    if (o->role == PLUMB_ROLE_MEMBER)
        return any || o->word[1] == state ? state : TOY_REFUSES;
    return any || o->word[1] == (state != wanted) ? wanted : TOY_REFUSES;
}

static bool reads(const struct plumb_tape_op *o)
{
    return o->role == PLUMB_ROLE_MEMBER || o->word[1] == 0;
}

static bool call_of_key(struct plumb_tape_op *o, uint32_t role, uint32_t key)
{
    static const uint8_t roles[] = { PLUMB_ROLE_INSERT, PLUMB_ROLE_DELETE,
                                     PLUMB_ROLE_MEMBER };
    if (role >= sizeof roles)
        return false;
    o->role = roles[role];
    o->nargs = 1;
    o->word[0] = key;
    return true;
}

static bool call(struct toy *t, struct plumb_tape_op *o, uint32_t variant)
{
    (void)t;
    return call_of_key(o, variant, 0);
}

/* Keys 0, 1 and nil. */
static bool call_of_three(struct toy *t, struct plumb_tape_op *o,
                          uint32_t variant)
{
    (void)t;
    const uint32_t key = variant % 3;
    return call_of_key(o, variant / 3, key == 2 ? PLUMB_NIL_WORD : key);
}

static bool answer(const struct toy *t, struct plumb_tape_op *o,
                   uint32_t variant)
{
    (void)t;
    o->nres = 1;
    o->word[1] = variant;
    return variant < 2;
}

static const struct toy_type one_key = { .name = "set",
                                         .monitor = plumb_monitor_set,
                                         .keyed = true,
                                         .values = 1,
                                         .initial = PLUMB_NO_WORD,
                                         .step = step,
                                         .reads = reads,
                                         .call = call,
                                         .answer = answer };

static void is_right_about_all_small_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_every(&one_key, 4);
    assert_int_equal(c.declined + c.left, 0);
}

static void is_right_about_random_ones(void **state)
{
    (void)state;
    const struct toy_counts c = toy_check_random(&one_key, 20000);
    assert_int_equal(c.declined + c.left, 0);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void keeps_keys_apart(void **state)
{
    (void)state;
    struct toy_type three = one_key;
    three.name = "set of three keys";
    three.values = 2;
    three.call = call_of_three;
    const struct toy_counts c = toy_check_random(&three, 20000);
    assert_true(c.linearizable > 0 && c.violations > 0);
}

static void says_when_memory_is_used_up(void **state)
{
    (void)state;
    toy_check_memory(&one_key, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right_about_all_small_ones),
        cmocka_unit_test(is_right_about_random_ones),
        cmocka_unit_test(keeps_keys_apart),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
