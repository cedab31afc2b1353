/* test_verdict.c - what people are told, letter by letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/verdict.h"
#include "story.h"

static const struct plumb_report_style usual;

static void check(const struct plumb_report_subject *subject,
                  const struct plumb_report_style *style,
                  enum plumb_report_detail detail, const char *expected)
{
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    plumb_report_verdict(subject, style, detail, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
}

static const char overtaken[] =
    "0 enq(3); 0 ok(); 0 enq(1); 0 ok(); 0 enq(2); 2 deq(); 0 ok(); 1 deq(); "
    "2 ok(2); 1 ok(3); 2 deq(); 2 ok(1)";
static const uint32_t core_ops[] = { 1, 2, 3, 5 };
static const struct plumb_answer violation = {
    .verdict = PLUMB_NOT_LINEARIZABLE,
    .algorithm = PLUMB_ALGORITHM_SEARCH,
    .parts = 3,
    .configurations = 120,
    .core = { .cut = PLUMB_NEVER, .count = 4, .op = core_ops },
    .minimal = true,
    .maybe = 8,
    .sure = 8,
};

static bool allows_two(void *context,
                       const struct plumb_report_replay_step *step,
                       uint32_t count)
{
    (void)context;
    return count < 3 && step[count - 1].op == core_ops[count - 1];
}

static void shows_items(void *context,
                        const struct plumb_report_replay_step *step,
                        uint32_t count, struct plumb_base_text *out)
{
    (void)context, (void)step;
    plumb_base_text_add(out, count == 2 ? "[1 2]" : "?");
}

static void answers_one(void *context,
                        const struct plumb_report_replay_step *step,
                        uint32_t count, uint32_t op,
                        struct plumb_base_text *out)
{
    (void)context, (void)step, (void)count, (void)op;
    plumb_base_text_add(out, "1");
}

static const struct plumb_report_replay replay = { NULL, allows_two,
                                                   shows_items, answers_one };

static void a_violation_is_shown_and_explained(void **state)
{
    (void)state;
    struct plumb_history h = story(overtaken);
    const struct plumb_report_subject subject = { .name = "queue.hist#3",
                                                  .file = "queue.hist",
                                                  .spec = "queue",
                                                  .history = &h,
                                                  .answer = &violation,
                                                  .replay = &replay };
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "queue.hist#3: not linearizable\n"
          "  queue, general search: 3 parts, 120 configurations\n"
          "  these 4 of 6 operations alone are a violation; nothing can be "
          "left out\n"
          "  became a violation at event 9 (line 9)\n"
          "\n"
          "  T0  ├ a enq(1) ─┤   ├ b enq(2) ─┤\n"
          "  T2                    ├ c deq()=2 ─┤   ├ d deq()=1 ─┤\n"
          "\n"
          "  why    a returned before b was called, so 1 entered the queue "
          "before 2\n"
          "         c returned before d was called, so 2 left the queue before "
          "1\n"
          "  stuck  a b → state [1 2]; only c can be next, and must return 1, "
          "not 2\n"
          "  lines  a 3-4, b 5-7, c 6-9, d 11-12\n");
    check(&subject, &usual, PLUMB_DETAIL_QUIET,
          "queue.hist#3: not linearizable\n");
    plumb_history_release(&h);
}

static void forgotten_answers_are_told(void **state)
{
    (void)state;
    struct plumb_history h = story(overtaken);
    static const uint8_t forgotten[] = { 0, 0, 0, 1 };
    struct plumb_answer answer = violation;
    answer.core.forgotten = forgotten;
    answer.minimal = false;
    const struct plumb_report_subject subject = {
        .name = "q", .spec = "queue", .history = &h, .answer = &answer
    };
    const struct plumb_report_style narrow = { .width = 50, .ascii = true };
    check(&subject, &narrow, PLUMB_DETAIL_USUAL,
          "q: not linearizable\n"
          "  queue, general search: 3 parts, 120\n"
          "  configurations\n"
          "  these 4 of 6 operations alone are a violation;\n"
          "  fewer may suffice\n"
          "  became a violation at event 9 (line 9)\n"
          "\n"
          "  T0  | a enq(1) | | b enq(2) |\n"
          "  T2                | c deq()=2 | | d deq() .>\n"
          "\n"
          "  why    a returned before b was called, so 1\n"
          "         entered the queue before 2\n"
          "         c returned 2, although 1 was ahead of it\n"
          "         and still in the queue\n"
          "  open   this is a violation whatever d returns\n"
          "  lines  a 3-4, b 5-7, c 6-9, d 11-12\n");
    plumb_history_release(&h);
}

static void a_user_spec_gets_no_words_of_ours(void **state)
{
    (void)state;
    struct plumb_history h = story("A deq(); A ok(1); B x(); B ok()");
    static const uint32_t op[] = { 0 };
    struct plumb_answer answer = violation;
    answer.algorithm = PLUMB_ALGORITHM_WING_GONG;
    answer.parts = answer.core.count = 1;
    answer.maybe = 0;
    answer.sure = 1;
    answer.steps = 1;
    answer.core.op = op;
    const struct plumb_report_subject subject = { .name = "q",
                                                  .spec = "queue",
                                                  .user_spec = true,
                                                  .history = &h,
                                                  .answer = &answer };
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q: not linearizable\n"
          "  queue, Wing and Gong's search: 1 part, 1 step\n"
          "  1 of 2 operations alone is a violation\n"
          "  became a violation between event 1 (line 1) and event 2 (line 2)\n"
          "\n"
          "  A  ├ a deq()=1 ─┤\n"
          "\n"
          "  lines  a 1-2\n");
    plumb_history_release(&h);
}

static void an_order_is_told_to_who_wants_it(void **state)
{
    (void)state;
    struct plumb_history h = story("A enq(1); B deq(); B ok(1); A ok()");
    static const uint32_t order[] = { 0, 1 };
    const struct plumb_answer answer = { .verdict = PLUMB_LINEARIZABLE,
                                         .parts = 1,
                                         .configurations = 3,
                                         .order = order,
                                         .order_count = 2 };
    const struct plumb_report_subject subject = {
        .name = "q", .spec = "queue", .history = &h, .answer = &answer
    };
    const struct plumb_report_style color = { .color = true };
    check(&subject, &usual, PLUMB_DETAIL_USUAL, "q: linearizable\n");
    check(&subject, &color, PLUMB_DETAIL_USUAL,
          "q: \033[32mlinearizable\033[0m\n");
    check(&subject, &usual, PLUMB_DETAIL_FULL,
          "q: linearizable\n"
          "  queue, general search: 1 part, 3 configurations\n"
          "\n"
          "  A  ├─── a enq(1) ───┤\n"
          "  B    ├ b deq()=1 ─┤\n"
          "\n"
          "  order  a b\n");
    plumb_history_release(&h);
}

static void long_orders_are_cut(void **state)
{
    (void)state;
    struct plumb_base_text t;
    static uint32_t order[60];
    plumb_base_text_init(&t, NULL);
    for (uint32_t i = 0; i < 60; i++) {
        order[i] = i;
        plumb_base_text_printf(&t, "%sA enq(%u); A ok()", i ? "; " : "", i);
    }
    struct plumb_history h = story(plumb_base_text_string(&t));
    const struct plumb_answer answer = { .verdict = PLUMB_LINEARIZABLE,
                                         .order = order,
                                         .order_count = 60 };
    const struct plumb_report_subject subject = {
        .name = "q", .spec = "queue", .history = &h, .answer = &answer
    };
    plumb_base_text_clear(&t);
    plumb_report_verdict(&subject, &usual, PLUMB_DETAIL_FULL, &t);
    const char *const text = plumb_base_text_string(&t);
    assert_non_null(strstr(text, "  order  enq(0) enq(1) enq(2)"));
    assert_non_null(strstr(text, "enq(39) … and 20 more;"));
    assert_null(strstr(text, "enq(40)"));
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

static void undecided_comes_with_advice(void **state)
{
    (void)state;
    struct plumb_history h = story(overtaken);
    struct plumb_answer answer = { .verdict = PLUMB_UNDECIDED,
                                   .why = PLUMB_ETIME,
                                   .parts = 1,
                                   .configurations = 9,
                                   .prefix = 7 };
    struct plumb_report_subject subject = { .name = "q",
                                            .spec = "queue",
                                            .history = &h,
                                            .answer = &answer,
                                            .timeout_seconds = 6,
                                            .memory_bytes = 100 << 20 };
#define HOW "  queue, general search: 1 part, 9 configurations\n"
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q: undecided (time)\n"
          "  linearized the first 7 of 12 events; try --timeout 60\n" HOW);
    answer.why = PLUMB_EMEMORY;
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q: undecided (memory)\n"
          "  linearized the first 7 of 12 events; try --memory 400M\n" HOW);
    subject.memory_bytes = (uint64_t)1 << 30;
    answer.unverified = true;
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q: undecided (unverified)\n"
          "  found an answer, but could not certify it within the limits; try "
          "--memory "
          "4G\n" HOW);
    answer.unverified = false;
    answer.why = PLUMB_ESTOP;
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q: undecided (interrupted)\n"
          "  linearized the first 7 of 12 events\n" HOW);
    plumb_history_release(&h);
}

static void errors_have_their_place(void **state)
{
    (void)state;
    struct plumb_error error = { PLUMB_EINPUT, 12, 4, "deq has no call" };
    const struct plumb_report_subject subject = { .name = "q.hist#2",
                                                  .file = "q.hist",
                                                  .error = &error };
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q.hist#2: error\n  q.hist:12:4: deq has no call\n");
    error.line = 0;
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q.hist#2: error\n  q.hist: byte 4: deq has no call\n");
    error.column = 0;
    check(&subject, &usual, PLUMB_DETAIL_USUAL,
          "q.hist#2: error\n  q.hist: deq has no call\n");
}

static void used_up_memory_breaks_the_text_alone(void **state)
{
    (void)state;
    struct plumb_history h = story(overtaken);
    const struct plumb_report_subject subject = { .name = "q",
                                                  .spec = "queue",
                                                  .history = &h,
                                                  .answer = &violation,
                                                  .replay = &replay };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    bool refused = true;
    for (size_t nth = 1; refused && nth < 500; nth++) {
        struct plumb_base_text t;
        plumb_base_text_init(&t, budget);
        plumb_base_budget_fail_at(budget, nth);
        plumb_report_verdict(&subject, &usual, PLUMB_DETAIL_USUAL, &t);
        refused = plumb_budget_state(budget) == PLUMB_EMEMORY;
        plumb_base_text_release(&t);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_false(refused);
    plumb_budget_free(budget);
    plumb_history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violation_is_shown_and_explained),
        cmocka_unit_test(forgotten_answers_are_told),
        cmocka_unit_test(a_user_spec_gets_no_words_of_ours),
        cmocka_unit_test(an_order_is_told_to_who_wants_it),
        cmocka_unit_test(long_orders_are_cut),
        cmocka_unit_test(undecided_comes_with_advice),
        cmocka_unit_test(errors_have_their_place),
        cmocka_unit_test(used_up_memory_breaks_the_text_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
