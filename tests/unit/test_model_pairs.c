/* test_model_pairs.c - what the searches of `plumb verify` keep things in:
 * pairs, who found whom and lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/number_lists.h"
#include "base/rng.h"
#include "refine/engines/pair_store.h"
#include "refine/engines/parent_bits.h"
#include <string.h>

/* Every number below MANY once, in a strange order, and some again. */
static void pairs_keep_their_numbers_over_all_growth(void **state)
{
    (void)state;
    enum { MANY = 1300000, AT_ONCE = 500 };
    struct plumb_refine_pairs p;
    uint64_t pair[AT_ONCE];
    bool fresh[AT_ONCE];
    plumb_refine_pairs_init(&p, NULL);
    for (uint64_t i = 0; i < MANY; i += AT_ONCE / 2) {
        for (uint64_t k = 0; k < AT_ONCE; k++) {
            const uint64_t n = k % 2 ? (i + k / 2) / 3 : i + k / 2;
            pair[k] =
                plumb_refine_pair((uint32_t)(n % 1000), (uint32_t)(n / 1000));
        }
        assert_true(plumb_refine_pairs_add(&p, pair, AT_ONCE, fresh));
        for (uint64_t k = 0; k < AT_ONCE; k++)
            if (fresh[k] != (k % 2 == 0))
                fail_msg("pair %llu", (unsigned long long)(i + k));
    }
    assert_int_equal(p.count, MANY);
    for (uint32_t n = 0; n < MANY; n++)
        if (plumb_refine_pairs_at(&p, n) !=
            plumb_refine_pair(n % 1000, n / 1000))
            fail_msg("pair %u", n);
    plumb_refine_pairs_release(&p);
}

static void a_pair_twice_in_one_question_is_fresh_once(void **state)
{
    (void)state;
    struct plumb_refine_pairs p;
    const uint64_t pair[] = { 7, 8, 7, 7, 8 };
    const bool expected[] = { true, true, false, false, false };
    bool fresh[5];
    plumb_refine_pairs_init(&p, NULL);
    assert_true(plumb_refine_pairs_add(&p, pair, 5, fresh));
    assert_memory_equal(fresh, expected, sizeof fresh);
    assert_int_equal(p.count, 2);
    plumb_refine_pairs_release(&p);
}

/* A random tree, told breadth first; lines against the parents themselves. */
static void lines_go_through_all_parents(void **state)
{
    (void)state;
    enum { NODES = 3000 };
    static uint32_t parent[NODES];
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct plumb_refine_parents p;
        struct plumb_base_rng rng;
        uint32_t count = 1;
        plumb_base_rng_seed(&rng, seed);
        plumb_refine_parents_init(&p, NULL);
        for (uint32_t n = 0; n < count; n++) {
            uint32_t children = plumb_base_rng_below(&rng, 3);
            if (count == n + 1 || plumb_base_rng_chance(&rng, 1))
                children += plumb_base_rng_below(&rng, 1 + (uint32_t)seed * 10);
            for (; children-- && count < NODES; count++) {
                parent[count] = n;
                assert_true(plumb_refine_parents_add(&p, true));
            }
            assert_true(plumb_refine_parents_add(&p, false));
        }
        for (uint32_t n = 0; n < count; n++) {
            uint32_t length, at = n;
            uint32_t *const line = plumb_refine_parents_line(&p, n, &length);
            assert_non_null(line);
            for (uint32_t i = length; i--; at = parent[at])
                assert_int_equal(line[i], at);
            assert_int_equal(line[0], 0);
            free(line);
        }
        plumb_refine_parents_release(&p);
    }
}

static void equal_lists_have_equal_numbers(void **state)
{
    (void)state;
    struct plumb_base_lists l;
    struct plumb_base_rng rng;
    uint32_t word[6];
    plumb_base_lists_init(&l, NULL);
    plumb_base_rng_seed(&rng, 1);
    for (uint32_t round = 0; round < 100000; round++) {
        const uint32_t count = plumb_base_rng_below(&rng, 6);
        size_t n;
        for (uint32_t i = 0; i < count; i++)
            word[i] = plumb_base_rng_below(&rng, 4);
        const uint32_t number = plumb_base_lists_put(&l, word, count);
        const uint32_t *const found = plumb_base_lists_get(&l, number, &n);
        assert_int_equal(n, count);
        assert_true(!count || !memcmp(found, word, count * sizeof *word));
    }
    assert_int_equal(l.count, 1 + 4 + 16 + 64 + 256 + 1024);
    plumb_base_lists_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_keep_their_numbers_over_all_growth),
        cmocka_unit_test(a_pair_twice_in_one_question_is_fresh_once),
        cmocka_unit_test(lines_go_through_all_parents),
        cmocka_unit_test(equal_lists_have_equal_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
