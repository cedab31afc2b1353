/* test_range.c - ranges that reach beyond the last address end there. */
#include "base/range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_range_ends_at_the_last_address(void **state)
{
    (void)state;
    assert_int_equal(plumb_base_range_last(16, 8), 23);
    assert_int_equal(plumb_base_range_last(16, 1), 16);
    assert_true(plumb_base_range_last(UINT64_MAX - 7, 8) == UINT64_MAX);
    assert_true(plumb_base_range_last(UINT64_MAX, 8) == UINT64_MAX);
    assert_true(plumb_base_range_last(1, UINT64_MAX) == UINT64_MAX);
    assert_true(plumb_base_range_last(2, UINT64_MAX) == UINT64_MAX);
}

/* By trying each address of what is left of a short space. */
static void ranges_meet_if_they_share_an_address(void **state)
{
    const uint64_t far = UINT64_MAX - 15;
    (void)state;
    for (uint64_t a = 0; a < 16; a++)
        for (uint64_t m = 0; m < 20; m++)
            for (uint64_t b = 0; b < 16; b++)
                for (uint64_t n = 0; n < 20; n++) {
                    bool shared = false;
                    for (uint64_t at = 0; at < 16; at++)
                        shared |=
                            at >= a && at - a < m && at >= b && at - b < n;
                    assert_int_equal(
                        plumb_base_ranges_meet(far + a, m, far + b, n), shared);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_ends_at_the_last_address),
        cmocka_unit_test(ranges_meet_if_they_share_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
