/* test_turns.c - parts that take turns: what is found does not depend on how
 * long the turns are, on the threads that run them, nor on what memory there
 * is. */
#include "samples.h"

#include "base/memory.h"
#include "check/turns/turns.h"

/* ---- a search that is interrupted ---- */

static void assert_same_finding(const struct plumb_check_finding *a,
                                const struct plumb_check_finding *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->configurations, b->configurations);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->prefix, b->prefix);
    assert_int_equal(a->order_count, b->order_count);
    for (uint32_t i = 0; i < a->order_count; i++)
        assert_int_equal(a->order[i], b->order[i]);
    assert_int_equal(a->certificate_count, b->certificate_count);
}

static void goes_on_where_it_stopped(struct sample *s)
{
    unsigned *const interruptions = s->context;
    struct ready r;
    struct plumb_check_searcher whole, turns;
    struct plumb_check_finding all, found;
    ready_sample(&r, s, false);
    assert_true(
        plumb_check_searcher_open(&whole, &r.bound, &r.c.traits, false, NULL));
    assert_true(
        plumb_check_searcher_open(&turns, &r.bound, &r.c.traits, false, NULL));
    for (uint32_t p = 0; p < r.c.parts.count; p++) {
        const struct plumb_check_part *const part = r.c.parts.part + p;
        uint64_t until = 1;
        plumb_check_search(&whole, part, 0, true, &all);
        plumb_check_search_begin(&turns, part, true);
        do {
            plumb_check_search_go_on(&turns, until++, &found);
            *interruptions += found.interrupted;
        } while (found.interrupted);
        assert_same_finding(&all, &found);
    }
    plumb_check_searcher_close(&turns);
    plumb_check_searcher_close(&whole);
    forget_sample(&r);
}

static void interrupted_searches_find_the_same(void **state)
{
    (void)state;
    unsigned interruptions = 0;
    claim_of_samples(60, 14, goes_on_where_it_stopped, &interruptions);
    assert_true(interruptions > 1000);
}

/* ---- all parts ---- */

/* Refuses to certify anything within little effort. */
static enum plumb_status certify_with(void *context, uint32_t part,
                                      const struct plumb_check_finding *found,
                                      uint64_t effort)
{
    const uint64_t *const least = context;
    (void)part;
    assert_int_equal(found->verdict, PLUMB_NOT_LINEARIZABLE);
    return effort && effort < *least ? PLUMB_END : PLUMB_OK;
}

static void assert_same_outcome(const struct plumb_check_outcome_of_parts *a,
                                const struct plumb_check_outcome_of_parts *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->violated, b->violated);
    assert_int_equal(a->configurations, b->configurations);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->prefix, b->prefix);
    assert_int_equal(a->others, b->others);
    assert_int_equal(a->order_count, b->order_count);
    for (uint32_t i = 0; i < a->order_count; i++)
        assert_int_equal(a->order[i], b->order[i]);
}

/* The events before the rank are linearizable, whatever the violation. */
static void assert_doubt(struct sample *s,
                         const struct plumb_check_outcome_of_parts *o)
{
    const uint32_t maybe = o->prefix < o->others ? o->prefix : o->others;
    assert_true(prefix_is_linearizable(s, maybe));
}

static void outcome_is_the_same(struct sample *s)
{
    unsigned *const several = s->context;
    struct ready r;
    ready_sample(&r, s, false);
    const bool linearizable = oracle_linearizable(&s->h, s->spec);
    for (uint64_t first = 1; first < 40; first += 7) {
        uint64_t least = 4 * first;
        struct plumb_check_outcome_of_parts alone;
        for (unsigned jobs = 1; jobs <= 3; jobs++) {
            struct plumb_check_outcome_of_parts out;
            const struct plumb_check_turn_rules rules = { .jobs = jobs,
                                                          .first = first,
                                                          .certify =
                                                              certify_with,
                                                          .context = &least };
            assert_true(plumb_check_decide_parts(&r.c, &rules, &r.arena, &out));
            assert_int_equal(out.verdict, linearizable
                                              ? PLUMB_LINEARIZABLE
                                              : PLUMB_NOT_LINEARIZABLE);
            if (jobs == 1)
                alone = out;
            assert_same_outcome(&alone, &out);
        }
        if (!linearizable)
            assert_doubt(s, &alone);
        *several += r.c.parts.count > 1;
    }
    forget_sample(&r);
}

static void outcomes_do_not_depend_on_threads(void **state)
{
    (void)state;
    unsigned several = 0;
    claim_of_samples(12, 12, outcome_is_the_same, &several);
    assert_true(several > 200);
}

/* A hundred keys, each with more configurations than a turn has steps, and one
 * of them wrong. */
static struct plumb_history hundred_counters(void)
{
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    for (unsigned k = 0; k < 100; k++) {
        for (unsigned i = 0; i < 8; i++)
            plumb_base_text_printf(&t, "T%u @o%u add %u;", i, k, 1u << i);
        plumb_base_text_printf(&t, "R @o%u get;", k);
        for (unsigned i = 0; i < 8; i++)
            plumb_base_text_printf(&t, "T%u @o%u ok;", i, k);
        plumb_base_text_printf(&t, "R @o%u ok %u;", k, k == 63 ? 300u : 128u);
    }
    struct plumb_history h = story(plumb_base_text_string(&t));
    plumb_base_text_release(&t);
    return h;
}

/* Returns the most memory that was in use. */
static size_t decide_counters(size_t memory, unsigned jobs,
                              struct plumb_check_outcome_of_parts *out)
{
    const struct plumb_check_turn_rules rules = { .jobs = jobs, .first = 64 };
    struct plumb_budget *const budget = plumb_budget_new(0, memory);
    struct ready r;
    make_ready(&r, "counter", hundred_counters(), false);
    r.c.budget = budget;
    assert_true(plumb_check_decide_parts(&r.c, &rules, &r.arena, out));
    assert_int_equal(plumb_budget_used(budget), 0);
    const size_t peak = plumb_budget_peak(budget);
    plumb_budget_free(budget);
    release_ready(&r);
    return peak;
}

/* Whether tables wait or are given up. */
static void tables_that_are_given_up_change_nothing(void **state)
{
    (void)state;
    struct plumb_check_outcome_of_parts ample, scarce;
    const size_t peak = decide_counters(0, 1, &ample);
    assert_int_equal(ample.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_int_equal(ample.violated, 63);
    for (unsigned jobs = 1; jobs <= 4; jobs++) {
        assert_true(decide_counters(peak / 4, jobs, &scarce) <= peak / 4);
        assert_same_outcome(&ample, &scarce);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_searches_find_the_same),
        cmocka_unit_test(outcomes_do_not_depend_on_threads),
        cmocka_unit_test(tables_that_are_given_up_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
