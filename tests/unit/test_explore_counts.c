/* test_explore_counts.c - how many executions there are, exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_program.h"
#include "strategies/explore.h"
#include "structures.h"

static struct plumb_strategies_explore_stats explore(
    const struct program *p, const struct plumb_strategies_explore_options *o)
{
    struct interpreter interpreter;
    const struct plumb_strategies_machine m =
        interpreter_machine(&interpreter, p);
    struct plumb_strategies_explore_stats stats;
    struct plumb_error err;
    assert_int_equal(plumb_strategies_explore(&m, o, &stats, &err), PLUMB_OK);
    assert_true(stats.exhausted);
    return stats;
}

static struct plumb_strategies_explore_stats dpor(const struct program *p)
{
    const struct plumb_strategies_explore_options o = { .strategy =
                                                            PLUMB_DPOR };
    return explore(p, &o);
}

static uint64_t bounded_dfs(const struct program *p, uint32_t preemptions)
{
    const struct plumb_strategies_explore_options o = {
        .strategy = PLUMB_DFS, .bounded = true, .preemptions = preemptions
    };
    return explore(p, &o).complete;
}

static uint64_t dfs(const struct program *p)
{
    const struct plumb_strategies_explore_options o = { .strategy = PLUMB_DFS };
    return explore(p, &o).complete;
}

/* ---- traces of lock-free structures, as other tools count them ---- */

static void treiber_stack_has_40_and_25680_traces(void **state)
{
    (void)state;
    struct structure s;
    make_treiber(&s, 2);
    assert_int_equal(dpor(&s.program).complete, 40);
    make_treiber(&s, 3);
    assert_int_equal(dpor(&s.program).complete, 25680);
}

static void michael_scott_queue_has_222_traces(void **state)
{
    (void)state;
    struct structure s;
    make_queue(&s, 2, true);
    assert_int_equal(dpor(&s.program).complete, 222);
}

static void three_enqueues_have_9168_traces(void **state)
{
    (void)state;
    struct structure s;
    make_queue(&s, 3, false);
    assert_int_equal(dpor(&s.program).complete, 9168);
}

static void spawning_and_joining_add_no_trace(void **state)
{
    (void)state;
    struct structure s;
    make_treiber(&s, 2);
    add_main(&s);
    assert_int_equal(dpor(&s.program).complete, 40);
    make_queue(&s, 2, true);
    add_main(&s);
    assert_int_equal(dpor(&s.program).complete, 222);
}

/* ---- CALL and RETURN ---- */

/* Around a push and a pop, an enqueue and a dequeue: more traces, because the
 * order of a RETURN and a CALL tells them apart. */
static void wrap_in_calls(struct structure *s, unsigned first)
{
    for (unsigned t = 0; t < s->program.codes; t++) {
        struct instruction *const code = s->code[t];
        unsigned end = 0;
        while (code[end].op != END)
            end++;
        memmove(code + first + 3, code + first, (end - first) * sizeof *code);
        memmove(code + 1, code, first * sizeof *code);
        code[0] = code[first + 2] = (struct instruction){ .op = CALL };
        code[first + 1] = (struct instruction){ .op = RETURN };
        code[end + 3] = (struct instruction){ .op = RETURN };
        code[end + 4] = (struct instruction){ .op = END };
    }
}

static void visible_calls_split_traces(void **state)
{
    (void)state;
    const struct plumb_strategies_explore_options o = { .calls = true };
    struct structure s;
    make_treiber(&s, 2);
    wrap_in_calls(&s, 3);
    assert_int_equal(dpor(&s.program).complete, 40);
    assert_int_equal(explore(&s.program, &o).complete, 142);
    make_queue(&s, 2, true);
    wrap_in_calls(&s, 13);
    assert_int_equal(dpor(&s.program).complete, 222);
    assert_int_equal(explore(&s.program, &o).complete, 636);
}

/* ---- preemptions ---- */

static const struct instruction two_steps[] = { { .op = NOTHING },
                                                { .op = NOTHING },
                                                { .op = END } };
static const struct instruction three_steps[] = {
    { .op = NOTHING }, { .op = NOTHING }, { .op = NOTHING }, { .op = END }
};

/* aabb; abba; abab, and each with the threads exchanged. */
static void two_threads_of_two_steps(void **state)
{
    (void)state;
    const struct program p = { .code = { two_steps, two_steps },
                               .codes = 2,
                               .threads = 2 };
    assert_int_equal(bounded_dfs(&p, 0), 2);
    assert_int_equal(bounded_dfs(&p, 1), 4);
    assert_int_equal(bounded_dfs(&p, 2), 6);
    assert_int_equal(bounded_dfs(&p, 3), 6);
    assert_int_equal(dfs(&p), 6);
}

/* a is cut in two at one of two places by all of b, or b by all of a; then one
 * of them in two and the other too, which costs two: 2 * 2 * 2 in number; both
 * in three costs four, and one in three and the other in two three. */
static void two_threads_of_three_steps(void **state)
{
    (void)state;
    const struct program p = { .code = { three_steps, three_steps },
                               .codes = 2,
                               .threads = 2 };
    assert_int_equal(bounded_dfs(&p, 0), 2);
    assert_int_equal(bounded_dfs(&p, 1), 2 + 4);
    assert_int_equal(bounded_dfs(&p, 2), 2 + 4 + 8);
    assert_int_equal(bounded_dfs(&p, 3), 2 + 4 + 8 + 4);
    assert_int_equal(bounded_dfs(&p, 4), 20);
    assert_int_equal(dfs(&p), 20);
}

/* Waiting is no preemption: b starts first, waits for the end of a. */
static void blocking_is_free(void **state)
{
    (void)state;
    static const struct instruction waits[] = { { .op = NOTHING },
                                                { .op = JOIN, .at = 0 },
                                                { .op = END } };
    const struct program p = { .code = { two_steps, waits },
                               .codes = 2,
                               .threads = 2 };
    assert_int_equal(bounded_dfs(&p, 0), 2); /* aabb baab */
    assert_int_equal(bounded_dfs(&p, 1), 3); /* abab */
    assert_int_equal(dfs(&p), 3);
}

/* How many schedules there are of each number of preemptions. */
enum { MOST_PREEMPTIONS = 32 };

struct tally {
    struct interpreter again;
    struct plumb_strategies_machine machine;
    uint64_t of[MOST_PREEMPTIONS];
};

/* Counted by running the schedule again. */
static uint32_t preemptions_of(struct tally *t,
                               const struct plumb_strategies_execution *e)
{
    const struct plumb_strategies_machine *const m = &t->machine;
    uint32_t count = 0;
    m->begin(m->context);
    for (uint32_t i = 0; i < e->length; i++) {
        struct plumb_strategies_event event;
        if (i > 0 && e->step[i].thread != e->step[i - 1].thread &&
            m->stand(m->context, e->step[i - 1].thread, &event) == PLUMB_READY)
            count++;
        m->step(m->context, e->step[i].thread, e->step[i].option, &event);
        assert_int_equal(e->step[i].preemptions, count);
    }
    return count;
}

static bool add_to_tally(void *context,
                         const struct plumb_strategies_execution *e)
{
    struct tally *const t = context;
    const uint32_t n = preemptions_of(t, e);
    assert_true(n < MOST_PREEMPTIONS);
    t->of[n]++;
    return true;
}

static void bounded_is_unbounded_without_the_rest(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_program r;
        struct tally t = { 0 };
        const struct plumb_strategies_explore_options o = { .strategy =
                                                                PLUMB_DFS,
                                                            .executions = 20000,
                                                            .ended =
                                                                add_to_tally,
                                                            .context = &t };
        struct interpreter interpreter;
        struct plumb_strategies_explore_stats stats;
        struct plumb_error err;
        make_random_program(&r, seed);
        t.machine = interpreter_machine(&t.again, &r.program);
        const struct plumb_strategies_machine m =
            interpreter_machine(&interpreter, &r.program);
        assert_int_equal(plumb_strategies_explore(&m, &o, &stats, &err),
                         PLUMB_OK);
        uint64_t within = 0;
        for (uint32_t n = 0; stats.exhausted && n < 5; n++) {
            within += t.of[n];
            assert_int_equal(bounded_dfs(&r.program, n), within);
        }
    }
}

/* ---- deadlocks ---- */

static void locks_in_either_order_deadlock(void **state)
{
    (void)state;
    static const struct instruction one[] = { { .op = LOCK, .at = 0 },
                                              { .op = LOCK, .at = 1 },
                                              { .op = UNLOCK, .at = 1 },
                                              { .op = UNLOCK, .at = 0 },
                                              { .op = END } },
                                    two[] = { { .op = LOCK, .at = 1 },
                                              { .op = LOCK, .at = 0 },
                                              { .op = UNLOCK, .at = 0 },
                                              { .op = UNLOCK, .at = 1 },
                                              { .op = END } };
    const struct program p = { .code = { one, two }, .codes = 2, .threads = 2 };
    const struct plumb_strategies_explore_stats s = dpor(&p);
    assert_int_equal(s.complete, 3);
    assert_int_equal(s.deadlocks, 1);
}

/* Who spawns first has the lower number spawned. */
static void spawns_of_two_threads_have_an_order(void **state)
{
    (void)state;
    static const struct instruction one[] = { { .op = SPAWN, .at = 2 },
                                              { .op = END } },
                                    two[] = { { .op = SPAWN, .at = 3 },
                                              { .op = END } };
    const struct program p = { .code = { one, two, two_steps, three_steps },
                               .codes = 4,
                               .threads = 2 };
    assert_int_equal(dpor(&p).complete, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(treiber_stack_has_40_and_25680_traces),
        cmocka_unit_test(michael_scott_queue_has_222_traces),
        cmocka_unit_test(three_enqueues_have_9168_traces),
        cmocka_unit_test(spawning_and_joining_add_no_trace),
        cmocka_unit_test(spawns_of_two_threads_have_an_order),
        cmocka_unit_test(visible_calls_split_traces),
        cmocka_unit_test(two_threads_of_two_steps),
        cmocka_unit_test(two_threads_of_three_steps),
        cmocka_unit_test(blocking_is_free),
        cmocka_unit_test(bounded_is_unbounded_without_the_rest),
        cmocka_unit_test(locks_in_either_order_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
