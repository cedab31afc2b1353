/* test_counts.c - latencies in buckets, and who counts what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "runtime/simulate/counts.h"
#include <plumb/object.h>
#include <stdlib.h>
#include <string.h>

static void a_bucket_begins_with_its_lower_end(void **state)
{
    (void)state;
    for (unsigned b = 0; b < LATENCY_BUCKETS; b++) {
        assert_int_equal(worker_latency_bucket(worker_latency_of_bucket(b)), b);
        if (b > 0) {
            assert_true(worker_latency_of_bucket(b - 1) <
                        worker_latency_of_bucket(b));
            assert_int_equal(
                worker_latency_bucket(worker_latency_of_bucket(b) - 1), b - 1);
        }
    }
}

static void a_bucket_is_an_eighth_wide_at_the_most(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    for (int i = 0; i < 100000; i++) {
        const uint64_t t =
            plumb_base_rng_next(&rng) >> (24 + plumb_base_rng_below(&rng, 40));
        const uint64_t low = worker_latency_of_bucket(worker_latency_bucket(t));
        assert_true(low <= t);
        assert_true(t - low <= t / 8);
    }
}

static void what_is_longer_than_any_is_in_the_last(void **state)
{
    (void)state;
    assert_int_equal(worker_latency_bucket(0), 0);
    assert_int_equal(worker_latency_bucket(UINT64_MAX), LATENCY_BUCKETS - 1);
    assert_int_equal(worker_latency_bucket(UINT64_C(1) << 63),
                     LATENCY_BUCKETS - 1);
}

static void everybody_counts_for_himself(void **state)
{
    struct worker_tally *const tally = calloc(1, sizeof *tally);
    struct plumb_base_rng rng;
    (void)state;
    assert_non_null(tally);
    plumb_base_rng_seed(&rng, 1);
    plumb_retry(); /* for nobody */
    plumb_contend();
    assert_int_equal(plumb_choose(5), 0);
    worker_counts_begin(tally, 3, &rng);
    plumb_retry();
    plumb_retry();
    plumb_contend();
    worker_counts_begin(tally, PLUMB_MAX_OPERATIONS - 1, &rng);
    plumb_contend();
    assert_int_equal(tally->retries[3], 2);
    assert_int_equal(tally->contended[3], 1);
    assert_int_equal(tally->contended[PLUMB_MAX_OPERATIONS - 1], 1);
    worker_counts_begin(NULL, 0, NULL);
    plumb_retry();
    assert_int_equal(tally->retries[0], 0);
    free(tally);
}

static void choices_are_below_their_number(void **state)
{
    struct worker_tally *const tally = calloc(1, sizeof *tally);
    struct plumb_base_rng rng;
    unsigned seen = 0;
    (void)state;
    assert_non_null(tally);
    plumb_base_rng_seed(&rng, 1);
    worker_counts_begin(tally, 0, &rng);
    for (int i = 0; i < 1000; i++) {
        const unsigned c = plumb_choose(7);
        assert_in_range(c, 0, 6);
        seen |= 1u << c;
    }
    assert_int_equal(seen, 127);
    assert_int_equal(plumb_choose(0), 0);
    assert_int_equal(plumb_choose(1), 0);
    worker_counts_begin(NULL, 0, NULL);
    free(tally);
}

static void latencies_are_kept(void **state)
{
    struct worker_tally *const tally = calloc(1, sizeof *tally);
    (void)state;
    assert_non_null(tally);
    worker_counts_latency(tally, 2, 1000);
    worker_counts_latency(tally, 2, 1001);
    worker_counts_latency(tally, 2, 7);
    assert_int_equal(tally->latency[2][worker_latency_bucket(1000)], 2);
    assert_int_equal(tally->latency[2][7], 1);
    assert_int_equal(tally->longest[2], 1001);
    assert_int_equal(tally->longest[1], 0);
    free(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_begins_with_its_lower_end),
        cmocka_unit_test(a_bucket_is_an_eighth_wide_at_the_most),
        cmocka_unit_test(what_is_longer_than_any_is_in_the_last),
        cmocka_unit_test(everybody_counts_for_himself),
        cmocka_unit_test(choices_are_below_their_number),
        cmocka_unit_test(latencies_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
