/* test_budget.c - what blocks are charged with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include <plumb/budget.h>

enum { MEGABYTE = 1 << 20 };

static void small_blocks_cost_their_bytes(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 1000);
    (void)state;
    void *block = plumb_base_alloc(budget, 100);
    assert_int_equal(plumb_budget_used(budget), 100);
    assert_null(plumb_base_alloc(budget, 901));
    block = plumb_base_resize(budget, block, 100, 300);
    assert_int_equal(plumb_budget_used(budget), 300);
    plumb_base_release(budget, block, 300);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

/* They are made of pages of 2 MB, and those are there as a whole. */
static void large_blocks_cost_their_pages(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 7 * MEGABYTE);
    (void)state;
    void *block = plumb_base_alloc(budget, 2 * MEGABYTE + 1);
    assert_int_equal(plumb_budget_used(budget), 4 * MEGABYTE);
    assert_null(plumb_base_alloc_zeroed(budget, 2 * MEGABYTE + 1));
    assert_int_equal(plumb_budget_used(budget), 4 * MEGABYTE);
    block = plumb_base_resize(budget, block, 2 * MEGABYTE + 1, 5 * MEGABYTE);
    assert_non_null(block);
    assert_int_equal(plumb_budget_used(budget), 6 * MEGABYTE);
    assert_null(
        plumb_base_resize(budget, block, 5 * MEGABYTE, 6 * MEGABYTE + 1));
    block = plumb_base_resize(budget, block, 5 * MEGABYTE, 100);
    assert_int_equal(plumb_budget_used(budget), 100);
    plumb_base_release(budget, block, 100);
    assert_int_equal(plumb_budget_used(budget), 0);
    assert_int_equal(plumb_budget_peak(budget), 6 * MEGABYTE + 100);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_blocks_cost_their_bytes),
        cmocka_unit_test(large_blocks_cost_their_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
