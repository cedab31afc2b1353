/* test_oracle.c - the oracle against histories whose verdict is known. */
#include "generate.h"
#include "oracle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the four above */
#include <cmocka.h>

/* ---- histories as text: "Q enq(1) P1", one event a line ---- */

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

static size_t read_values(struct plumb_builder *b, char *text,
                          struct plumb_value *v)
{
    size_t count = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        char *end;
        const long long number = strtoll(word, &end, 10);
        if (!*end)
            v[count++] = plumb_int(number);
        else if (!strcmp(word, "nil"))
            v[count++] = plumb_nil();
        else if (!strcmp(word, "true") || !strcmp(word, "false"))
            v[count++] = plumb_bool(*word == 't');
        else
            v[count++] = plumb_str(symbol(b, word));
    }
    return count;
}

static void read_event(struct plumb_builder *b, const char *line)
{
    char object[16], word[16], values[32] = "", thread[16];
    struct plumb_value v[2];
    struct plumb_error err;
    if (sscanf(line, "%15s %15[^(](%31[^)]) %15s", object, word, values,
               thread) != 4)
        assert_int_equal(
            sscanf(line, "%15s %15[^(]() %15s", object, word, thread), 3);
    const size_t count = read_values(b, values, v);
    const uint32_t who = symbol(b, thread), what = symbol(b, word);
    const bool is_return = plumb_builder_open_call(b, who, NULL);
    const enum plumb_outcome outcome =
        !strcmp(word, "fail")   ? PLUMB_OUTCOME_FAIL
        : !strcmp(word, "info") ? PLUMB_OUTCOME_INFO
                                : PLUMB_OUTCOME_OK;
    const enum plumb_status status =
        is_return
            ? plumb_builder_respond(b, who, symbol(b, object), outcome,
                                    outcome == PLUMB_OUTCOME_OK ? what : 0, v,
                                    count, NULL, &err)
            : plumb_builder_call(b, who, symbol(b, object), what, v, count,
                                 NULL, &err);
    assert_int_equal(status, PLUMB_OK);
}

static void read_history(const char *text, struct plumb_history *h)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    while (*text) {
        char line[80] = "";
        const size_t length = strcspn(text, "\n");
        assert_true(length < sizeof line);
        memcpy(line, text, length);
        read_event(b, line);
        text += length + (text[length] == '\n');
    }
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, h, &err),
                     PLUMB_OK);
    plumb_builder_free(b);
}

static bool judge(const char *spec, const char *text)
{
    struct plumb_history h;
    read_history(text, &h);
    const bool verdict = oracle_linearizable(&h, spec);
    plumb_history_release(&h);
    return verdict;
}

static bool judge_order(const char *spec, const char *text,
                        enum oracle_order order)
{
    struct plumb_history h;
    read_history(text, &h);
    const bool verdict = oracle_order_is(&h, spec, order);
    plumb_history_release(&h);
    return verdict;
}

/* ---- claims ---- */

static void empty_history_is_linearizable(void **state)
{
    (void)state;
    assert_true(judge("queue", ""));
}

static const char wing_gong_4_3[] = "Q Deq() P1\n"
                                    "Q Deq() P2\n"
                                    "Q Deq() P3\n"
                                    "Q Enq(f) P4\n"
                                    "Q Ok() P4\n"
                                    "Q Enq(y) P4\n"
                                    "Q Ok(f) P1\n"
                                    "Q Ok() P4\n"
                                    "Q Enq(t) P4\n"
                                    "Q Enq(e) P1\n"
                                    "Q Ok() P4\n"
                                    "Q Enq(o) P4\n"
                                    "Q Ok() P1\n"
                                    "Q Deq() P1\n"
                                    "Q Ok(e) P2\n"
                                    "Q Enq(c) P2\n"
                                    "Q Ok(y) P1\n"
                                    "Q Ok() P2\n"
                                    "Q Ok(c) P3\n"
                                    "Q Ok() P4";

static void queue_of_wing_and_gong_4_3_is_not_linearizable(void **state)
{
    (void)state;
    assert_false(judge("queue", wing_gong_4_3));
    assert_false(judge("queue:blocking", wing_gong_4_3));
    /* Its items are all there, only their order is wrong. */
    assert_true(judge("semiqueue", wing_gong_4_3));
}

/* Section 4.2: e is inserted twice and never deleted.  Of its 40 operations
 * those on other elements do not matter (a set is by key). */
static void set_of_wing_and_gong_4_2_is_not_linearizable(void **state)
{
    (void)state;
    assert_false(judge("set", "S member(e) P2\n"
                              "S Ok(f) P2\n"
                              "S insert(e) P1\n"
                              "S insert(e) P3\n"
                              "S Ok(t) P3\n"
                              "S Ok(t) P1"));
    assert_true(judge("set", "S member(e) P2\n"
                             "S Ok(f) P2\n"
                             "S insert(e) P1\n"
                             "S insert(e) P3\n"
                             "S Ok(t) P3\n"
                             "S Ok(f) P1"));
}

static void real_time_order_counts(void **state)
{
    (void)state;
    assert_false(judge("queue", "Q deq() A\nQ empty() A\n"
                                "Q enq(1) A\nQ ok() A\n"
                                "Q deq() B\nQ empty() B"));
    assert_true(judge("queue", "Q deq() A\nQ empty() A\n"
                               "Q enq(1) A\nQ deq() B\n"
                               "Q ok() A\nQ empty() B"));
}

static void pending_operation_may_take_effect_or_not(void **state)
{
    (void)state;
    assert_true(judge("queue", "Q enq(1) A\nQ deq() B\nQ ok(1) B"));
    assert_true(judge("queue", "Q enq(1) A\nQ deq() B\nQ empty() B"));
    assert_false(judge("queue", "Q deq() B\nQ ok(1) B\nQ enq(1) A"));
    /* After INFO the process goes on, and the operation may still come. */
    assert_true(judge("queue",
                      "Q enq(1) A\nQ info() A\nQ deq() A\nQ empty() A\n"
                      "Q deq() A\nQ ok(1) A"));
}

static void failed_operation_does_not_take_effect(void **state)
{
    (void)state;
    assert_false(
        judge("queue", "Q enq(1) A\nQ fail() A\nQ deq() A\nQ ok(1) A"));
    assert_true(
        judge("queue", "Q enq(1) A\nQ fail() A\nQ deq() A\nQ empty() A"));
}

static void objects_have_states_of_their_own(void **state)
{
    (void)state;
    assert_true(judge("queue", "X enq(1) A\nX ok() A\nY deq() A\nY empty() A\n"
                               "X deq() A\nX ok(1) A"));
    assert_false(judge("queue", "X enq(1) A\nX ok() A\nY deq() A\nY ok(1) A"));
}

static void blocked_operation_cannot_return(void **state)
{
    (void)state;
    assert_false(judge("mutex", "M lock() A\nM ok() A\nM lock() B\nM ok() B"));
    assert_true(judge("mutex", "M lock() A\nM ok() A\nM lock() B"));
    assert_true(judge("mutex",
                      "M lock() A\nM ok() A\nM lock() B\nM unlock() A\n"
                      "M ok() B\nM ok() A"));
    assert_false(judge("mutex", "M unlock() A\nM ok() A"));
    assert_false(judge("queue:blocking", "Q deq() A\nQ empty() A"));
    assert_true(judge("queue:blocking", "Q poll() A\nQ empty() A"));
    assert_false(judge("semaphore:n=2", "S acquire() A\nS ok() A\n"
                                        "S acquire() A\nS ok() A\n"
                                        "S try_acquire() A\nS ok(true) A"));
}

static void bounds_are_kept(void **state)
{
    (void)state;
    const char *const full = "Q enq(1) A\nQ ok() A\nQ enq(2) A\nQ full() A";
    assert_true(judge("queue:cap=1", full));
    assert_false(judge("queue:cap=2", full));
}

static void quasi_queue_answers_out_of_order_within_k(void **state)
{
    (void)state;
    const char *const second = "Q enq(1) A\nQ ok() A\nQ enq(2) A\nQ ok() A\n"
                               "Q deq() A\nQ ok(2) A";
    const char *const third = "Q enq(1) A\nQ ok() A\nQ enq(2) A\nQ ok() A\n"
                              "Q enq(3) A\nQ ok() A\nQ deq() A\nQ ok(3) A";
    const char *const overdue = "Q enq(1) A\nQ ok() A\nQ enq(2) A\nQ ok() A\n"
                                "Q enq(3) A\nQ ok() A\nQ deq() A\nQ ok(2) A\n"
                                "Q deq() A\nQ ok(3) A";
    assert_false(judge("queue", second));
    assert_true(judge("queue:k=1", second));
    assert_false(judge("queue:k=1", third));
    assert_true(judge("queue:k=2", third));
    assert_false(judge("queue:k=1", overdue));
    assert_true(judge("queue:k=2", overdue));
}

static void stuttering_queue_repeats_the_first_j_times(void **state)
{
    (void)state;
    const char *const twice = "Q enq(1) A\nQ ok() A\nQ deq() A\nQ ok(1) A\n"
                              "Q deq() A\nQ ok(1) A";
    const char *const thrice = "Q enq(1) A\nQ ok() A\nQ deq() A\nQ ok(1) A\n"
                               "Q deq() A\nQ ok(1) A\nQ deq() A\nQ ok(1) A";
    assert_false(judge("queue", twice));
    assert_true(judge("stuttering-queue", twice));
    assert_false(judge("stuttering-queue", thrice));
    assert_true(judge("stuttering-queue:j=2", thrice));
}

static void priority_queue_answers_pairs_and_ties(void **state)
{
    (void)state;
    assert_true(judge("priority-queue", "H insert(1,b) A\nH ok() A\n"
                                        "H insert(1,a) A\nH ok() A\n"
                                        "H delmin() A\nH ok(1,b) A\n"
                                        "H delmin() A\nH ok(1,a) A"));
    assert_true(judge("priority-queue", "H insert(10) A\nH ok() A\n"
                                        "H insert(9) A\nH ok() A\n"
                                        "H delmin() A\nH ok(9) A"));
    assert_false(judge("priority-queue:max", "H insert(10) A\nH ok() A\n"
                                             "H insert(9) A\nH ok() A\n"
                                             "H delmin() A\nH ok(9) A"));
}

static void map_appends_texts(void **state)
{
    (void)state;
    assert_true(judge("map",
                      "M put(k,1) A\nM ok() A\nM append(k,x) A\nM ok() A\n"
                      "M get(k) A\nM ok(1x) A"));
    assert_true(
        judge("map", "M append(k,x) A\nM ok() A\nM get(k) A\nM ok(x) A"));
    assert_true(judge("map:init=0", "M get(k) A\nM ok(0) A\nM remove(k) A\n"
                                    "M ok(0) A\nM get(k) A\nM none() A"));
    assert_false(judge("map", "M get(k) A\nM ok(0) A"));
}

static void counter_wraps_around(void **state)
{
    (void)state;
    assert_true(judge("counter:init=9223372036854775807",
                      "C inc() A\nC ok() A\n"
                      "C get() A\nC ok(-9223372036854775808) A"));
    assert_true(judge("counter", "C fetch_add(5) A\nC ok(0) A\nC dec() A\n"
                                 "C ok() A\nC get() A\nC ok(4) A"));
}

static void register_exchanges(void **state)
{
    (void)state;
    assert_true(judge("register", "R swap(1) A\nR ok(nil) A\nR cas(1,2) A\n"
                                  "R ok(true) A\nR read() A\nR ok(2) A"));
    assert_false(judge("cas-register:init=1", "R cas(1,2) A\nR ok(false) A"));
}

static void orders_by_call_and_by_return_are_told_apart(void **state)
{
    (void)state;
    const char *const by_return = "Q enq(1) A\nQ enq(2) B\nQ ok() B\nQ ok() A\n"
                                  "Q deq() A\nQ ok(2) A";
    assert_false(judge_order("queue", by_return, ORACLE_BY_CALL));
    assert_true(judge_order("queue", by_return, ORACLE_BY_RETURN));
    const char *const by_call = "Q enq(1) A\nQ enq(2) B\nQ ok() B\nQ ok() A\n"
                                "Q deq() A\nQ ok(1) A";
    assert_true(judge_order("queue", by_call, ORACLE_BY_CALL));
    assert_false(judge_order("queue", by_call, ORACLE_BY_RETURN));
    const char *const neither =
        "Q enq(1) A\nQ enq(2) B\nQ enq(3) C\nQ ok() A\nQ ok() B\nQ ok() C\n"
        "Q deq() A\nQ ok(2) A\nQ deq() A\nQ ok(1) A";
    assert_true(judge("queue", neither));
    assert_false(judge_order("queue", neither, ORACLE_BY_CALL));
    assert_false(judge_order("queue", neither, ORACLE_BY_RETURN));
    const char *const pending = "Q enq(1) A\nQ deq() B\nQ ok(1) B";
    assert_true(judge_order("queue", pending, ORACLE_BY_CALL));
    assert_false(judge_order("queue", pending, ORACLE_BY_RETURN));
}

static void wrong_witnesses_are_refused(void **state)
{
    (void)state;
    struct plumb_history h;
    read_history("Q enq(1) A\nQ enq(2) B\nQ ok() B\nQ ok() A\n"
                 "Q deq() A\nQ ok(2) A\nQ enq(3) A",
                 &h);
    const uint32_t good[] = { 1, 0, 2 }, illegal[] = { 0, 1, 2 },
                   early[] = { 1, 2, 0 }, twice[] = { 1, 0, 0, 2 };
    assert_true(oracle_is_witness(&h, "queue", good, 3));
    assert_false(oracle_is_witness(&h, "queue", good, 2));
    assert_false(oracle_is_witness(&h, "queue", illegal, 3));
    assert_false(oracle_is_witness(&h, "queue", early, 3));
    assert_false(oracle_is_witness(&h, "queue", twice, 4));
    plumb_history_release(&h);
}

/* Complete histories of n operations without a limit on threads are the
 * (2n-1)!! ways to pair 2n events: 105 for n = 4, of which 4! have all four
 * open at once. */
static void all_shapes_are_enumerated(void **state)
{
    (void)state;
    static const unsigned complete[] = { 0, 1, 3, 15, 105 - 24 };
    static struct exhaustive e;
    static struct alphabet a;
    alphabet_init(&a, &domains[0]);
    for (unsigned ops = 1; ops <= 4; ops++) {
        unsigned count = 0;
        exhaustive_init(&e, &a, ops);
        for (unsigned i = 0; i < e.shapes; i++)
            count += e.shape[i].events == 2 * ops;
        assert_int_equal(count, complete[ops]);
    }
}

static void no_history_is_enumerated_twice(void **state)
{
    (void)state;
    static struct exhaustive e;
    static struct alphabet a;
    alphabet_init(&a, &domains[0]);
    exhaustive_init(&e, &a, 2);
    struct draft *const all = calloc(e.count, sizeof *all);
    assert_non_null(all);
    for (uint64_t i = 0; i < e.count; i++) {
        exhaustive_draft(&e, i, &all[i]);
        for (uint64_t other = 0; other < i; other++)
            assert_memory_not_equal(&all[i], &all[other], sizeof *all);
    }
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_history_is_linearizable),
        cmocka_unit_test(queue_of_wing_and_gong_4_3_is_not_linearizable),
        cmocka_unit_test(set_of_wing_and_gong_4_2_is_not_linearizable),
        cmocka_unit_test(real_time_order_counts),
        cmocka_unit_test(pending_operation_may_take_effect_or_not),
        cmocka_unit_test(failed_operation_does_not_take_effect),
        cmocka_unit_test(objects_have_states_of_their_own),
        cmocka_unit_test(blocked_operation_cannot_return),
        cmocka_unit_test(bounds_are_kept),
        cmocka_unit_test(quasi_queue_answers_out_of_order_within_k),
        cmocka_unit_test(stuttering_queue_repeats_the_first_j_times),
        cmocka_unit_test(priority_queue_answers_pairs_and_ties),
        cmocka_unit_test(map_appends_texts),
        cmocka_unit_test(counter_wraps_around),
        cmocka_unit_test(register_exchanges),
        cmocka_unit_test(orders_by_call_and_by_return_are_told_apart),
        cmocka_unit_test(wrong_witnesses_are_refused),
        cmocka_unit_test(all_shapes_are_enumerated),
        cmocka_unit_test(no_history_is_enumerated_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
