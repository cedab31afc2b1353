/* test_treap.c - persistent maps against plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "spec/stores/treap.h"
#include <string.h>

enum { KEYS = 12, KEPT = 32 };

struct plain {
    uint32_t root;
    uint32_t load[KEYS];
};

/* Keys far apart and close together, with words above and below. */
static uint64_t key_at(uint32_t i)
{
    return i % 2 ? i : (uint64_t)i << 32 | i;
}

static void has_loads(const struct plumb_spec_treap *t, const struct plain *p)
{
    uint32_t total = 0, keys = 0, found = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        assert_int_equal(plumb_spec_treap_get(t, p->root, key_at(i)),
                         p->load[i]);
        total += p->load[i];
        keys += p->load[i] > 0;
    }
    assert_int_equal(plumb_spec_treap_total(t, p->root), total);
    for (uint64_t k = 0; plumb_spec_treap_at_least(t, p->root, &k); k++) {
        uint64_t same = k;
        assert_true(plumb_spec_treap_at_most(t, p->root, &same) && same == k);
        assert_true(plumb_spec_treap_get(t, p->root, k) > 0);
        found++;
    }
    assert_int_equal(found, keys);
    uint64_t largest = UINT64_MAX;
    assert_int_equal(plumb_spec_treap_at_most(t, p->root, &largest), keys > 0);
}

static void random_treaps_are_as_arrays(void **state)
{
    struct plumb_spec_treap t;
    struct plumb_base_rng rng;
    static struct plain kept[KEPT];
    (void)state;
    plumb_base_rng_seed(&rng, 4);
    memset(kept, 0, sizeof kept);
    plumb_spec_treap_init(&t, NULL);
    for (int i = 0; i < 100000; i++) {
        struct plain *const to = kept + plumb_base_rng_below(&rng, KEPT);
        *to = kept[plumb_base_rng_below(&rng, KEPT)];
        const uint32_t k = plumb_base_rng_below(&rng, KEYS);
        to->load[k] = plumb_base_rng_below(&rng, 3);
        to->root = plumb_spec_treap_set(&t, to->root, key_at(k), to->load[k]);
        const struct plain *const other =
            kept + plumb_base_rng_below(&rng, KEPT);
        const bool same = memcmp(to->load, other->load, sizeof to->load) == 0;
        assert_int_equal(to->root == other->root, same);
        if (i % 10 == 0)
            has_loads(&t, to);
    }
    plumb_spec_treap_release(&t);
}

static void the_order_of_updates_does_not_matter(void **state)
{
    enum { MANY = 1000 };
    struct plumb_spec_treap t;
    uint32_t up = PLUMB_EMPTY_TREAP, down = PLUMB_EMPTY_TREAP;
    (void)state;
    plumb_spec_treap_init(&t, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        up = plumb_spec_treap_set(&t, up, i, i + 1);
        down = plumb_spec_treap_set(&t, down, MANY - 1 - i, MANY - i);
    }
    assert_int_equal(up, down);
    for (uint32_t i = 0; i < MANY; i++)
        up = plumb_spec_treap_set(&t, up, (i * 7) % MANY, 0);
    assert_int_equal(up, PLUMB_EMPTY_TREAP);
    plumb_spec_treap_release(&t);
}

static void updates_of_a_large_treap_make_few_nodes(void **state)
{
    enum { MANY = 100000 };
    struct plumb_spec_treap t;
    uint32_t root = PLUMB_EMPTY_TREAP;
    (void)state;
    plumb_spec_treap_init(&t, NULL);
    for (uint32_t i = 0; i < MANY; i++)
        root = plumb_spec_treap_set(&t, root, i, 1);
    assert_true(t.cells.count < 60u * MANY);
    plumb_spec_treap_release(&t);
}

static void updates_survive_failed_allocations(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    bool done = false;
    (void)state;
    for (size_t nth = 1; !done; nth++) {
        struct plumb_spec_treap t;
        uint32_t root = PLUMB_EMPTY_TREAP;
        plumb_spec_treap_init(&t, budget);
        plumb_base_budget_fail_at(budget, nth);
        for (uint32_t i = 0; i < 300 && root != PLUMB_NO_STATE; i++)
            root = plumb_spec_treap_set(&t, root, i % 200, i < 200);
        done = root != PLUMB_NO_STATE;
        plumb_spec_treap_release(&t);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_treaps_are_as_arrays),
        cmocka_unit_test(the_order_of_updates_does_not_matter),
        cmocka_unit_test(updates_of_a_large_treap_make_few_nodes),
        cmocka_unit_test(updates_survive_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
