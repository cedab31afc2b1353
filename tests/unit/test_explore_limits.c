/* test_explore_limits.c - ends of an exploration, and executions by chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "strategies/chance.h"
#include "strategies/explore.h"
#include "structures.h"

static const struct instruction two_steps[] = { { .op = NOTHING },
                                                { .op = NOTHING },
                                                { .op = END } };
static const struct program two_by_two = { .code = { two_steps, two_steps },
                                           .codes = 2,
                                           .threads = 2 };

static enum plumb_status explore(
    const struct program *p, const struct plumb_strategies_explore_options *o,
    struct plumb_strategies_explore_stats *stats)
{
    struct interpreter interpreter;
    const struct plumb_strategies_machine m =
        interpreter_machine(&interpreter, p);
    struct plumb_error err = { .status = PLUMB_OK };
    const enum plumb_status status =
        plumb_strategies_explore(&m, o, stats, &err);
    assert_int_equal(err.status, status);
    return status;
}

/* ---- memory and time ---- */

static size_t allocations_that_fail(struct plumb_strategies_explore_options o)
{
    struct plumb_strategies_explore_stats stats;
    struct structure s;
    size_t nth = 0;
    bool failed;
    make_treiber(&s, 10);
    o.budget = plumb_budget_new(0, 0);
    o.executions = 50;
    do {
        plumb_base_budget_fail_at(o.budget, ++nth);
        const enum plumb_status status = explore(&s.program, &o, &stats);
        failed = plumb_base_budget_has_failed(o.budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        assert_false(stats.exhausted);
        assert_int_equal(plumb_budget_used(o.budget), 0);
    } while (failed);
    plumb_budget_free(o.budget);
    return nth - 1;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (unsigned i = PLUMB_DPOR; i <= PLUMB_STATES; i++) {
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)i
        };
        assert_true(allocations_that_fail(o) >= (i == PLUMB_DPOR ? 15 : 3));
    }
    assert_true(allocations_that_fail((struct plumb_strategies_explore_options){
                    .bounded = true, .preemptions = 2 }) >= 15);
}

static void a_limit_on_memory_ends_it(void **state)
{
    (void)state;
    struct plumb_strategies_explore_options o = { .budget = plumb_budget_new(
                                                      0, 3000) };
    struct plumb_strategies_explore_stats stats;
    struct structure s;
    make_treiber(&s, 10);
    assert_int_equal(explore(&s.program, &o, &stats), PLUMB_EMEMORY);
    assert_int_equal(plumb_budget_used(o.budget), 0);
    plumb_budget_free(o.budget);
}

static bool stop_at_the_hundredth(void *context,
                                  const struct plumb_strategies_execution *e)
{
    struct plumb_strategies_explore_options *const o = context;
    (void)e;
    if (++o->seed == 100)
        plumb_budget_stop(o->budget);
    return true;
}

static void a_stop_is_obeyed_soon(void **state)
{
    (void)state;
    for (unsigned strategy = PLUMB_DPOR; strategy <= PLUMB_STATES; strategy++) {
        struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy,
            .budget = plumb_budget_new(0, 0),
            .ended = stop_at_the_hundredth,
            .context = &o
        };
        struct plumb_strategies_explore_stats stats;
        struct structure s;
        make_treiber(&s, 4);
        assert_int_equal(explore(&s.program, &o, &stats), PLUMB_ESTOP);
        assert_false(stats.exhausted);
        const uint64_t told = stats.complete + stats.asleep + stats.seen;
        assert_true(told >= 100 && told < 1000);
        plumb_budget_free(o.budget);
    }
}

static void a_deadline_is_kept(void **state)
{
    (void)state;
    static const struct instruction nothing[] = { { .op = END } };
    const struct program p = { .code = { nothing }, .codes = 1, .threads = 1 };
    const struct plumb_strategies_explore_options o = {
        .strategy = PLUMB_RANDOM, .budget = plumb_budget_new(5, 0)
    };
    struct plumb_strategies_explore_stats stats;
    assert_int_equal(explore(&p, &o, &stats), PLUMB_ETIME);
    plumb_budget_free(o.budget);
}

/* ---- ends that were asked for ---- */

static bool say_no(void *context, const struct plumb_strategies_execution *e)
{
    unsigned *const told = context;
    assert_int_equal(e->length, 4);
    ++*told;
    return false;
}

static void the_caller_may_end_it(void **state)
{
    (void)state;
    for (unsigned strategy = PLUMB_DPOR; strategy <= PLUMB_STATES; strategy++) {
        unsigned told = 0;
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy,
            .ended = say_no,
            .context = &told
        };
        struct plumb_strategies_explore_stats stats;
        assert_int_equal(explore(&two_by_two, &o, &stats), PLUMB_OK);
        assert_int_equal(told, 1);
        assert_int_equal(stats.complete, 1);
        assert_false(stats.exhausted);
    }
}

static void so_many_executions_and_no_more(void **state)
{
    (void)state;
    for (unsigned strategy = PLUMB_DFS; strategy <= PLUMB_STATES; strategy++) {
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy, .executions = 5
        };
        struct plumb_strategies_explore_stats stats;
        assert_int_equal(explore(&two_by_two, &o, &stats), PLUMB_OK);
        assert_int_equal(stats.complete + stats.seen, 5);
        assert_int_equal(stats.longest, 4);
        assert_false(stats.exhausted);
    }
}

static void executions_without_end_are_cut(void **state)
{
    (void)state;
    static const struct instruction spins[] = {
        { .op = LOAD, .size = 8, .r = 1 }, { .op = GOTO, .to = -1 }
    };
    const struct program p = { .code = { spins, two_steps },
                               .codes = 2,
                               .threads = 2 };
    for (unsigned strategy = PLUMB_DPOR; strategy <= PLUMB_PCT; strategy++) {
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy,
            .steps = 10,
            .executions = 40
        };
        struct plumb_strategies_explore_stats stats;
        assert_int_equal(explore(&p, &o, &stats), PLUMB_OK);
        assert_true(stats.cut > 0);
        assert_int_equal(stats.complete, 0);
        assert_int_equal(stats.longest, 10);
        assert_false(stats.exhausted);
    }
}

/* The state in which it is cut is new; the way there is a line. */
static void states_too_far_away_are_cut(void **state)
{
    (void)state;
    const struct instruction nothing = { .op = NOTHING };
    struct instruction code[20] = { 0 };
    for (unsigned i = 0; i < 19; i++)
        code[i] = nothing;
    const struct program p = { .code = { code }, .codes = 1, .threads = 1 };
    struct plumb_strategies_explore_options o = { .strategy = PLUMB_STATES,
                                                  .steps = 10 };
    struct plumb_strategies_explore_stats stats;
    assert_int_equal(explore(&p, &o, &stats), PLUMB_OK);
    assert_int_equal(stats.states, 11);
    assert_int_equal(stats.cut, 1);
    assert_false(stats.exhausted);
    o.steps = 20;
    assert_int_equal(explore(&p, &o, &stats), PLUMB_OK);
    assert_int_equal(stats.states, 20);
    assert_int_equal(stats.complete, 1);
    assert_true(stats.exhausted);
}

/* Also those that are made when cycles are sought. */
static void failed_allocations_among_cycles_are_reported(void **state)
{
    (void)state;
    static const struct instruction spins[] = {
        { .op = CHOOSE, .size = 3, .r = 1 },
        { .op = LOAD, .size = 8, .r = 2 },
        { .op = GOTO, .to = -1 },
    };
    const struct program p = { .code = { spins, two_steps },
                               .codes = 2,
                               .threads = 2 };
    struct plumb_strategies_explore_options o = { .strategy = PLUMB_STATES,
                                                  .budget =
                                                      plumb_budget_new(0, 0) };
    struct plumb_strategies_explore_stats stats;
    size_t nth = 0;
    bool failed;
    do {
        plumb_base_budget_fail_at(o.budget, ++nth);
        const enum plumb_status status = explore(&p, &o, &stats);
        failed = plumb_base_budget_has_failed(o.budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        assert_int_equal(stats.exhausted, !failed);
        assert_int_equal(plumb_budget_used(o.budget), 0);
    } while (failed);
    assert_int_equal(stats.endless, 3);
    assert_true(nth > 15);
    plumb_budget_free(o.budget);
}

static bool see_option(void *context,
                       const struct plumb_strategies_execution *e)
{
    unsigned *const of = context;
    assert_int_equal(e->length, 1);
    of[e->step[0].option]++;
    return true;
}

static void every_option_is_taken(void **state)
{
    (void)state;
    static const struct instruction chooses[] = {
        { .op = CHOOSE, .size = 255, .r = 1 }, { .op = END }
    };
    const struct program p = { .code = { chooses }, .codes = 1, .threads = 1 };
    for (unsigned strategy = PLUMB_DPOR; strategy <= PLUMB_STATES; strategy++) {
        const bool chance = strategy == PLUMB_RANDOM || strategy == PLUMB_PCT;
        unsigned of[256] = { 0 };
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy,
            .executions = chance ? 25500 : 0,
            .ended = see_option,
            .context = of
        };
        struct plumb_strategies_explore_stats stats;
        assert_int_equal(explore(&p, &o, &stats), PLUMB_OK);
        assert_int_equal(stats.complete, chance ? 25500 : 255);
        for (unsigned i = 0; i < 255; i++)
            assert_in_range(of[i], chance ? 50 : 1, chance ? 160 : 1);
        assert_int_equal(of[255], 0);
    }
}

static void a_program_without_events_has_one_execution(void **state)
{
    (void)state;
    static const struct instruction nothing[] = { { .op = END } };
    const struct program p = { .code = { nothing }, .codes = 1, .threads = 1 };
    for (unsigned strategy = PLUMB_DPOR; strategy <= PLUMB_DFS; strategy++) {
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy
        };
        struct plumb_strategies_explore_stats stats;
        assert_int_equal(explore(&p, &o, &stats), PLUMB_OK);
        assert_int_equal(stats.complete, 1);
        assert_int_equal(stats.steps, 0);
        assert_true(stats.exhausted);
    }
}

/* ---- machines ---- */

struct moody {
    struct interpreter interpreter;
    unsigned begun;
};

static void moody_begin(void *context)
{
    struct moody *const m = context;
    m->begun++;
    interpreter_begin(&m->interpreter);
}

/* The second time it writes elsewhere. */
static void moody_step(void *context, unsigned thread, unsigned option,
                       struct plumb_strategies_event *event)
{
    struct moody *const m = context;
    interpreter_step(&m->interpreter, thread, option, event);
    event->at += 8 * m->begun;
}

static void another_execution_for_the_same_steps_is_an_error(void **state)
{
    (void)state;
    for (unsigned strategy = PLUMB_DPOR; strategy <= PLUMB_DFS; strategy++) {
        struct moody moody = { .begun = 0 };
        struct structure s;
        struct plumb_strategies_explore_stats stats;
        struct plumb_error err;
        const struct plumb_strategies_explore_options o = {
            .strategy = (enum plumb_strategy)strategy
        };
        make_treiber(&s, 2);
        struct plumb_strategies_machine m =
            interpreter_machine(&moody.interpreter, &s.program);
        m.context = &moody;
        m.begin = moody_begin;
        m.step = moody_step;
        assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err),
                         PLUMB_EINPUT);
        assert_non_null(strstr(err.message, "not deterministic"));
    }
}

/* More threads than a row has at first, all but two with memory of their own;
 * ten of them only after they were spawned. */
static void many_threads_are_kept_apart(void **state)
{
    (void)state;
    struct structure s;
    struct plumb_strategies_explore_stats stats;
    const struct plumb_strategies_explore_options o = { .strategy =
                                                            PLUMB_DPOR };
    for (unsigned spawned = 0; spawned < 2; spawned++) {
        open_structure(&s, 10);
        for (unsigned i = 0; i < 10; i++)
            s.code[i][0] = (struct instruction){
                .op = STORE, .size = 8, .at = 8 * (i < 9 ? i : 8), .value = i
            };
        if (spawned)
            add_main(&s);
        assert_int_equal(explore(&s.program, &o, &stats), PLUMB_OK);
        assert_int_equal(stats.complete, 2);
        assert_int_equal(stats.asleep, 0);
    }
}

/* ---- chance ---- */

/* The schedules of two threads with two steps each, by their bits. */
struct seen {
    unsigned of[16];
    uint32_t most_preemptions;
};

static bool see(void *context, const struct plumb_strategies_execution *e)
{
    struct seen *const s = context;
    unsigned schedule = 0;
    for (uint32_t i = 0; i < e->length; i++)
        schedule = 2 * schedule + e->step[i].thread;
    s->of[schedule]++;
    if (e->step[e->length - 1].preemptions > s->most_preemptions)
        s->most_preemptions = e->step[e->length - 1].preemptions;
    return true;
}

static struct seen walk(enum plumb_strategy strategy, uint64_t seed,
                        uint32_t changes)
{
    struct seen s = { .most_preemptions = 0 };
    const struct plumb_strategies_explore_options o = { .strategy = strategy,
                                                        .seed = seed,
                                                        .changes = changes,
                                                        .executions = 8000,
                                                        .ended = see,
                                                        .context = &s };
    struct plumb_strategies_explore_stats stats;
    assert_int_equal(explore(&two_by_two, &o, &stats), PLUMB_OK);
    return s;
}

/* Executions at once, but for every third: the same ones, in the same order. */
struct random_runer {
    struct interpreter interpreter;
    struct plumb_strategies_machine machine;
    unsigned random_runs;
    uint32_t length[300];
    unsigned count;
};

static bool random_run(void *context, struct plumb_strategies_random_run *s)
{
    struct random_runer *const w = context;
    const struct plumb_strategies_machine *const m = &w->machine;
    struct plumb_strategies_event event;
    for (uint64_t set; (set = m->ready(context)) && s->length < s->most;
         s->length++) {
        const unsigned t = plumb_strategies_any_of(&s->rng, set);
        m->stand(context, t, &event);
        const bool chooses = event.kind == PLUMB_EVENT_CHOICE;
        m->step(context, t,
                chooses ? plumb_base_rng_below(&s->rng, event.size) : 0,
                &event);
    }
    return w->random_runs++ % 3 > 0 && !m->ready(context);
}

static bool see_length(void *context,
                       const struct plumb_strategies_execution *e)
{
    struct random_runer *const w = context;
    w->length[w->count++] = e->length;
    return true;
}

static void random_runs_are_the_same_executions(void **state)
{
    (void)state;
    static const struct instruction chooses[] = {
        { .op = CHOOSE, .size = 5, .r = 1 },
        { .op = LOAD, .size = 8, .r = 2 },
        { .op = SAME, .r = 1, .s = 2, .to = 2 },
        { .op = GOTO, .to = -3 },
        { .op = END }
    };
    const struct program p = { .code = { chooses, chooses },
                               .codes = 2,
                               .threads = 2 };
    struct random_runer w[2] = { 0 };
    struct plumb_strategies_explore_stats stats[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct plumb_strategies_explore_options o = { .strategy =
                                                                PLUMB_RANDOM,
                                                            .seed = 7,
                                                            .steps = 30,
                                                            .executions = 300,
                                                            .ended = see_length,
                                                            .context = &w[i] };
        w[i].machine = interpreter_machine(&w[i].interpreter, &p);
        struct plumb_strategies_machine m = w[i].machine;
        m.random_run = i ? random_run : NULL;
        assert_int_equal(plumb_strategies_explore(&m, &o, &stats[i], NULL),
                         PLUMB_OK);
    }
    assert_memory_equal(w[0].length, w[1].length, sizeof w[0].length);
    assert_true(stats[0].cut > 0 && stats[0].complete > 100);
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
    assert_true(w[1].random_runs == 300);
}

/* aabb ends by itself after two choices, abab after three. */
static void random_walks_choose_evenly(void **state)
{
    (void)state;
    const struct seen s = walk(PLUMB_RANDOM, 1, 0);
    const unsigned two[] = { 3, 12 }, three[] = { 5, 6, 9, 10 };
    for (unsigned i = 0; i < 2; i++)
        assert_in_range(s.of[two[i]], 1850, 2150);
    for (unsigned i = 0; i < 4; i++)
        assert_in_range(s.of[three[i]], 900, 1100);
}

static void the_seed_is_all_there_is_to_chance(void **state)
{
    (void)state;
    for (unsigned strategy = PLUMB_RANDOM; strategy <= PLUMB_PCT; strategy++) {
        const enum plumb_strategy of = (enum plumb_strategy)strategy;
        const struct seen one = walk(of, 7, 1), same = walk(of, 7, 1),
                          other = walk(of, 8, 1);
        assert_memory_equal(&one, &same, sizeof one);
        assert_memory_not_equal(&one, &other, sizeof one);
    }
}

static void pct_preempts_only_where_priorities_change(void **state)
{
    (void)state;
    const struct seen none = walk(PLUMB_PCT, 1, 0), one = walk(PLUMB_PCT, 1, 1),
                      two = walk(PLUMB_PCT, 1, 2);
    assert_int_equal(none.of[3] + none.of[12], 8000);
    assert_in_range(none.of[3], 3700, 4300);
    assert_int_equal(one.most_preemptions, 1);
    assert_true(one.of[6] > 500 && one.of[9] > 500);
    assert_int_equal(two.most_preemptions, 2);
    assert_true(two.of[5] > 100 && two.of[10] > 100);
}

/* ---- dependence ---- */

static struct plumb_strategies_event event(
    enum plumb_strategies_event_kind kind, uint64_t at, uint32_t size)
{
    return (
        struct plumb_strategies_event){ .at = at, .size = size, .kind = kind };
}

static bool depend(struct plumb_strategies_event a,
                   struct plumb_strategies_event b)
{
    assert_int_equal(plumb_strategies_events_depend(&a, &b),
                     plumb_strategies_events_depend(&b, &a));
    return plumb_strategies_events_depend(&a, &b);
}

static void accesses_depend_if_one_writes_a_common_byte(void **state)
{
    (void)state;
    const struct plumb_strategies_event w = event(PLUMB_EVENT_WRITE, 100, 8);
    assert_true(depend(w, w));
    assert_true(depend(w, event(PLUMB_EVENT_READ, 107, 1)));
    assert_true(depend(w, event(PLUMB_EVENT_FAILED, 93, 8)));
    assert_false(depend(w, event(PLUMB_EVENT_READ, 108, 4)));
    assert_false(depend(w, event(PLUMB_EVENT_READ, 92, 8)));
    assert_false(depend(w, event(PLUMB_EVENT_WRITE, 104, 0)));
    assert_true(depend(w, event(PLUMB_EVENT_WRITE, 0, UINT32_MAX)));
    assert_false(depend(event(PLUMB_EVENT_READ, 100, 8),
                        event(PLUMB_EVENT_FAILED, 100, 8)));
    assert_true(depend(event(PLUMB_EVENT_WRITE, UINT64_MAX, 1),
                       event(PLUMB_EVENT_READ, UINT64_MAX - 3, 4)));
    assert_false(depend(w, event(PLUMB_EVENT_LOCK, 100, 8)));
}

static void other_events_depend_on_their_like(void **state)
{
    (void)state;
    const struct plumb_strategies_event call = event(PLUMB_EVENT_CALL, 0, 0),
                                        ret = event(PLUMB_EVENT_RETURN, 0, 0),
                                        lock = event(PLUMB_EVENT_LOCK, 5, 0);
    assert_true(depend(call, ret));
    assert_false(depend(call, call));
    assert_false(depend(ret, ret));
    assert_true(depend(lock, lock));
    assert_false(depend(lock, event(PLUMB_EVENT_LOCK, 6, 0)));
    assert_true(
        depend(event(PLUMB_EVENT_SPAWN, 1, 0), event(PLUMB_EVENT_SPAWN, 2, 0)));
    assert_false(depend(event(PLUMB_EVENT_LOCAL, 0, 0), lock));
    assert_false(depend(event(PLUMB_EVENT_JOIN, 1, 0), call));
    const struct plumb_strategies_event sync = event(PLUMB_EVENT_SYNC, 5, 0);
    assert_true(depend(sync, sync));
    assert_true(depend(sync, lock));
    assert_true(depend(sync, event(PLUMB_EVENT_UNLOCK, 5, 0)));
    assert_false(depend(sync, event(PLUMB_EVENT_SYNC, 6, 0)));
    assert_false(depend(sync, event(PLUMB_EVENT_WRITE, 5, 8)));
    assert_false(depend(event(PLUMB_EVENT_CHOICE, 5, 3),
                        event(PLUMB_EVENT_CHOICE, 5, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(a_limit_on_memory_ends_it),
        cmocka_unit_test(a_stop_is_obeyed_soon),
        cmocka_unit_test(a_deadline_is_kept),
        cmocka_unit_test(the_caller_may_end_it),
        cmocka_unit_test(so_many_executions_and_no_more),
        cmocka_unit_test(executions_without_end_are_cut),
        cmocka_unit_test(states_too_far_away_are_cut),
        cmocka_unit_test(failed_allocations_among_cycles_are_reported),
        cmocka_unit_test(every_option_is_taken),
        cmocka_unit_test(a_program_without_events_has_one_execution),
        cmocka_unit_test(another_execution_for_the_same_steps_is_an_error),
        cmocka_unit_test(many_threads_are_kept_apart),
        cmocka_unit_test(random_runs_are_the_same_executions),
        cmocka_unit_test(random_walks_choose_evenly),
        cmocka_unit_test(the_seed_is_all_there_is_to_chance),
        cmocka_unit_test(pct_preempts_only_where_priorities_change),
        cmocka_unit_test(accesses_depend_if_one_writes_a_common_byte),
        cmocka_unit_test(other_events_depend_on_their_like),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
