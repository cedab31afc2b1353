/* test_numbering.c - values as small numbers: equal iff the values are, in
 * their order if that is wanted, however far apart they are. */
#include "base/memory.h"
#include "base/rng.h"
#include "check/input/numbering.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 20000 };

static struct plumb_value value[MOST];

/* Where integers may be. */
enum spread { CLOSE, IN_RANGES, THINLY_IN_RANGES, ANYWHERE, SPREADS };

static uint64_t any_integer(struct plumb_base_rng *rng, enum spread spread)
{
    const uint64_t ranges[] = { 0, 1ull << 63, 10000000000, 20000000000,
                                (uint64_t)-70 };
    const uint64_t range = ranges[plumb_base_rng_below(rng, 5)];
    switch (spread) {
    case CLOSE:
        return (uint64_t)-100 + plumb_base_rng_below(rng, 3000);
    case IN_RANGES:
        return range + plumb_base_rng_below(rng, 2500);
    case THINLY_IN_RANGES:
        return range + 50 * (uint64_t)plumb_base_rng_below(rng, 2500);
    default:
        return plumb_base_rng_next(rng);
    }
}

static int64_t integer(const struct plumb_value *v)
{
    return (int64_t)v->bits;
}

static void assert_pair(const struct plumb_check_numbering *n,
                        const struct plumb_value *a,
                        const struct plumb_value *b, bool sorted)
{
    const uint32_t x = plumb_check_number(n, *a), y = plumb_check_number(n, *b);
    assert_in_range(x, 2, n->count - 1);
    assert_int_equal(x == y, a->bits == b->bits);
    if (sorted)
        assert_int_equal(x < y, integer(a) < integer(b));
}

static int compare(const void *x, const void *y)
{
    const int64_t a = integer(x), b = integer(y);
    return a < b ? -1 : a > b;
}

/* Neighbours among the sorted values, and some pairs. */
static void assert_numbered(struct plumb_base_rng *rng, uint32_t count,
                            enum spread spread, bool sorted)
{
    const struct plumb_history h = { .value = value, .values = count };
    const struct plumb_value extra =
        plumb_int((int64_t)any_integer(rng, spread));
    struct plumb_check_numbering n;
    struct plumb_base_arena arena;
    plumb_base_arena_init(&arena, NULL);
    for (uint32_t i = 0; i < count; i++)
        value[i] = plumb_int((int64_t)any_integer(rng, spread));
    assert_true(plumb_check_numbering_make(&n, &h, &extra, sorted, &arena));
    qsort(value, count, sizeof *value, compare);
    for (uint32_t i = 0; i + 1 < count; i++)
        assert_pair(&n, value + i, value + i + 1, sorted);
    for (uint32_t i = 0; i < count; i++) {
        assert_pair(&n, value + i, &extra, sorted);
        assert_pair(&n, value + i, value + plumb_base_rng_below(rng, count),
                    sorted);
    }
    plumb_base_arena_release(&arena);
}

static void numbers_are_equal_iff_values_are(void **state)
{
    static const uint32_t counts[] = { 1, 10, 1000, 4096, MOST };
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        for (enum spread s = CLOSE; s < SPREADS; s++) {
            assert_numbered(&rng, counts[i], s, false);
            assert_numbered(&rng, counts[i], s, true);
        }
}

static void says_when_memory_is_used_up(void **state)
{
    const struct plumb_history h = { .value = value, .values = MOST };
    struct plumb_check_numbering n;
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 2);
    for (uint32_t i = 0; i < MOST; i++)
        value[i] = plumb_int((int64_t)any_integer(&rng, THINLY_IN_RANGES));
    for (size_t nth = 1;; nth++) {
        struct plumb_base_arena arena;
        struct plumb_budget *const b = plumb_budget_new(0, 0);
        plumb_base_arena_init(&arena, b);
        plumb_base_budget_fail_at(b, nth);
        const bool made =
            plumb_check_numbering_make(&n, &h, NULL, true, &arena);
        const bool failed = plumb_base_budget_has_failed(b);
        plumb_base_arena_release(&arena);
        assert_int_equal(plumb_budget_used(b), 0);
        plumb_budget_free(b);
        assert_true(made != failed);
        if (made)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_equal_iff_values_are),
        cmocka_unit_test(says_when_memory_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
