/* test_wing_gong.c - the algorithm of 1990 finds what the search finds. */
#include "samples.h"

#include "base/memory.h"
#include "check/search/search.h"

static void open_fronts(struct plumb_check_state_sets *f, const struct ready *r,
                        struct plumb_budget *budget)
{
    assert_true(
        plumb_check_state_sets_open(f, &r->bound, r->bound.branches, budget));
}

/* ---- random histories ---- */

static void finds_the_same(struct sample *s)
{
    unsigned *const verdicts = s->context;
    struct ready r;
    struct plumb_check_searcher search;
    struct plumb_check_state_sets fronts;
    ready_sample(&r, s, false);
    open_fronts(&fronts, &r, NULL);
    assert_true(
        plumb_check_searcher_open(&search, &r.bound, &r.c.traits, false, NULL));
    for (uint32_t p = 0; p < r.c.parts.count; p++) {
        const struct plumb_check_part *const part = r.c.parts.part + p;
        struct plumb_check_finding by_search, by_wing_gong;
        plumb_check_search(&search, part, 0, false, &by_search);
        plumb_check_wing_gong(&fronts, part, &r.arena, &by_wing_gong);
        assert_int_equal(by_wing_gong.verdict, by_search.verdict);
        verdicts[by_search.verdict]++;
    }
    plumb_check_searcher_close(&search);
    plumb_check_state_sets_close(&fronts);
    forget_sample(&r);
}

static void verdicts_are_those_of_the_search(void **state)
{
    (void)state;
    unsigned verdicts[PLUMB_UNDECIDED + 1] = { 0 };
    claim_of_samples(60, 11, finds_the_same, verdicts);
    assert_true(verdicts[PLUMB_LINEARIZABLE] > 500);
    assert_true(verdicts[PLUMB_NOT_LINEARIZABLE] > 500);
    assert_int_equal(verdicts[PLUMB_UNDECIDED], 0);
}

/* Its order is a witness; of a violation, what it says was linearized was. */
static void finding_holds(struct sample *s)
{
    struct ready r;
    struct plumb_check_state_sets fronts;
    struct plumb_check_finding found;
    struct plumb_error err;
    const struct plumb_spec_ref spec = { s->spec, NULL };
    ready_sample(&r, s, true);
    open_fronts(&fronts, &r, NULL);
    if (r.c.parts.count == 1) {
        plumb_check_wing_gong(&fronts, r.c.parts.part, &r.arena, &found);
        if (found.verdict == PLUMB_LINEARIZABLE)
            assert_int_equal(plumb_verify_witness(&s->h, spec, found.order,
                                                  found.order_count, NULL,
                                                  &err),
                             PLUMB_OK);
        else
            assert_true(prefix_is_linearizable(s, found.prefix));
    }
    plumb_check_state_sets_close(&fronts);
    forget_sample(&r);
}

static void orders_and_prefixes_hold(void **state)
{
    (void)state;
    claim_of_samples(60, 10, finding_holds, NULL);
}

/* ---- small ones ---- */

static struct plumb_check_finding find(struct ready *r, const char *spec,
                                       const char *text,
                                       struct plumb_budget *budget)
{
    struct plumb_check_state_sets fronts;
    struct plumb_check_finding found;
    make_ready(r, spec, story(text), true);
    open_fronts(&fronts, r, budget);
    r->arena.budget = budget;
    plumb_check_wing_gong(&fronts, r->c.parts.part, &r->arena, &found);
    r->arena.budget = NULL;
    plumb_check_state_sets_close(&fronts);
    return found;
}

/* The first section ends with A's response: C is not tried. */
static void steps_are_those_of_the_paper(void **state)
{
    (void)state;
    struct ready r;
    const struct plumb_check_finding found =
        find(&r, "register", "A write 1; B write 2; A ok; C read; B ok; C ok 1",
             NULL);
    assert_int_equal(found.verdict, PLUMB_LINEARIZABLE);
    assert_int_equal(found.order_count, 3);
    /* write 1, write 2, read fails; back: read 1, write 2. */
    assert_int_equal(found.steps, 5);
    assert_int_equal(found.order[0], 0);
    assert_int_equal(found.order[1], 2);
    assert_int_equal(found.order[2], 1);
    release_ready(&r);
}

static void pending_operations_are_taken_only_on_the_way(void **state)
{
    (void)state;
    struct ready r;
    const struct plumb_check_finding found =
        find(&r, "register",
             "A write 1; B write 2; C read; C ok nil; D write 3", NULL);
    assert_int_equal(found.verdict, PLUMB_LINEARIZABLE);
    assert_int_equal(found.order_count, 1);
    assert_int_equal(found.order[0], 2);
    release_ready(&r);
}

/* The first try gets as far as the last read, the next one not so far. */
static void prefix_is_the_farthest_that_was_reached(void **state)
{
    (void)state;
    struct ready r;
    const struct plumb_check_finding found =
        find(&r, "register",
             "A write 1; B write 2; A ok; B ok; A read; A ok 2; A read; A ok 7",
             NULL);
    assert_int_equal(found.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_int_equal(found.prefix, 7);
    release_ready(&r);
}

/* The clock is read every 1024 steps. */
static void a_stop_is_heard(void **state)
{
    (void)state;
    struct ready r;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    plumb_budget_stop(budget);
    const struct plumb_check_finding found =
        find(&r, "counter",
             "A add 1; B add 2; C add 4; D add 8; E add 16; F add 32;"
             "G add 64; A ok; B ok; C ok; D ok; E ok; F ok; G ok;"
             "A get; A ok 3",
             budget);
    assert_int_equal(found.verdict, PLUMB_UNDECIDED);
    assert_int_equal(found.why, PLUMB_ESTOP);
    assert_int_equal(found.steps, 1024);
    release_ready(&r);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_the_search),
        cmocka_unit_test(orders_and_prefixes_hold),
        cmocka_unit_test(steps_are_those_of_the_paper),
        cmocka_unit_test(pending_operations_are_taken_only_on_the_way),
        cmocka_unit_test(prefix_is_the_farthest_that_was_reached),
        cmocka_unit_test(a_stop_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
