/* test_builder.c - from events and intervals to histories; symbols. */
#include "histories.h"

#include "base/rng.h"
#include "history/symbols.h"
#include <stdlib.h>

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

static enum plumb_status call(struct plumb_builder *b, const char *thread,
                              const char *name, struct plumb_error *err)
{
    return plumb_builder_call(b, symbol(b, thread), symbol(b, "Q"),
                              symbol(b, name), NULL, 0, NULL, err);
}

static enum plumb_status respond(struct plumb_builder *b, const char *thread,
                                 struct plumb_error *err)
{
    return plumb_builder_respond(b, symbol(b, thread), symbol(b, "Q"),
                                 PLUMB_OUTCOME_OK, symbol(b, "ok"), NULL, 0,
                                 NULL, err);
}

static void assert_builds(struct plumb_builder *b, enum plumb_ties ties,
                          const char *expected)
{
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    assert_int_equal(plumb_builder_finish(b, ties, &h, &err), PLUMB_OK);
    assert_int_equal(plumb_history_validate(&h, &err), PLUMB_OK);
    show_history(&t, &h);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

static void nothing_builds_an_empty_history(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    (void)state;
    assert_builds(b, PLUMB_TIES_CALL_FIRST, "");
    assert_builds(b, PLUMB_TIES_CALL_FIRST, "");
    plumb_builder_free(b);
}

static void results_follow_arguments_whatever_comes_between(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    const struct plumb_value v[] = { plumb_int(1), plumb_int(2), plumb_nil() };
    (void)state;
    const uint32_t q = symbol(b, "Q"), f = symbol(b, "f"), p = symbol(b, "p"),
                   o = symbol(b, "o"), ok = symbol(b, "ok");
    assert_int_equal(plumb_builder_call(b, p, q, f, v, 2, NULL, &err), 0);
    assert_int_equal(plumb_builder_call(b, o, q, f, v + 1, 1, NULL, &err), 0);
    assert_int_equal(plumb_builder_open(b), 2);
    assert_int_equal(
        plumb_builder_respond(b, p, q, PLUMB_OUTCOME_OK, ok, v, 3, NULL, &err),
        0);
    assert_int_equal(plumb_builder_respond(b, o, UINT32_MAX, PLUMB_OUTCOME_OK,
                                           ok, v, 1, NULL, &err),
                     0);
    assert_int_equal(plumb_builder_open(b), 0);
    assert_int_equal(plumb_builder_count(b), 2);
    assert_builds(b, PLUMB_TIES_CALL_FIRST,
                  "0-2 p Q f(1,2) ok ok(1,2,nil); 1-3 o Q f(2) ok ok(1)");
    plumb_builder_free(b);
}

static void what_is_not_ok_has_no_answer(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    const struct plumb_value one = plumb_int(1);
    (void)state;
    const struct plumb_interval interval = {
        .start = 1,
        .end = 2,
        .thread = symbol(b, "P1"),
        .op = { .object = symbol(b, "Q"),
                .name = symbol(b, "deq"),
                .term = symbol(b, "ok"),
                .nres = 1,
                .outcome = PLUMB_OUTCOME_FAIL },
        .values = &one,
    };
    assert_int_equal(plumb_builder_interval(b, &interval, &err), PLUMB_OK);
    assert_builds(b, PLUMB_TIES_CALL_FIRST, "0-1 P1 Q deq() fail");
    plumb_builder_free(b);
}

static void open_calls_can_be_seen(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    const struct plumb_value *args;
    const struct plumb_value seven = plumb_int(7);
    (void)state;
    assert_null(plumb_builder_open_call(b, 5, NULL));
    const uint32_t p = symbol(b, "P1"), q = symbol(b, "Q"), f = symbol(b, "f");
    assert_null(plumb_builder_open_call(b, p, NULL));
    assert_int_equal(plumb_builder_call(b, p, q, f, &seven, 1, NULL, &err), 0);
    const struct plumb_op *const o = plumb_builder_open_call(b, p, &args);
    assert_non_null(o);
    assert_int_equal(o->name, f);
    assert_true(plumb_value_equal(args[0], seven));
    assert_int_equal(respond(b, "P1", &err), PLUMB_OK);
    assert_null(plumb_builder_open_call(b, p, NULL));
    plumb_builder_free(b);
}

static void the_builder_refuses_what_cannot_be(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    (void)state;
    assert_int_equal(respond(b, "P1", &err), PLUMB_EINPUT);
    assert_string_equal(err.message,
                        "this response has no matching call of process P1");
    plumb_builder_reset(b);
    assert_int_equal(call(b, "P1", "a", &err), PLUMB_OK);
    assert_int_equal(call(b, "P1", "b", &err), PLUMB_EINPUT);
    assert_string_equal(
        err.message,
        "process P1 calls b while its previous call is still open");
    plumb_builder_reset(b);
    assert_int_equal(call(b, "P1", "a", &err), PLUMB_OK);
    assert_int_equal(plumb_builder_respond(b, symbol(b, "P1"), symbol(b, "R"),
                                           PLUMB_OUTCOME_OK, 0, NULL, 0, NULL,
                                           &err),
                     PLUMB_EINPUT);
    assert_string_equal(err.message,
                        "this response has no matching call: it names object "
                        "\"R\", the open call object \"Q\"");
    plumb_builder_free(b);
}

static void more_than_255_values_are_refused(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    static const struct plumb_value v[256];
    (void)state;
    assert_int_equal(plumb_builder_call(b, symbol(b, "P1"), symbol(b, "Q"),
                                        symbol(b, "f"), v, 256, NULL, &err),
                     PLUMB_EINPUT);
    assert_string_equal(err.message, "f has more than 255 arguments");
    plumb_builder_reset(b);
    assert_int_equal(call(b, "P1", "a", &err), PLUMB_OK);
    assert_int_equal(plumb_builder_respond(b, symbol(b, "P1"), symbol(b, "Q"),
                                           PLUMB_OUTCOME_OK, 0, v, 256, NULL,
                                           &err),
                     PLUMB_EINPUT);
    assert_string_equal(err.message,
                        "response of process P1 has more than 255 results");
    plumb_builder_free(b);
}

static void a_reset_builder_has_forgotten_everything(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_error err;
    (void)state;
    assert_int_equal(call(b, "P1", "a", &err), PLUMB_OK);
    plumb_builder_spec(b, symbol(b, "queue"));
    plumb_builder_reset(b);
    assert_int_equal(plumb_builder_count(b), 0);
    assert_int_equal(plumb_builder_open(b), 0);
    assert_int_equal(symbol(b, "something else"), 1);
    assert_int_equal(call(b, "P1", "b", &err), PLUMB_OK);
    assert_builds(b, PLUMB_TIES_CALL_FIRST, "0-never P1 Q b() open");
    assert_int_equal(call(b, "P1", "c", &err), PLUMB_OK);
    assert_builds(b, PLUMB_TIES_CALL_FIRST, "0-never P1 Q c() open");
    plumb_builder_free(b);
}

/* ---- intervals ---- */

/* An interval named by its place; `thread` NULL is none. */
static enum plumb_status add_interval(struct plumb_builder *b,
                                      const char *thread, const char *name,
                                      uint64_t start, uint64_t end)
{
    struct plumb_error err;
    const struct plumb_interval interval = {
        .start = start,
        .end = end,
        .thread = thread ? symbol(b, thread) : UINT32_MAX,
        .op = { .object = symbol(b, "Q"),
                .name = symbol(b, name),
                .term = symbol(b, "ok"),
                .outcome =
                    end == UINT64_MAX ? PLUMB_OUTCOME_OPEN : PLUMB_OUTCOME_OK },
    };
    return plumb_builder_interval(b, &interval, &err);
}

static void ties_are_broken_as_asked(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(add_interval(b, "P2", "b", 2, 3), PLUMB_OK);
        assert_int_equal(add_interval(b, "P1", "a", 1, 2), PLUMB_OK);
        if (i == 0)
            assert_builds(b, PLUMB_TIES_CALL_FIRST,
                          "0-2 P1 Q a() ok ok(); 1-3 P2 Q b() ok ok()");
        else
            assert_builds(b, PLUMB_TIES_RETURN_FIRST,
                          "0-1 P1 Q a() ok ok(); 2-3 P2 Q b() ok ok()");
    }
    plumb_builder_free(b);
}

static void a_thread_is_sequential_at_equal_times(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    (void)state;
    assert_int_equal(add_interval(b, "P1", "c", 5, 9), PLUMB_OK);
    assert_int_equal(add_interval(b, "P1", "b", 5, 5), PLUMB_OK);
    assert_int_equal(add_interval(b, "P1", "a", 1, 5), PLUMB_OK);
    assert_int_equal(add_interval(b, "P2", "x", 5, 7), PLUMB_OK);
    assert_builds(b, PLUMB_TIES_CALL_FIRST,
                  "0-2 P1 Q a() ok ok(); 1-6 P2 Q x() ok ok(); "
                  "3-4 P1 Q b() ok ok(); 5-7 P1 Q c() ok ok()");
    plumb_builder_free(b);
}

static void a_thread_cannot_overlap_itself(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_history h;
    struct plumb_error err;
    (void)state;
    assert_int_equal(add_interval(b, "P1", "a", 1, 5), PLUMB_OK);
    assert_int_equal(add_interval(b, "P1", "b", 4, 6), PLUMB_OK);
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_EINPUT);
    assert_string_equal(
        err.message,
        "process P1 calls b while its previous call is still open");
    plumb_builder_reset(b);
    assert_int_equal(add_interval(b, "P1", "a", 5, 1), PLUMB_EINPUT);
    plumb_builder_free(b);
}

static void lanes_are_the_lowest_that_are_free(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    (void)state;
    assert_int_equal(add_interval(b, NULL, "a", 1, 4), PLUMB_OK);
    assert_int_equal(add_interval(b, NULL, "b", 2, UINT64_MAX), PLUMB_OK);
    assert_int_equal(add_interval(b, NULL, "c", 3, 5), PLUMB_OK);
    assert_int_equal(add_interval(b, NULL, "d", 6, 7), PLUMB_OK);
    assert_int_equal(add_interval(b, NULL, "e", 6, 7), PLUMB_OK);
    assert_builds(b, PLUMB_TIES_CALL_FIRST,
                  "0-3 P1 Q a() ok ok(); 1-never P2 Q b() open; "
                  "2-4 P3 Q c() ok ok(); 5-7 P1 Q d() ok ok(); "
                  "6-8 P3 Q e() ok ok()");
    plumb_builder_free(b);
}

/* By the definition: a precedes b iff it ends before b starts, or at the same
 * time where returns come first. */
static void assert_order_is_by_time(const struct plumb_history *h,
                                    const uint64_t *start, const uint64_t *end,
                                    enum plumb_ties ties)
{
    for (uint32_t i = 0; i < h->count; i++)
        for (uint32_t j = 0; j < h->count; j++) {
            size_t a = strtoul(
                plumb_symbol_text(h->symbols, h->op[i].name, NULL), NULL, 10);
            size_t b = strtoul(
                plumb_symbol_text(h->symbols, h->op[j].name, NULL), NULL, 10);
            const bool early =
                end[a] < start[b] ||
                (ties == PLUMB_TIES_RETURN_FIRST && end[a] == start[b] &&
                 start[a] < end[a] && end[a] != UINT64_MAX);
            assert_int_equal(h->op[i].resp < h->op[j].call, early);
        }
}

static void random_intervals_keep_their_order(void **state)
{
    enum { OPS = 40 };
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_base_rng rng;
    char name[8];
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t start[OPS], end[OPS];
        const enum plumb_ties ties =
            seed % 2 ? PLUMB_TIES_CALL_FIRST : PLUMB_TIES_RETURN_FIRST;
        plumb_base_rng_seed(&rng, seed);
        for (int i = 0; i < OPS; i++) {
            start[i] = plumb_base_rng_below(&rng, 20);
            end[i] = plumb_base_rng_chance(&rng, 10)
                         ? UINT64_MAX
                         : start[i] + plumb_base_rng_below(&rng, 5);
            snprintf(name, sizeof name, "%d", i);
            assert_int_equal(add_interval(b, NULL, name, start[i], end[i]),
                             PLUMB_OK);
        }
        assert_int_equal(plumb_builder_finish(b, ties, &h, &err), PLUMB_OK);
        assert_int_equal(plumb_history_validate(&h, &err), PLUMB_OK);
        assert_order_is_by_time(&h, start, end, ties);
        plumb_history_release(&h);
    }
    plumb_builder_free(b);
}

/* ---- memory ---- */

static enum plumb_status build_something(struct plumb_budget *budget,
                                         bool intervals)
{
    struct plumb_builder *const b = plumb_builder_new(budget);
    struct plumb_history h;
    struct plumb_error err = { .status = PLUMB_OK };
    char name[32];
    enum plumb_status status = b ? PLUMB_OK : PLUMB_EMEMORY;
    for (unsigned i = 0; i < 40 && status == PLUMB_OK; i++) {
        struct plumb_value v = plumb_int((int64_t)i);
        const int length = snprintf(name, sizeof name, "a name, number %u", i);
        const uint32_t p = plumb_builder_symbol(b, name, (size_t)length);
        const uint32_t o = plumb_builder_symbol(b, name, (size_t)i % 4);
        const struct plumb_interval interval = {
            .start = i,
            .end = i + 9,
            .thread = i % 2 ? p : UINT32_MAX,
            .op = { .object = o, .name = o, .nargs = 1 },
            .values = &v
        };
        if (p == UINT32_MAX || o == UINT32_MAX)
            status = PLUMB_EMEMORY;
        else if (intervals)
            status = plumb_builder_interval(b, &interval, &err);
        else
            status = plumb_builder_call(b, p, o, o, &v, 1, NULL, &err);
    }
    if (status == PLUMB_OK)
        status = plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err);
    if (status == PLUMB_OK)
        plumb_history_release(&h);
    plumb_builder_free(b);
    return status;
}

static void every_failed_allocation_is_survived(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    (void)state;
    for (int intervals = 0; intervals < 2; intervals++)
        for (size_t nth = 1;; nth++) {
            plumb_base_budget_fail_at(budget, nth);
            const enum plumb_status status = build_something(budget, intervals);
            assert_int_equal(plumb_budget_used(budget), 0);
            if (status == PLUMB_OK) {
                assert_true(nth > 15);
                break;
            }
            assert_int_equal(status, PLUMB_EMEMORY);
        }
    plumb_budget_free(budget);
}

static void the_budget_is_kept(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 4096);
    (void)state;
    assert_int_equal(build_something(budget, false), PLUMB_EMEMORY);
    assert_true(plumb_budget_peak(budget) <= 4096);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

static void a_stopped_budget_ends_building(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    (void)state;
    plumb_budget_stop(budget);
    assert_int_equal(build_something(budget, false), PLUMB_ESTOP);
    assert_int_equal(build_something(budget, true), PLUMB_ESTOP);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

/* ---- symbols ---- */

static void a_text_has_one_number(void **state)
{
    struct plumb_symbols s;
    char text[16];
    (void)state;
    assert_true(plumb_history_symbols_init(&s, NULL));
    assert_int_equal(plumb_history_symbols_intern(&s, "", 0), 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i < 1000; i++) {
            const int length = snprintf(text, sizeof text, "%u", i);
            assert_int_equal(
                plumb_history_symbols_intern(&s, text, (size_t)length), i);
        }
    assert_int_equal(plumb_symbol_find(&s, "500", 3), 500);
    assert_int_equal(plumb_symbol_find(&s, "5000", 4), UINT32_MAX);
    const uint32_t nul = plumb_history_symbols_intern(&s, "a\0b", 3);
    assert_int_not_equal(nul, plumb_history_symbols_intern(&s, "a", 1));
    size_t length;
    assert_memory_equal(plumb_symbol_text(&s, nul, &length), "a\0b", 4);
    assert_int_equal(length, 3);
    uint32_t twin;
    assert_true(plumb_history_symbols_are_distinct(&s, &twin));
    plumb_history_symbols_release(&s);
}

static void mapped_symbols_are_found_and_twins_too(void **state)
{
    static const uint32_t start[] = { 0, 1, 3, 5, 7 };
    struct plumb_symbols s = {
        .text = "\0a\0b\0a", .start = start, .count = 3, .text_size = 5
    };
    uint32_t twin;
    (void)state;
    assert_int_equal(plumb_symbol_find(&s, "b", 1), 2);
    assert_int_equal(plumb_symbol_find(&s, "c", 1), UINT32_MAX);
    assert_true(plumb_history_symbols_are_distinct(&s, &twin));
    s.count = 4;
    s.text_size = 7;
    assert_false(plumb_history_symbols_are_distinct(&s, &twin));
    assert_int_equal(twin, 3);
    plumb_history_symbols_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_builds_an_empty_history),
        cmocka_unit_test(results_follow_arguments_whatever_comes_between),
        cmocka_unit_test(what_is_not_ok_has_no_answer),
        cmocka_unit_test(open_calls_can_be_seen),
        cmocka_unit_test(the_builder_refuses_what_cannot_be),
        cmocka_unit_test(more_than_255_values_are_refused),
        cmocka_unit_test(a_reset_builder_has_forgotten_everything),
        cmocka_unit_test(ties_are_broken_as_asked),
        cmocka_unit_test(a_thread_is_sequential_at_equal_times),
        cmocka_unit_test(a_thread_cannot_overlap_itself),
        cmocka_unit_test(lanes_are_the_lowest_that_are_free),
        cmocka_unit_test(random_intervals_keep_their_order),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(the_budget_is_kept),
        cmocka_unit_test(a_stopped_budget_ends_building),
        cmocka_unit_test(a_text_has_one_number),
        cmocka_unit_test(mapped_symbols_are_found_and_twins_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
