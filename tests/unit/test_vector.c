/* test_vector.c - arrays that grow, by themselves and as vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vector.h"

struct point {
    int x, y;
};

static void values_are_kept_in_order(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    PLUMB_VECTOR(struct point) v = { 0 };
    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_true(PLUMB_PUSH(budget, &v, (struct point){ i, -i }));
    assert_int_equal(v.count, 1000);
    assert_true(v.capacity >= v.count);
    assert_int_equal(plumb_budget_used(budget), v.capacity * sizeof *v.at);
    for (int i = 1000; i-- > 0;) {
        const struct point p = PLUMB_POP(&v);
        assert_int_equal(p.x, i);
        assert_int_equal(p.y, -i);
    }
    assert_int_equal(v.count, 0);
    PLUMB_VECTOR_RELEASE(budget, &v);
    assert_null(v.at);
    assert_int_equal(v.capacity, 0);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

static void what_was_reserved_is_not_asked_for_again(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    PLUMB_VECTOR(uint64_t) v = { 0 };
    (void)state;
    assert_true(PLUMB_RESERVE(budget, &v, 100));
    assert_int_equal(v.capacity, 100);
    plumb_base_budget_fail_at(budget, 1);
    for (uint64_t i = 0; i < 100; i++)
        assert_true(PLUMB_PUSH(budget, &v, i));
    assert_false(PLUMB_PUSH(budget, &v, 100));
    assert_int_equal(v.count, 100);
    assert_int_equal(v.capacity, 100);
    PLUMB_VECTOR_RELEASE(budget, &v);
    plumb_budget_free(budget);
}

/* Every allocation fails once; the vector is then as it was, and goes on. */
static void a_refusal_leaves_it_as_it_was(void **state)
{
    (void)state;
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        PLUMB_VECTOR(uint32_t) v = { 0 };
        plumb_base_budget_fail_at(budget, nth);
        for (uint32_t i = 0; i < 500; i++) {
            const size_t before = v.capacity;
            if (PLUMB_PUSH(budget, &v, i))
                continue;
            assert_int_equal(v.count, i);
            assert_int_equal(v.capacity, before);
            assert_true(PLUMB_PUSH(budget, &v, i));
        }
        for (uint32_t i = 0; i < 500; i++)
            assert_int_equal(v.at[i], i);
        const bool failed = plumb_base_budget_has_failed(budget);
        PLUMB_VECTOR_RELEASE(budget, &v);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
        if (!failed)
            return;
    }
}

static void what_is_new_of_a_zeroed_array_is_zero(void **state)
{
    uint16_t *array = NULL;
    size_t capacity = 0;
    (void)state;
    for (size_t need = 1; need < 5000; need = need * 3 + 1) {
        const size_t before = capacity;
        assert_true(PLUMB_GROW_ZEROED(NULL, array, capacity, need));
        for (size_t i = 0; i < capacity; i++) {
            assert_int_equal(array[i], i < before ? 7 : 0);
            array[i] = 7;
        }
    }
    PLUMB_RELEASE(NULL, array, capacity);
}

static void a_count_of_32_bits_is_enough_to_append(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 64);
    struct point *array = NULL;
    size_t capacity = 0;
    uint32_t count = 0;
    (void)state;
    while (PLUMB_APPEND(budget, array, count, capacity, (struct point){ 1, 2 }))
        ;
    assert_int_equal(count, capacity);
    assert_true(count > 0);
    PLUMB_RELEASE(budget, array, capacity);
    plumb_budget_free(budget);
}

static void more_than_can_be_counted_is_refused(void **state)
{
    PLUMB_VECTOR(struct point) v = { 0 };
    (void)state;
    assert_false(PLUMB_RESERVE(NULL, &v, SIZE_MAX / 4));
    assert_null(v.at);
    assert_int_equal(v.capacity, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_kept_in_order),
        cmocka_unit_test(what_was_reserved_is_not_asked_for_again),
        cmocka_unit_test(a_refusal_leaves_it_as_it_was),
        cmocka_unit_test(what_is_new_of_a_zeroed_array_is_zero),
        cmocka_unit_test(a_count_of_32_bits_is_enough_to_append),
        cmocka_unit_test(more_than_can_be_counted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
