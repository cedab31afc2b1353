/* test_explore_fairness.c - threads that give way again and again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "outcomes.h"
#include "random_program.h"
#include "strategies/fairness.h"

enum { FLAG, ROUNDS = 400, STEPS = 60 };

/* Waits for the flag and gives way in between. */
static const struct instruction waits[] = {
    { .op = LOAD, .at = FLAG, .size = 8, .r = 1 },
    { .op = YIELD },
    { .op = SAME, .r = 1, .to = -2 },
    { .op = END }
};
static const struct instruction raises[] = {
    { .op = NOTHING },
    { .op = STORE, .at = FLAG, .size = 8, .value = 1 },
    { .op = END }
};

struct seen {
    struct interpreter machine;
    struct list ends; /* final states */
};

static bool keep_end(void *context, const struct plumb_strategies_execution *x)
{
    struct seen *const s = context;
    if (x->outcome == PLUMB_COMPLETE || x->outcome == PLUMB_DEADLOCK)
        add_item(&s->ends, state_of(&s->machine, x->outcome));
    return s->ends.count < MOST_SCHEDULES - 1;
}

static struct plumb_strategies_explore_stats explore(
    const struct program *p, struct plumb_strategies_explore_options o,
    struct seen *s)
{
    struct plumb_error err;
    struct plumb_strategies_explore_stats stats;
    const struct plumb_strategies_machine m =
        interpreter_machine(&s->machine, p);
    open_list(&s->ends);
    o.ended = keep_end;
    o.context = s;
    assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err), PLUMB_OK);
    sort_and_drop_doubles(&s->ends);
    return stats;
}

static struct plumb_strategies_explore_stats count(
    const struct program *p, struct plumb_strategies_explore_options o)
{
    static struct seen s;
    const struct plumb_strategies_explore_stats stats = explore(p, o, &s);
    free(s.ends.item);
    return stats;
}

static void a_wait_that_gives_way_ends(void **state)
{
    const struct program p = { .code = { waits, raises },
                               .codes = 2,
                               .threads = 2 };
    const struct plumb_strategies_explore_options
        unfair = { .strategy = PLUMB_DFS, .steps = STEPS },
        fair = { .strategy = PLUMB_DFS, .steps = STEPS, .fair = true };
    const struct plumb_strategies_explore_stats with = count(&p, fair),
                                                without = count(&p, unfair);
    (void)state;
    assert_int_equal(with.cut, 0);
    assert_int_equal(with.deadlocks, 0);
    assert_true(with.complete > 1);
    assert_true(with.withheld > 0);
    assert_false(with.exhausted);
    assert_true(with.longest < 20);
    assert_true(without.cut > 0);
}

static void two_that_wait_for_a_third_end(void **state)
{
    const struct program p = { .code = { waits, waits, raises },
                               .codes = 3,
                               .threads = 3 };
    const struct plumb_strategies_explore_options fair = { .strategy =
                                                               PLUMB_DFS,
                                                           .steps = 100,
                                                           .bounded = true,
                                                           .preemptions = 1,
                                                           .fair = true };
    const struct plumb_strategies_explore_stats stats = count(&p, fair);
    (void)state;
    assert_int_equal(stats.cut, 0);
    assert_true(stats.complete > 1);
}

/* The one of the highest priority would spin for ever. */
static void priorities_do_not_starve(void **state)
{
    const struct program p = { .code = { waits, raises },
                               .codes = 2,
                               .threads = 2 };
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct plumb_strategies_explore_options o = { .strategy = PLUMB_PCT,
                                                      .seed = seed,
                                                      .executions = 20,
                                                      .steps = STEPS,
                                                      .fair = true };
        assert_int_equal(count(&p, o).cut, 0);
        o.strategy = PLUMB_RANDOM;
        assert_int_equal(count(&p, o).cut, 0);
    }
}

/* ---- on random programs ---- */

static bool contains(const struct list *l, uint64_t item)
{
    return bsearch(&item, l->item, l->count, sizeof item, by_number);
}

/* Every end under fairness is one without; and all are there if nobody was
 * kept back. */
static unsigned ends_are_ends(const struct program *p,
                              struct plumb_strategies_explore_options o)
{
    static struct seen fair, unfair;
    const struct plumb_strategies_explore_stats without =
        explore(p, o, &unfair);
    o.fair = true;
    const struct plumb_strategies_explore_stats with = explore(p, o, &fair);
    const bool whole = without.exhausted;
    if (whole) {
        for (size_t i = 0; i < fair.ends.count; i++)
            assert_true(contains(&unfair.ends, fair.ends.item[i]));
        assert_true(with.withheld || are_equal(&fair.ends, &unfair.ends));
        assert_int_equal(with.exhausted, !with.withheld);
    }
    free(fair.ends.item);
    free(unfair.ends.item);
    return whole;
}

static void fair_ends_are_ends(void **state)
{
    unsigned whole = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct random_program p;
        make_sync_program(&p, seed, false);
        whole += ends_are_ends(&p.program,
                               (struct plumb_strategies_explore_options){
                                   .strategy = PLUMB_DFS, .steps = STEPS });
    }
    assert_true(whole > ROUNDS / 2);
}

/* Loops that need not end: fair schedules of those that all have a YIELD do,
 * at a state that `states` finds, too. */
static unsigned spins_end_as_states_say(const struct program *p)
{
    static struct seen fair, all;
    const struct plumb_strategies_explore_options dfs = { .strategy = PLUMB_DFS,
                                                          .steps = STEPS,
                                                          .executions = 200,
                                                          .fair = true },
                                                  states = { .strategy =
                                                                 PLUMB_STATES,
                                                             .executions =
                                                                 5000 };
    const struct plumb_strategies_explore_stats s = explore(p, states, &all),
                                                f = explore(p, dfs, &fair);
    for (size_t i = 0; s.exhausted && i < fair.ends.count; i++)
        assert_true(contains(&all.ends, fair.ends.item[i]));
    const unsigned spun = s.exhausted && f.withheld && !f.cut;
    free(fair.ends.item);
    free(all.ends.item);
    return spun;
}

static void spins_end_where_they_can(void **state)
{
    unsigned spun = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS / 4; seed++) {
        struct random_program p;
        make_sync_program(&p, seed, true);
        spun += spins_end_as_states_say(&p.program);
    }
    assert_true(spun > 0);
}

/* ---- the relation itself ---- */

/* Random steps, ready sets and times of giving way: somebody may always go on,
 * and who gives way for the second time comes after those who were left out. */
static void somebody_may_go_on(void **state)
{
    struct plumb_strategies_fairness f;
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 7);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t ready = 1 + plumb_base_rng_below(&rng, 255);
        plumb_strategies_fairness_begin(&f);
        for (unsigned i = 0; i < 200; i++) {
            uint64_t may = plumb_strategies_fairness_filter(&f, ready);
            assert_true(may && !(may & ~ready));
            for (uint32_t skip = plumb_base_rng_below(
                     &rng, (uint32_t)__builtin_popcountll(may));
                 skip > 0; skip--)
                may &= may - 1;
            const struct plumb_strategies_step step = {
                .thread = (uint8_t)__builtin_ctzll(may),
                .gave_way = plumb_base_rng_chance(&rng, 40),
            };
            const uint64_t behind = 1 + plumb_base_rng_below(&rng, 255);
            plumb_strategies_fairness_step(&f, &step, ready, behind);
            ready = behind;
        }
    }
}

static void who_was_left_out_comes_first(void **state)
{
    const struct plumb_strategies_step yields = { .thread = 0,
                                                  .gave_way = true },
                                       goes_on = { .thread = 1 };
    struct plumb_strategies_fairness f;
    (void)state;
    plumb_strategies_fairness_begin(&f);
    plumb_strategies_fairness_step(&f, &yields, 3, 3);
    assert_int_equal(plumb_strategies_fairness_filter(&f, 3), 3);
    plumb_strategies_fairness_step(&f, &yields, 3, 3);
    assert_int_equal(plumb_strategies_fairness_filter(&f, 3), 2);
    assert_int_equal(plumb_strategies_fairness_filter(&f, 1), 1);
    plumb_strategies_fairness_step(&f, &goes_on, 3, 3);
    assert_int_equal(plumb_strategies_fairness_filter(&f, 3), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_gives_way_ends),
        cmocka_unit_test(two_that_wait_for_a_third_end),
        cmocka_unit_test(priorities_do_not_starve),
        cmocka_unit_test(fair_ends_are_ends),
        cmocka_unit_test(spins_end_where_they_can),
        cmocka_unit_test(somebody_may_go_on),
        cmocka_unit_test(who_was_left_out_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
