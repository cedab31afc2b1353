/* test_explore_counts.c - how many executions there are, exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/explore.h"
#include "structures.h"

static struct plumb_explore_stats
explore(const struct program *p, const struct plumb_explore_options *o)
{
    struct interpreter interpreter;
    const struct plumb_machine m = interpreter_machine(&interpreter, p);
    struct plumb_explore_stats stats;
    struct plumb_error err;
    assert_int_equal(plumb_explore(&m, o, &stats, &err), PLUMB_OK);
    assert_true(stats.exhausted);
    return stats;
}

static struct plumb_explore_stats dpor(const struct program *p)
{
    const struct plumb_explore_options o = { .strategy = PLUMB_DPOR };
    return explore(p, &o);
}

static uint64_t bounded_dfs(const struct program *p, uint32_t preemptions)
{
    const struct plumb_explore_options o = { .strategy = PLUMB_DFS,
                                             .bounded = true,
                                             .preemptions = preemptions };
    return explore(p, &o).complete;
}

static uint64_t dfs(const struct program *p)
{
    const struct plumb_explore_options o = { .strategy = PLUMB_DFS };
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(treiber_stack_has_40_and_25680_traces),
        cmocka_unit_test(michael_scott_queue_has_222_traces),
        cmocka_unit_test(three_enqueues_have_9168_traces),
        cmocka_unit_test(spawning_and_joining_add_no_trace),
    };
    (void)bounded_dfs; (void)dfs;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
