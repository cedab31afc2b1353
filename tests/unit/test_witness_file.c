/* test_witness_file.c - what is written is read again, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "report/witness_file.h"
#include "story.h"

static void read_all(const struct plumb_base_text *t,
                     struct plumb_base_arena *arena,
                     struct plumb_report_witnesses *list)
{
    struct plumb_error err = { .message = "" };
    plumb_base_arena_init(arena, NULL);
    if (plumb_report_witness_read(plumb_base_text_string(t), t->size, arena,
                                  list, &err))
        fail_msg("%d:%d: %s", (int)err.line, (int)err.column, err.message);
}

static void an_order_survives(void **state)
{
    (void)state;
    struct plumb_history h = story("A enq(1); B deq(); B ok(1); C deq()");
    static const uint32_t order[] = { 0, 1 };
    const struct plumb_answer answer = { .verdict = PLUMB_LINEARIZABLE,
                                         .order = order,
                                         .order_count = 2 };
    struct plumb_base_text t;
    struct plumb_base_arena arena;
    struct plumb_report_witnesses list;
    struct plumb_error err;
    plumb_base_text_init(&t, NULL);
    plumb_report_witness_begin(&t);
    plumb_report_witness_write(&h, 3, "queue:cap=4", &answer, &t);
    read_all(&t, &arena, &list);
    assert_int_equal(list.count, 1);
    const struct plumb_report_witness *const w =
        plumb_report_witness_find(&list, 3);
    assert_non_null(w);
    assert_null(plumb_report_witness_find(&list, 1));
    assert_int_equal(w->line, 3);
    assert_string_equal(w->spec, "queue:cap=4");
    assert_int_equal(w->verdict, PLUMB_LINEARIZABLE);
    assert_int_equal(w->order_count, 2);
    assert_memory_equal(w->order, order, sizeof order);
    assert_int_equal(plumb_report_witness_is_about(w, &h, &err), PLUMB_OK);
    plumb_base_arena_release(&arena);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

static void a_core_survives(void **state)
{
    (void)state;
    struct plumb_history h =
        story("A enq(1); A ok(); B deq(); C deq(); B ok(1); C ok(1)");
    static const uint32_t op[] = { 0, 1, 2 };
    static const uint8_t forgotten[] = { 0, 1, 0 };
    static const struct plumb_certificate_step steps[] = { { 0, 0 }, { 1, 2 } };
    const struct plumb_answer answer = {
        .verdict = PLUMB_NOT_LINEARIZABLE,
        .core = { .cut = PLUMB_NEVER,
                  .count = 3,
                  .op = op,
                  .forgotten = forgotten },
        .certificate = steps,
        .certificate_count = 2,
    };
    struct plumb_base_text t;
    struct plumb_base_arena arena;
    struct plumb_report_witnesses list;
    struct plumb_error err;
    plumb_base_text_init(&t, NULL);
    plumb_report_witness_begin(&t);
    plumb_report_witness_write(&h, 1, NULL, &answer, &t);
    assert_non_null(strstr(plumb_base_text_string(&t),
                           "object 0\ncut 6\ncore 0 1* 2\ncertificate 0:0 "
                           "1:2\n"));
    read_all(&t, &arena, &list);
    const struct plumb_report_witness *const w =
        plumb_report_witness_find(&list, 1);
    assert_non_null(w);
    assert_null(w->spec);
    assert_int_equal(w->verdict, PLUMB_NOT_LINEARIZABLE);
    assert_int_equal(w->core.cut, 6);
    assert_int_equal(w->core.count, 3);
    assert_memory_equal(w->core.op, op, sizeof op);
    assert_memory_equal(w->core.forgotten, forgotten, sizeof forgotten);
    assert_int_equal(w->certificate_count, 2);
    assert_memory_equal(w->certificate, steps, sizeof steps);
    assert_int_equal(plumb_report_witness_is_about(w, &h, &err), PLUMB_OK);
    plumb_base_arena_release(&arena);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

static void long_orders_take_several_lines(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct plumb_base_text text, t;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_init(&t, NULL);
    static uint32_t order[N];
    for (uint32_t i = 0; i < N; i++) {
        plumb_base_text_printf(&text, "%sA enq(%u); A ok()", i ? "; " : "", i);
        order[i] = N - 1 - i;
    }
    struct plumb_history h = story(plumb_base_text_string(&text));
    const struct plumb_answer answer = { .order = order, .order_count = N };
    struct plumb_base_arena arena;
    struct plumb_report_witnesses list;
    plumb_report_witness_begin(&t);
    plumb_report_witness_write(&h, 1, "queue", &answer, &t);
    for (const char *at = plumb_base_text_string(&t); *at;) {
        const size_t size = strcspn(at, "\n");
        assert_true(size <= 90);
        at += size + 1;
    }
    read_all(&t, &arena, &list);
    assert_int_equal(list.witness[0].order_count, N);
    assert_memory_equal(list.witness[0].order, order, sizeof order);
    plumb_base_arena_release(&arena);
    plumb_base_text_release(&t);
    plumb_base_text_release(&text);
    plumb_history_release(&h);
}

/* ---- checksums ---- */

static uint64_t sum(const char *text)
{
    struct plumb_history h = story(text);
    const uint64_t checksum = plumb_report_history_checksum(&h);
    plumb_history_release(&h);
    return checksum;
}

static void a_checksum_is_about_what_happened(void **state)
{
    (void)state;
    static const char *const stories[] = {
        "",
        "A enq(1); A ok(); B deq()",
        "A enq(1); B deq(); A ok()",
        "A enq(1); A ok(); B deq(); B ok(1)",
        "A enq(2); A ok(); B deq()",
        "A enq('1'); A ok(); B deq()",
        "A enq(true); A ok(); B deq()",
        "A enq(1); A full(); B deq()",
        "A enq(1); A !info(); B deq()",
        "A enq(1); A !fail(); B deq()",
        "B enq(1); B ok(); A deq()",
        "A @p enq(1); A @p ok(); B deq()",
        "A enq(); A ok(1); B deq()",
        "A enqb(1); A ok(); B deq()",
    };
    enum { N = sizeof stories / sizeof *stories };
    uint64_t seen[N];
    for (size_t i = 0; i < N; i++) {
        seen[i] = sum(stories[i]);
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
    }
    /* It stands in files, so it must never change. */
    assert_true(sum("A @q enq(1); A @q ok(); B @q deq()") ==
                0xdc9fb34a6b7c7afc);
}

/* The same history with its symbols numbered otherwise and without lines. */
static void a_checksum_does_not_depend_on_the_file(void **state)
{
    (void)state;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_history h;
    struct plumb_error err;
    const struct plumb_value one = plumb_int(1);
    plumb_builder_spec(b, plumb_builder_symbol(b, "queue", 5));
    plumb_builder_symbol(b, "unused", 6);
    const uint32_t ok = plumb_builder_symbol(b, "ok", 2);
    const uint32_t enq = plumb_builder_symbol(b, "enq", 3);
    const uint32_t q = plumb_builder_symbol(b, "q", 1);
    const uint32_t a = plumb_builder_symbol(b, "A", 1);
    assert_int_equal(plumb_builder_call(b, a, q, enq, &one, 1, NULL, &err), 0);
    assert_int_equal(plumb_builder_respond(b, a, q, PLUMB_OUTCOME_OK, ok, NULL,
                                           0, NULL, &err),
                     0);
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     0);
    assert_true(plumb_report_history_checksum(&h) ==
                sum("A @q enq(1); A @q ok()"));
    plumb_history_release(&h);
    plumb_builder_free(b);
}

static void a_witness_of_another_history_is_rejected(void **state)
{
    (void)state;
    struct plumb_history h = story("A enq(1); A ok()");
    struct plumb_report_witness w = { .number = 1,
                                      .line = 3,
                                      .operations = 1,
                                      .checksum =
                                          plumb_report_history_checksum(&h) };
    struct plumb_error err;
    assert_int_equal(plumb_report_witness_is_about(&w, &h, &err), PLUMB_OK);
    w.checksum ^= 1;
    assert_int_equal(plumb_report_witness_is_about(&w, &h, &err), PLUMB_EINPUT);
    assert_int_equal(err.line, 3);
    w.checksum ^= 1;
    w.operations = 2;
    assert_int_equal(plumb_report_witness_is_about(&w, &h, &err), PLUMB_EINPUT);
    w.operations = 1;
    w.verdict = PLUMB_NOT_LINEARIZABLE;
    w.core.object = 1;
    assert_int_equal(plumb_report_witness_is_about(&w, &h, &err), PLUMB_EINPUT);
    plumb_history_release(&h);
}

/* ---- malformed files ---- */

#define START  "plumb-witness 1\n"
#define YES    START "history 1: linearizable\n"
#define NO     START "history 1: not linearizable\n"
#define COUNTS "operations 3\nchecksum 0123456789abcdef\n"

struct bad {
    const char *text;
    unsigned line, column;
    const char *message;
};

static const struct bad bads[] = {
    { "", 1, 1,
      "not a witness file: it does not begin with 'plumb-witness 1'" },
    { "history 1: linearizable\n", 1, 1,
      "not a witness file: it does not begin with 'plumb-witness 1'" },
    { "plumb-witness 2\n", 1, 15, "expected version 1, found '2'" },
    { "plumb-witness 1 x\n", 1, 17, "expected the end of the line, found 'x'" },
    { START "frob 1\n", 2, 1, "expected a keyword, found 'frob'" },
    { START "order 1\n", 2, 1, "'order' before the first history" },
    { START "history one: linearizable\n", 2, 9,
      "expected the number of a history and a colon, found 'one:'" },
    { START "history 1\n", 2, 9,
      "expected the number of a history and a colon, found '1'" },
    { START "history 0: linearizable\n", 2, 9,
      "histories are numbered from 1" },
    { START "history 99999999999: linearizable\n", 2, 9,
      "expected the number of a history and a colon, found '99999999999:'" },
    { START "history 1: fine\n", 2, 12, "expected a verdict, found 'fine'" },
    { START "history 1: not\n", 2, 15, "linearizable is missing" },
    { YES, 2, 1, "history 1 has no line 'operations'" },
    { YES "operations 3\n", 2, 1, "history 1 has no line 'checksum'" },
    { YES COUNTS, 2, 1, "history 1 has no line 'order'" },
    { YES COUNTS "order 0\nhistory 1: undecided\n", 6, 9,
      "history 1 is out of order" },
    { YES "order 0\n", 3, 1, "'order' before 'operations'" },
    { YES "operations 3\noperations 3\n", 4, 1, "'operations' is given twice" },
    { YES "operations -1\n", 3, 12,
      "expected a number of operations, found '-1'" },
    { YES "checksum 0123\n", 3, 10,
      "expected a checksum of 16 hexadecimal digits, found '0123'" },
    { YES "checksum 0123456789abcdeg\n", 3, 10,
      "expected a checksum of 16 hexadecimal digits, found "
      "'0123456789abcdeg'" },
    { YES COUNTS "order 0 3\n", 5, 9,
      "operation 3 does not exist; the history has 3 operations" },
    { YES COUNTS "order 0 1x\n", 5, 9,
      "expected the number of an operation, found '1x'" },
    { YES COUNTS "core 0\n", 5, 1, "'core' does not belong to this verdict" },
    { NO COUNTS "order 0\n", 5, 1, "'order' does not belong to this verdict" },
    { NO COUNTS "cut 7\n", 5, 5, "a rank 7 must be below 7" },
    { NO COUNTS "object 0\ncut 6\n", 2, 1, "history 1 has no line 'core'" },
    { NO COUNTS "core 1 1\n", 5, 8, "operation 1 of the core is out of order" },
    { NO COUNTS "core 1**\n", 5, 6,
      "expected the number of an operation, found '1**'" },
    { NO COUNTS "certificate 0-1\n", 5, 13,
      "expected a step CONFIGURATION:OPERATION, found '0-1'" },
    { NO COUNTS "certificate 0:\n", 5, 13,
      "expected a step CONFIGURATION:OPERATION, found '0:'" },
    { NO COUNTS "certificate 0:0 2:1\n", 5, 17,
      "configuration 2 follows from 2, which is not an earlier one" },
    { NO COUNTS "certificate 0:3\n", 5, 13,
      "operation 3 does not exist; the history has 3 operations" },
    { YES "spec\n", 3, 5, "a specification is missing" },
};

static void malformed_files_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct plumb_base_arena arena;
        struct plumb_report_witnesses list = { NULL, 77 };
        struct plumb_error err = { .message = "" };
        plumb_base_arena_init(&arena, NULL);
        assert_int_equal(plumb_report_witness_read(bads[i].text,
                                                   strlen(bads[i].text), &arena,
                                                   &list, &err),
                         PLUMB_EINPUT);
        assert_string_equal(err.message, bads[i].message);
        assert_int_equal(err.line, bads[i].line);
        assert_int_equal(err.column, bads[i].column);
        assert_int_equal(list.count, 77);
        plumb_base_arena_release(&arena);
    }
}

static const char good[] = "plumb-witness 1\r\n"
                           "# by hand\r\n"
                           "history 2: not linearizable\r\n"
                           "operations 3\r\n"
                           "  checksum\t0123456789abcdef\r\n"
                           "object 0\r\ncut 6\r\ncore 0 1*\r\ncore 2\r\n"
                           "certificate 0:0 0:1 2:2\r\n"
                           "\r\n"
                           "history 7: undecided\n"
                           "operations 0\nchecksum 0123456789abcdef";

static void people_may_write_one_by_hand(void **state)
{
    (void)state;
    struct plumb_base_arena arena;
    struct plumb_report_witnesses list;
    struct plumb_error err;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_report_witness_read(good, sizeof good - 1, &arena, &list, &err),
        PLUMB_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(plumb_report_witness_find(&list, 2)->core.count, 3);
    assert_true(plumb_report_witness_find(&list, 2)->checksum ==
                0x0123456789abcdef);
    assert_int_equal(plumb_report_witness_find(&list, 7)->verdict,
                     PLUMB_UNDECIDED);
    plumb_base_arena_release(&arena);
}

/* Damaged files are read or refused, and nothing worse; run under sanitizers
 * this also shows that no byte outside the data is touched. */
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    struct plumb_base_rng r;
    plumb_base_rng_seed(&r, 9);
    for (int round = 0; round < 3000; round++) {
        const size_t size = plumb_base_rng_below(&r, sizeof good);
        char *const data = malloc(size + 1);
        memcpy(data, good, size);
        for (int k = 0; size && k < 3; k++)
            data[plumb_base_rng_below(&r, (uint32_t)size)] =
                "0123456789:* \n\tx"[plumb_base_rng_below(&r, 16)];
        char *const exact = malloc(size ? size : 1);
        memcpy(exact, data, size);
        struct plumb_base_arena arena;
        struct plumb_report_witnesses list = { NULL, 0 };
        struct plumb_error err;
        plumb_base_arena_init(&arena, NULL);
        const enum plumb_status status =
            plumb_report_witness_read(exact, size, &arena, &list, &err);
        assert_true(status == PLUMB_OK || status == PLUMB_EINPUT);
        plumb_base_arena_release(&arena);
        free(exact);
        free(data);
    }
}

static void used_up_memory_is_an_error(void **state)
{
    (void)state;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_base_arena arena;
    struct plumb_report_witnesses list;
    struct plumb_error err;
    plumb_base_arena_init(&arena, budget);
    plumb_base_budget_fail_at(budget, 1);
    assert_int_equal(
        plumb_report_witness_read(good, sizeof good - 1, &arena, &list, &err),
        PLUMB_EMEMORY);
    plumb_base_arena_release(&arena);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_survives),
        cmocka_unit_test(a_core_survives),
        cmocka_unit_test(long_orders_take_several_lines),
        cmocka_unit_test(a_checksum_is_about_what_happened),
        cmocka_unit_test(a_checksum_does_not_depend_on_the_file),
        cmocka_unit_test(a_witness_of_another_history_is_rejected),
        cmocka_unit_test(malformed_files_are_refused_with_their_place),
        cmocka_unit_test(people_may_write_one_by_hand),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(used_up_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
