/* test_visited.c - the set of fingerprints against a plain list of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "check/search/visited.h"

static struct plumb_base_hash128 key_of(uint64_t lo, uint64_t hi)
{
    return (struct plumb_base_hash128){ lo, hi };
}

static void open_set(struct plumb_check_visited *v, struct plumb_budget *budget)
{
    plumb_check_visited_init(v, budget);
    assert_true(plumb_check_visited_clear(v));
}

/* Few different words, so that keys share one half, or a place in the table,
 * and come again. */
static struct plumb_base_hash128 some_key(struct plumb_base_rng *rng)
{
    const uint64_t words[] = { 0, 1, 2, 63, 64, UINT64_MAX, UINT64_MAX - 1 };
    const uint32_t n = sizeof words / sizeof *words;
    if (plumb_base_rng_chance(rng, 30))
        return key_of(plumb_base_rng_next(rng), plumb_base_rng_below(rng, 3));
    const uint64_t lo = words[plumb_base_rng_below(rng, n)];
    return key_of(lo, 1 + plumb_base_rng_below(rng, 40));
}

static bool is_listed(const struct plumb_base_hash128 *list, size_t count,
                      struct plumb_base_hash128 key)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].lo == key.lo && list[i].hi == key.hi)
            return true;
    return false;
}

static void has_what_was_added_and_nothing_else(void **state)
{
    (void)state;
    enum { MOST = 2000 };
    static struct plumb_base_hash128 list[MOST];
    struct plumb_check_visited v;
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 1);
    open_set(&v, NULL);
    for (unsigned round = 0; round < 5; round++) {
        size_t count = 0;
        for (unsigned i = 0; i < MOST; i++) {
            const struct plumb_base_hash128 key = some_key(&rng),
                                            other = some_key(&rng);
            const bool seen = is_listed(list, count, key);
            assert_int_equal(plumb_check_visited_has(&v, key), seen);
            assert_int_equal(plumb_check_visited_add(&v, key),
                             seen ? PLUMB_VISIT_SEEN : PLUMB_VISIT_NEW);
            if (!seen)
                list[count++] = key;
            assert_int_equal(v.count, count);
            assert_true(plumb_check_visited_has(&v, key));
            assert_int_equal(plumb_check_visited_has(&v, other),
                             is_listed(list, count, other));
        }
        assert_true(count > 300 && count < MOST);
        assert_true(plumb_check_visited_clear(&v));
    }
    plumb_check_visited_release(&v);
}

/* Three keys in a row share their place in the table. */
static struct plumb_base_hash128 spread_key(uint64_t i)
{
    return key_of(i / 3 * 0x9e3779b97f4a7c15u, i);
}

static void growth_loses_nothing(void **state)
{
    (void)state;
    enum { MANY = 50000 };
    struct plumb_check_visited v;
    open_set(&v, NULL);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_int_equal(plumb_check_visited_add(&v, spread_key(i)),
                         PLUMB_VISIT_NEW);
        assert_true(4 * v.count <= 3 * v.slots); /* a free slot ends a search */
    }
    for (uint64_t i = 0; i < MANY; i++) {
        assert_int_equal(plumb_check_visited_add(&v, spread_key(i)),
                         PLUMB_VISIT_SEEN);
        assert_false(plumb_check_visited_has(&v, spread_key(i + MANY)));
    }
    assert_int_equal(v.count, MANY);
    plumb_check_visited_release(&v);
}

static void clearing_forgets_keys_and_keeps_memory(void **state)
{
    (void)state;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_check_visited v;
    open_set(&v, budget);
    for (unsigned round = 0; round < 3; round++) {
        for (uint64_t i = 1; i <= 1000; i++)
            assert_int_equal(plumb_check_visited_add(&v, key_of(i, i)),
                             PLUMB_VISIT_NEW);
        const size_t used = plumb_budget_used(budget);
        assert_true(plumb_check_visited_clear(&v));
        assert_int_equal(plumb_budget_used(budget), used);
        assert_true(v.slots < v.capacity); /* to be cleared the next time */
        assert_int_equal(v.count, 0);
        for (uint64_t i = 1; i <= 1000; i++)
            assert_false(plumb_check_visited_has(&v, key_of(i, i)));
    }
    plumb_check_visited_release(&v);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

/* All zero marks a free slot; as a key it is one like any other. */
static void zero_is_a_key(void **state)
{
    (void)state;
    struct plumb_check_visited v;
    open_set(&v, NULL);
    assert_false(plumb_check_visited_has(&v, key_of(0, 0)));
    assert_int_equal(plumb_check_visited_add(&v, key_of(0, 1)),
                     PLUMB_VISIT_NEW);
    assert_false(plumb_check_visited_has(&v, key_of(0, 0)));
    assert_int_equal(plumb_check_visited_add(&v, key_of(0, 0)),
                     PLUMB_VISIT_NEW);
    assert_true(plumb_check_visited_has(&v, key_of(0, 0)));
    assert_int_equal(plumb_check_visited_add(&v, key_of(0, 0)),
                     PLUMB_VISIT_SEEN);
    for (uint64_t i = 2; i < 1000; i++)
        assert_int_equal(plumb_check_visited_add(&v, key_of(64 * i, 0)),
                         PLUMB_VISIT_NEW);
    assert_int_equal(plumb_check_visited_add(&v, key_of(0, 0)),
                     PLUMB_VISIT_SEEN);
    plumb_check_visited_release(&v);
}

static void refused_growth_leaves_the_set_as_it_was(void **state)
{
    (void)state;
    struct plumb_budget *const budget = plumb_budget_new(0, 64 * 16 + 100);
    struct plumb_check_visited v;
    uint64_t i = 0;
    open_set(&v, budget);
    while (plumb_check_visited_add(&v, key_of(i + 1, 0)) == PLUMB_VISIT_NEW)
        i++;
    assert_int_equal(i, 48); /* three quarters of 64 */
    assert_int_equal(plumb_check_visited_add(&v, key_of(i + 1, 0)),
                     PLUMB_VISIT_NO_MEMORY);
    assert_false(plumb_check_visited_has(&v, key_of(i + 1, 0)));
    assert_int_equal(v.count, i);
    for (; i; i--)
        assert_int_equal(plumb_check_visited_add(&v, key_of(i, 0)),
                         PLUMB_VISIT_SEEN);
    plumb_check_visited_release(&v);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_what_was_added_and_nothing_else),
        cmocka_unit_test(growth_loses_nothing),
        cmocka_unit_test(clearing_forgets_keys_and_keeps_memory),
        cmocka_unit_test(zero_is_a_key),
        cmocka_unit_test(refused_growth_leaves_the_set_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
