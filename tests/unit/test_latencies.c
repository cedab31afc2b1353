/* test_latencies.c - percentiles from buckets against sorted samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/simulate/latencies.h"
#include "base/rng.h"
#include "runtime/simulate/counts.h"
#include "runtime/simulate/worker.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SAMPLES = 5000, PROCESSES = 3 };

static struct worker_shared *new_shared(unsigned processes, unsigned operations)
{
    const struct worker_conditions with = { .processes = processes,
                                            .operations = operations,
                                            .most = MEASURE_ENTRIES,
                                            .slots = 1,
                                            .measures = true };
    void *const map =
        mmap(NULL, worker_shared_size(&with), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct worker_shared *const s = map;
    assert_true(map != MAP_FAILED);
    s->with = with;
    s->size = worker_shared_size(&with);
    return s;
}

static void buckets_are_monotone_and_narrow(void **state)
{
    unsigned last = 0;
    (void)state;
    for (uint64_t n = 0; n < UINT64_C(1) << 41; n += n / 97 + 1) {
        const unsigned b = worker_latency_bucket(n);
        const uint64_t low = worker_latency_of_bucket(b);
        assert_in_range(b, last, LATENCY_BUCKETS - 1);
        assert_true(low <= n && n - low <= n / 8);
        assert_int_equal(worker_latency_bucket(low), b);
        last = b;
    }
    assert_int_equal(worker_latency_bucket(UINT64_MAX), LATENCY_BUCKETS - 1);
}

static void every_bucket_begins_where_it_says(void **state)
{
    (void)state;
    for (unsigned b = 0; b < LATENCY_BUCKETS; b++) {
        const uint64_t low = worker_latency_of_bucket(b);
        assert_int_equal(worker_latency_bucket(low), b);
        if (b > 0)
            assert_int_equal(worker_latency_bucket(low - 1), b - 1);
    }
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sizes from 1 ns to 1 s, each power of two as likely as the others. */
static uint64_t some_latency(struct plumb_base_rng *rng)
{
    return plumb_base_rng_next(rng) >> (34 + plumb_base_rng_below(rng, 30));
}

/* The value of the samples that `percent` of them do not exceed, as buckets
 * tell it. */
static uint64_t expected(const uint64_t *sorted, size_t count, unsigned percent)
{
    const size_t rank = (count * percent + 99) / 100;
    return worker_latency_of_bucket(worker_latency_bucket(sorted[rank - 1]));
}

static void compare_with_sorted(uint64_t seed, size_t count)
{
    static uint64_t sample[SAMPLES];
    struct worker_shared *const s = new_shared(PROCESSES, 1);
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++) {
        sample[i] = some_latency(&rng);
        worker_counts_latency(&s->tally[i % PROCESSES], 5, sample[i]);
    }
    qsort(sample, count, sizeof *sample, by_size);
    const struct simulate_latencies l = simulate_latencies_of(s, 5);
    assert_int_equal(l.sampled, count);
    assert_int_equal(l.median, expected(sample, count, 50));
    assert_int_equal(l.ninety, expected(sample, count, 90));
    assert_int_equal(l.ninety_nine, expected(sample, count, 99));
    assert_int_equal(l.longest, sample[count - 1]);
    munmap(s, s->size);
}

static void percentiles_are_those_of_sorted_samples(void **state)
{
    (void)state;
    for (size_t count = 1; count < SAMPLES; count += count / 3 + 1)
        compare_with_sorted(count, count);
}

static void processes_are_added_up(void **state)
{
    struct worker_shared *const s = new_shared(PROCESSES, 1);
    (void)state;
    for (unsigned p = 0; p < PROCESSES; p++) {
        s->tally[p].calls[2] = 100;
        s->tally[p].retries[2] = p;
        s->tally[p].contended[2] = 10 * p;
        s->tally[p].calls[3] = 7;
    }
    const struct simulate_latencies l = simulate_latencies_of(s, 2);
    assert_int_equal(l.calls, 300);
    assert_int_equal(l.retries, 3);
    assert_int_equal(l.contended, 30);
    assert_int_equal(l.sampled, 0);
    munmap(s, s->size);
}

static void what_was_not_timed_has_no_times(void **state)
{
    const struct plumb_report_style style = { .ascii = true };
    const struct worker_description object = { .operations = 2,
                                               .operation = { "enq", "deq" } };
    const struct simulate_latencies l[] = { { .calls = 4000,
                                              .sampled = 2,
                                              .median = 950,
                                              .ninety = 1500,
                                              .ninety_nine = 1500,
                                              .longest = 1600,
                                              .retries = 2,
                                              .contended = 4000 },
                                            { 0 } };
    struct plumb_base_text out;
    (void)state;
    plumb_base_text_init(&out, NULL);
    simulate_add_latency_table(&style, &object, l, 2, &out);
    assert_string_equal(
        plumb_base_text_string(&out),
        "operation  calls/s  median      90%      99%  maximum  retries  "
        "contended\n"
        "enq          2.00k  950 ns  1.50 us  1.50 us  1.60 us     0.50  "
        "    1.00k\n"
        "deq              0       -        -        -        -        -  "
        "        -\n");
    plumb_base_text_release(&out);
}

static void doing_nothing_is_counted_and_timed(void **state)
{
    enum { CALLS = 1600 };
    struct worker_shared *const s = new_shared(1, CALLS);
    (void)state;
    worker_measure_nothing(s);
    const struct simulate_latencies l = simulate_latencies_of(s, 0);
    assert_int_equal(l.calls, CALLS);
    assert_int_equal(l.sampled, CALLS / MEASURE_SAMPLE);
    assert_true(s->measured > 0);
    assert_true(l.median <= l.ninety && l.ninety <= l.ninety_nine);
    assert_true(l.ninety_nine <= l.longest);
    munmap(s, s->size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_are_monotone_and_narrow),
        cmocka_unit_test(every_bucket_begins_where_it_says),
        cmocka_unit_test(percentiles_are_those_of_sorted_samples),
        cmocka_unit_test(processes_are_added_up),
        cmocka_unit_test(what_was_not_timed_has_no_times),
        cmocka_unit_test(doing_nothing_is_counted_and_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
