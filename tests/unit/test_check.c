/* test_check.c - verdicts on histories whose answer is known, and limits. */
#include "verdicts.h"

#include "base/memory.h"
#include "base/text.h"

static void empty_history_is_linearizable(void **state)
{
    (void)state;
    struct plumb_error err;
    struct plumb_history h;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_spec *const spec = parse_spec("queue");
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_answer answer;
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_check(&h, spec, &options, &answer, &err), PLUMB_OK);
    assert_int_equal(answer.verdict, PLUMB_LINEARIZABLE);
    assert_int_equal(answer.order_count, 0);
    plumb_answer_release(&answer);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    plumb_builder_free(b);
}

static void sequential_queue_is_first_in_first_out(void **state)
{
    (void)state;
    assert_linearizable("queue", "Q enq(1) A\nQ ok() A\nQ enq(2) A\nQ ok() A\n"
                                 "Q deq() A\nQ ok(1) A\nQ deq() A\nQ ok(2) A\n"
                                 "Q deq() A\nQ empty() A\n");
    assert_violation("queue", "Q enq(1) A\nQ ok() A\nQ enq(2) A\nQ ok() A\n"
                              "Q deq() A\nQ ok(2) A\n");
    assert_violation("queue", "Q enq(1) A\nQ ok() A\n"
                              "Q deq() A\nQ empty() A\n");
}

static void overlapping_operations_take_any_order(void **state)
{
    (void)state;
    assert_linearizable("queue",
                        "Q enq(1) A\nQ enq(2) B\nQ ok() A\nQ ok() B\n"
                        "Q deq() A\nQ ok(2) A\nQ deq() A\nQ ok(1) A\n");
}

static void pending_operation_may_have_happened(void **state)
{
    (void)state;
    assert_linearizable("queue", "Q enq(1) A\nQ deq() B\nQ ok(1) B\n");
    assert_linearizable("queue", "Q enq(1) A\nQ deq() B\nQ empty() B\n");
    assert_linearizable("queue", "Q enq(1) A\nQ ok() A\nQ deq() B\n"
                                 "Q deq() A\nQ empty() A\n");
}

static void pending_operation_happens_after_its_call(void **state)
{
    (void)state;
    assert_violation("queue", "Q deq() B\nQ ok(1) B\nQ enq(1) A\n");
}

static void failed_operation_did_not_happen(void **state)
{
    (void)state;
    assert_violation("queue", "Q enq(1) A\nQ fail() A\nQ deq() B\nQ ok(1) B\n");
    assert_linearizable("queue",
                        "Q enq(1) A\nQ info() A\nQ deq() B\nQ ok(1) B\n");
}

static void operation_that_blocks_cannot_return(void **state)
{
    (void)state;
    assert_violation("mutex", "M lock() A\nM ok() A\nM lock() B\nM ok() B\n");
    assert_linearizable("mutex", "M lock() A\nM ok() A\nM lock() B\n");
    assert_violation("queue", "Q take() A\nQ ok(1) A\n");
}

/* Section 4.3 of the paper.  Its margin says the history goes wrong at Ok(e)
 * P2, because y is ahead of e.  But P1's or P3's dequeue, still open there, may
 * have taken y.  It goes wrong at Ok(c) P3: t is ahead of c and nobody took
 * it. */
static const char *const printed_queue =
    "Q Deq() P1\nQ Deq() P2\nQ Deq() P3\nQ Enq(f) P4\nQ Ok() P4\nQ Enq(y) P4\n"
    "Q Ok(f) P1\nQ Ok() P4\nQ Enq(t) P4\nQ Enq(e) P1\nQ Ok() P4\nQ Enq(o) P4\n"
    "Q Ok() P1\nQ Deq() P1\nQ Ok(e) P2\nQ Enq(c) P2\nQ Ok(y) P1\nQ Ok() P2\n"
    "Q Ok(c) P3\nQ Ok() P4\n";

static void printed_queue_history_is_a_violation(void **state)
{
    (void)state;
    assert_violation("queue", printed_queue);
    assert_violation("queue:blocking", printed_queue);
}

static void printed_queue_history_goes_wrong_at_its_last_dequeue(void **state)
{
    (void)state;
    char prefix[1024];
    strcpy(prefix, printed_queue);
    *strstr(prefix, "Q Ok(c) P3") = '\0';
    assert_linearizable("queue:blocking", prefix);
    strcpy(prefix, printed_queue);
    *(strstr(prefix, "Q Ok(c) P3") + 11) = '\0';
    assert_violation("queue:blocking", prefix);
}

static void objects_are_decided_one_by_one(void **state)
{
    (void)state;
    assert_linearizable("queue",
                        "Q enq(1) A\nQ ok() A\nR enq(2) A\nR ok() A\n"
                        "R deq() A\nR ok(2) A\nQ deq() A\nQ ok(1) A\n");
    assert_violation("queue", "Q enq(1) A\nQ ok() A\nR enq(2) A\nR ok() A\n"
                              "R deq() A\nR ok(1) A\n");
}

static void core_names_the_object_and_leaves_out_the_rest(void **state)
{
    (void)state;
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_answer a = check_text(
        "queue",
        "Q enq(1) A\nQ ok() A\nR enq(5) A\nR ok() A\nR enq(6) A\nR ok() A\n"
        "R deq() B\nR ok(6) B\nQ deq() A\nQ ok(1) A\nR deq() B\nR ok(5) B\n",
        &options);
    assert_int_equal(a.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_int_equal(a.core.object, 1);
    assert_true(a.minimal);
    assert_int_equal(a.core.count, 3); /* enq(5), enq(6), deq()=6 */
    assert_int_equal(a.core.op[0], 1);
    assert_int_equal(a.core.op[1], 2);
    assert_int_equal(a.core.op[2], 3);
    plumb_answer_release(&a);
}

/* `count` enqueues, all overlapping, then as many dequeues, in order `step`. */
static void write_wide(struct plumb_base_text *t, unsigned count, unsigned step)
{
    for (unsigned i = 0; i < count; i++)
        plumb_base_text_printf(t, "Q enq(%u) P%u\n", i, i);
    for (unsigned i = 0; i < count; i++)
        plumb_base_text_printf(t, "Q ok() P%u\n", i);
    for (unsigned i = 0; i < count; i++)
        plumb_base_text_printf(t, "Q deq() P0\nQ ok(%u) P0\n",
                               i * step % count);
}

static void windows_wider_than_64_work(void **state)
{
    (void)state;
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    write_wide(&t, 150, 1);
    struct plumb_answer a =
        check_text("queue", plumb_base_text_string(&t), &options);
    assert_int_equal(a.verdict, PLUMB_LINEARIZABLE);
    assert_int_equal(a.order_count, 300);
    plumb_answer_release(&a);
    plumb_base_text_release(&t);
}

/* Enqueues of equal values are twins: whatever the window, there is one order
 * to try.  The missing value makes it a violation. */
static void twins_keep_a_wide_violation_cheap(void **state)
{
    (void)state;
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    for (unsigned i = 0; i < 100; i++)
        plumb_base_text_printf(&t, "Q enq(7) P%u\n", i);
    for (unsigned i = 0; i < 100; i++)
        plumb_base_text_printf(&t, "Q ok() P%u\n", i);
    plumb_base_text_add(&t, "Q deq() P0\nQ ok(8) P0\n");
    struct plumb_answer a =
        check_text("queue", plumb_base_text_string(&t), &options);
    assert_int_equal(a.verdict, PLUMB_NOT_LINEARIZABLE);
    assert_true(a.configurations < 200);
    assert_int_equal(a.core.count, 1);
    plumb_answer_release(&a);
    plumb_base_text_release(&t);
}

static void stop_leaves_it_undecided(void **state)
{
    (void)state;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_check_options options = { .budget = budget };
    plumb_budget_stop(budget);
    struct plumb_answer a = check_text("queue", printed_queue, &options);
    assert_int_equal(a.verdict, PLUMB_UNDECIDED);
    assert_int_equal(a.why, PLUMB_ESTOP);
    plumb_answer_release(&a);
    plumb_budget_free(budget);
}

/* Whichever allocation fails, the answer is undecided or, if the decision did
 * not need it, right; and everything is given back. */
static void any_allocation_may_fail(void **state)
{
    (void)state;
    struct plumb_history h = read_history(printed_queue);
    struct plumb_spec *const spec = parse_spec("queue");
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_check_options options = { .budget = budget };
    bool decided = false;
    for (size_t n = 1; !decided && n < 10000; n++) {
        struct plumb_answer a;
        struct plumb_error err;
        plumb_base_budget_fail_at(budget, n);
        assert_int_equal(plumb_check(&h, spec, &options, &a, &err), PLUMB_OK);
        decided = a.verdict != PLUMB_UNDECIDED;
        if (decided)
            assert_int_equal(a.verdict, PLUMB_NOT_LINEARIZABLE);
        else
            assert_int_equal(a.why, PLUMB_EMEMORY);
        plumb_answer_release(&a);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_true(decided);
    plumb_budget_free(budget);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void refused_history_leaves_nothing_to_release(void **state)
{
    (void)state;
    struct plumb_history h = read_history("Q enq(1) A\nQ ok() A\nQ pop() A\n");
    struct plumb_spec *const spec = parse_spec("queue");
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_check_options options = { .budget = budget };
    struct plumb_answer a;
    struct plumb_error err;
    assert_int_equal(plumb_check(&h, spec, &options, &a, &err), PLUMB_EINPUT);
    assert_int_equal(plumb_budget_used(budget), 0);
    assert_null(a.owner);
    plumb_budget_free(budget);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void memory_limit_is_kept(void **state)
{
    (void)state;
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    write_wide(&t, 40, 7); /* enqueued in any order: found only by search */
    struct plumb_budget *const budget = plumb_budget_new(0, 64 * 1024);
    const struct plumb_check_options options = { .budget = budget };
    struct plumb_answer a =
        check_text("queue", plumb_base_text_string(&t), &options);
    assert_true(plumb_budget_peak(budget) <= 64 * 1024);
    plumb_answer_release(&a);
    plumb_budget_free(budget);
    plumb_base_text_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_history_is_linearizable),
        cmocka_unit_test(sequential_queue_is_first_in_first_out),
        cmocka_unit_test(overlapping_operations_take_any_order),
        cmocka_unit_test(pending_operation_may_have_happened),
        cmocka_unit_test(pending_operation_happens_after_its_call),
        cmocka_unit_test(failed_operation_did_not_happen),
        cmocka_unit_test(operation_that_blocks_cannot_return),
        cmocka_unit_test(printed_queue_history_is_a_violation),
        cmocka_unit_test(printed_queue_history_goes_wrong_at_its_last_dequeue),
        cmocka_unit_test(objects_are_decided_one_by_one),
        cmocka_unit_test(core_names_the_object_and_leaves_out_the_rest),
        cmocka_unit_test(windows_wider_than_64_work),
        cmocka_unit_test(twins_keep_a_wide_violation_cheap),
        cmocka_unit_test(stop_leaves_it_undecided),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(refused_history_leaves_nothing_to_release),
        cmocka_unit_test(memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
