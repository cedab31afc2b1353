/* test_explore_traces.c - dpor against all schedules of random programs.
 *
 * All schedules are run by dfs and told apart by their trace: its least
 * linearization, by a definition of dependence of our own.  dpor has to
 * complete each trace once, and none but those.  Where accesses are of several
 * sizes it takes some failed compare-and-swaps for writes, so there a trace may
 * come more than once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "effort.h"
#include "outcomes.h"
#include "own_dependence.h"
#include "random_program.h"
#include "strategies/explore.h"

enum { PROGRAMS = SOME_OF(2000), MOST_STEPS = 64 };

/* ---- what is told of an execution ---- */

/* The first of the least thread that has to wait for none not placed. */
static uint32_t least(const struct plumb_strategies_execution *e,
                      const uint64_t *before, uint64_t placed)
{
    uint32_t best = e->length;
    for (uint32_t i = 0; i < e->length; i++)
        if (!(placed >> i & 1) && !(before[i] & ~placed) &&
            (best == e->length || e->step[i].thread < e->step[best].thread))
            best = i;
    return best;
}

static uint64_t trace_of(const struct plumb_strategies_execution *e, bool calls)
{
    uint64_t before[MOST_STEPS] = { 0 }, hash = 1, placed = 0;
    assert_true(e->length < MOST_STEPS);
    for (uint32_t i = 0; i < e->length; i++)
        for (uint32_t j = 0; j < i; j++)
            if (have_an_order(e->step + j, e->step + i, calls))
                before[i] |= (uint64_t)1 << j;
    for (uint32_t n = 0; n < e->length; n++) {
        const uint32_t i = least(e, before, placed);
        const struct plumb_strategies_step *const s = e->step + i;
        placed |= (uint64_t)1 << i;
        hash = plumb_base_mix(hash, (uint64_t)s->option << 8 | s->thread);
        hash =
            plumb_base_mix(hash, (uint64_t)s->event.kind << 32 | s->event.size);
        hash = plumb_base_mix(hash, s->event.at);
    }
    return hash;
}

/* ---- what is told of all of them ---- */

struct collection {
    const struct interpreter *machine;
    bool calls;
    struct list trace, trace_with_calls, state, history;
};

static void open_collection(struct collection *c)
{
    open_list(&c->trace);
    open_list(&c->trace_with_calls);
    open_list(&c->state);
    open_list(&c->history);
}

static void close_collection(struct collection *c)
{
    free(c->trace.item);
    free(c->trace_with_calls.item);
    free(c->state.item);
    free(c->history.item);
}

static void clear_collection(struct collection *c)
{
    c->trace.count = c->trace_with_calls.count = 0;
    c->state.count = c->history.count = 0;
}

static bool collect(void *context, const struct plumb_strategies_execution *e)
{
    struct collection *const c = context;
    if (e->outcome == PLUMB_ASLEEP)
        return true;
    if (c->trace.count == MOST_SCHEDULES)
        return false;
    add_item(&c->trace, trace_of(e, false));
    add_item(&c->trace_with_calls, trace_of(e, true));
    add_item(&c->state, state_of(c->machine, e->outcome));
    add_item(&c->history, history_of(c->machine, e));
    return true;
}

static void make_sets(struct collection *c)
{
    sort_and_drop_doubles(&c->trace);
    sort_and_drop_doubles(&c->trace_with_calls);
    sort_and_drop_doubles(&c->state);
    sort_and_drop_doubles(&c->history);
}

/* ---- the claims ---- */

struct comparison {
    struct random_program program;
    struct interpreter interpreter;
    struct plumb_strategies_machine machine;
    struct collection all, some;
    uint64_t seed;
    uint64_t traces, asleep, deadlocks, schedules;
};

static struct plumb_strategies_explore_stats explore(
    struct comparison *c, struct plumb_strategies_explore_options o,
    struct collection *into)
{
    struct plumb_strategies_explore_stats stats;
    struct plumb_error err;
    o.ended = collect;
    o.context = into;
    clear_collection(into);
    into->machine = &c->interpreter;
    assert_int_equal(plumb_strategies_explore(&c->machine, &o, &stats, &err),
                     PLUMB_OK);
    return stats;
}

static void claim(const struct comparison *c, bool holds, const char *what)
{
    if (!holds)
        fail_msg("random program of seed %llu: %s", (unsigned long long)c->seed,
                 what);
}

static void compare_dpor(struct comparison *c, bool calls)
{
    const struct plumb_strategies_explore_stats s =
        explore(c, (struct plumb_strategies_explore_options){ .calls = calls },
                &c->some);
    struct list *const some =
        calls ? &c->some.trace_with_calls : &c->some.trace;
    const struct list *const all =
        calls ? &c->all.trace_with_calls : &c->all.trace;
    claim(c, s.exhausted, "ended early");
    claim(c, s.complete == some->count, "miscounted");
    sort(some);
    claim(c, c->program.mixed || are_equal(some, all), "a trace twice");
    make_sets(&c->some);
    claim(c, are_equal(some, all), "other traces");
    claim(c, are_equal(&c->some.state, &c->all.state), "other results");
    if (calls)
        claim(c, are_equal(&c->some.history, &c->all.history),
              "other histories");
    c->traces += s.complete;
    c->asleep += s.asleep;
    c->deadlocks += s.deadlocks;
}

static bool run_all(struct comparison *c)
{
    const struct plumb_strategies_explore_stats s = explore(
        c, (struct plumb_strategies_explore_options){ .strategy = PLUMB_DFS },
        &c->all);
    make_sets(&c->all);
    c->schedules += s.complete;
    return s.exhausted;
}

static void open_comparison(struct comparison *c)
{
    *c = (struct comparison){ 0 };
    open_collection(&c->all);
    open_collection(&c->some);
}

static void close_comparison(struct comparison *c)
{
    close_collection(&c->all);
    close_collection(&c->some);
}

static void take_sync_program(struct comparison *c, uint64_t seed)
{
    c->seed = seed;
    make_sync_program(&c->program, seed, false);
    c->machine = interpreter_machine(&c->interpreter, &c->program.program);
}

static void take_program(struct comparison *c, uint64_t seed)
{
    c->seed = seed;
    make_random_program(&c->program, seed);
    c->machine = interpreter_machine(&c->interpreter, &c->program.program);
}

/* False: too many schedules. */
static bool compare_all(struct comparison *c)
{
    if (!run_all(c))
        return false;
    compare_dpor(c, false);
    compare_dpor(c, true);
    return true;
}

static void every_trace_is_completed_once(void **state)
{
    (void)state;
    static struct comparison c;
    unsigned compared = 0;
    open_comparison(&c);
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        take_program(&c, seed);
        compared += compare_all(&c);
    }
    /* What once went wrong: a lock waited for in an execution given up, and a
     * failed compare-and-swap of bytes that were written by halves. */
    take_program(&c, 3487);
    assert_true(compare_all(&c));
    take_program(&c, 4425);
    assert_true(compare_all(&c));
    printf("%u programs: %llu schedules, %llu traces, %llu deadlocks, "
           "%llu given up\n",
           compared, (unsigned long long)c.schedules,
           (unsigned long long)c.traces, (unsigned long long)c.deadlocks,
           (unsigned long long)c.asleep);
    assert_true(compared > PROGRAMS * 9 / 10);
    assert_true(c.deadlocks > 100);
    assert_true(c.asleep > 0);
    close_comparison(&c);
}

/* Locks that are tried, semaphores, conditions, options. */
static void every_trace_with_sync_is_completed_once(void **state)
{
    (void)state;
    static struct comparison c;
    unsigned compared = 0;
    open_comparison(&c);
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        take_sync_program(&c, seed);
        compared += compare_all(&c);
    }
    printf("%u programs: %llu schedules, %llu traces, %llu deadlocks, "
           "%llu given up\n",
           compared, (unsigned long long)c.schedules,
           (unsigned long long)c.traces, (unsigned long long)c.deadlocks,
           (unsigned long long)c.asleep);
    assert_true(compared > PROGRAMS * 9 / 10);
    assert_true(c.deadlocks > 100);
    close_comparison(&c);
}

/* Equal traces: dfs with the bound runs all schedules within it.  False: too
 * many. */
static bool compare_bounded(struct comparison *c, uint32_t preemptions)
{
    struct plumb_strategies_explore_options o = { .strategy = PLUMB_DFS,
                                                  .calls = true,
                                                  .bounded = true,
                                                  .preemptions = preemptions };
    if (!explore(c, o, &c->all).exhausted)
        return false;
    o.strategy = PLUMB_DPOR;
    const struct plumb_strategies_explore_stats s = explore(c, o, &c->some);
    claim(c, s.exhausted && !s.asleep, "ended early");
    claim(c, c->some.trace.count <= c->all.trace.count, "more than dfs");
    c->traces += s.complete;
    c->schedules += c->all.trace.count;
    make_sets(&c->all);
    make_sets(&c->some);
    claim(c, are_equal(&c->some.trace_with_calls, &c->all.trace_with_calls),
          "other traces within the bound");
    return true;
}

static unsigned compare_bounds(struct comparison *c)
{
    unsigned compared = 0;
    for (uint32_t bound = 0; bound < 3; bound++)
        compared += compare_bounded(c, bound);
    return compared;
}

static void bounded_dpor_finds_what_bounded_dfs_finds(void **state)
{
    (void)state;
    /* Crowded programs in which it matters where a thread comes to wait: for
     * another thread, or for a lock. */
    const uint64_t hard[] = { 501346, 502526, 502737, 503788, 508535 };
    static struct comparison c;
    unsigned compared = 0;
    open_comparison(&c);
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        take_program(&c, seed);
        compared += compare_bounds(&c);
    }
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        take_sync_program(&c, seed);
        compared += compare_bounds(&c);
    }
    for (unsigned i = 0; i < sizeof hard / sizeof *hard; i++) {
        c.seed = hard[i];
        make_crowded_program(&c.program, hard[i]);
        compared += compare_bounds(&c);
    }
    printf("within 0, 1, 2 preemptions: %llu schedules, %llu run\n",
           (unsigned long long)c.schedules, (unsigned long long)c.traces);
    assert_true(compared > 2 * 3 * PROGRAMS * 98 / 100);
    assert_true(c.traces < c.schedules);
    close_comparison(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trace_is_completed_once),
        cmocka_unit_test(every_trace_with_sync_is_completed_once),
        cmocka_unit_test(bounded_dpor_finds_what_bounded_dfs_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
