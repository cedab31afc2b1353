/* test_explore_samples.c - tests that are drawn, and scenarios made smaller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/explore/driver/explore_samples.h"
#include "app/explore/driver/scenario.h"
#include "app/explore/driver/small_tests.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct plumb_object queue = {
    .operations = { { .name = "enq", .args = { PLUMB_FRESH } },
                    { .name = "deq" } }
};

static const struct plumb_object map = {
    .operations = { { .name = "put",
                      .args = { PLUMB_ONE_OF("red \"x nil"),
                                PLUMB_FRESH_TEXT } },
                    { .name = "get", .args = { PLUMB_RANGE(-1, 1) } } }
};

static const struct plumb_object one_consumer = {
    .operations = { { .name = "enq",
                      .args = { PLUMB_FRESH },
                      .by = PLUMB_BY_OTHERS },
                    { .name = "deq", .by = PLUMB_BY_FIRST } }
};

static struct explore_samples draw(const struct plumb_object *o,
                                   unsigned threads, unsigned ops,
                                   unsigned count, uint64_t seed)
{
    const struct explore_samples_wanted wanted = {
        .threads = threads, .ops = ops, .count = count, .seed = seed
    };
    struct explore_samples s;
    assert_true(explore_samples_draw(&s, o, &wanted));
    return s;
}

static void the_same_seed_draws_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct explore_samples a = draw(&map, 3, 2, 20, seed);
        struct explore_samples b = draw(&map, 3, 2, 20, seed);
        assert_int_equal(a.count, 20);
        assert_int_equal(b.count, 20);
        for (unsigned i = 0; i < a.count; i++)
            assert_string_equal(a.test[i], b.test[i]);
        explore_samples_release(&a);
        explore_samples_release(&b);
    }
}

static void small_ones_come_first(void **state)
{
    struct explore_samples s = draw(&queue, 3, 2, 20, 1);
    unsigned last = 0, full = 0;
    (void)state;
    for (unsigned i = 0; i < s.count; i++) {
        struct explore_scenario c = { .init = "" };
        snprintf(c.test, sizeof c.test, "%s", s.test[i]);
        const struct explore_scenario_shape shape = explore_scenario_shape(&c);
        assert_int_equal(shape.least, shape.most);
        assert_true(shape.threads * shape.most >= last);
        last = shape.threads * shape.most;
        full += last == 6;
    }
    assert_int_equal(last, 6);
    assert_true(full >= 10);
    explore_samples_release(&s);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names without arguments, threads in order: written down by other means than
 * those of the drawing. */
static void canonical(const char *test, char out[512])
{
    char copy[512], *thread[8], *rest = copy, *part;
    unsigned count = 0;
    size_t used = 0;
    for (bool inside = false; *test && used < sizeof copy - 1; test++) {
        if (!inside || *test == ')')
            copy[used++] = *test;
        inside = (inside || *test == '(') && *test != ')';
    }
    copy[used] = '\0';
    while ((part = strsep(&rest, "|"))) {
        thread[count++] = part + strspn(part, " ");
    }
    for (unsigned i = 0; i < count; i++) {
        size_t end = strlen(thread[i]);
        while (end && thread[i][end - 1] == ' ')
            thread[i][--end] = '\0';
    }
    qsort(thread, count, sizeof *thread, by_text);
    out[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        strcat(out, thread[i]);
        strcat(out, "|");
    }
}

static void no_two_are_the_same(void **state)
{
    char a[512], b[512];
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct explore_samples s = draw(&queue, 3, 3, 60, seed);
        for (unsigned i = 0; i < s.count; i++)
            for (unsigned k = 0; k < i; k++) {
                canonical(s.test[i], a);
                canonical(s.test[k], b);
                assert_string_not_equal(a, b);
            }
        explore_samples_release(&s);
    }
}

/* Of two threads with one operation each: enq/enq, enq/deq, deq/deq. */
static void there_are_no_more_than_there_are(void **state)
{
    struct explore_samples s = draw(&queue, 2, 1, 100, 3);
    (void)state;
    assert_int_equal(s.count, 3);
    explore_samples_release(&s);
}

static void tests_can_be_read(void **state)
{
    static const struct plumb_object *const objects[] = { &queue, &map,
                                                          &one_consumer };
    const struct explore_samples_wanted wanted = {
        .threads = 4, .ops = 3, .small = 100, .count = 50, .init = 2, .seed = 5
    };
    (void)state;
    for (unsigned o = 0; o < 3; o++) {
        struct explore_samples s;
        assert_true(explore_samples_draw(&s, objects[o], &wanted));
        assert_true(s.small > 0 && s.count > s.small);
        for (unsigned i = 0; i < s.count; i++) {
            struct explore_scenario c = { .init = "" };
            struct plumb_error err = { 0 };
            snprintf(c.init, sizeof c.init, "%s", s.init[i]);
            snprintf(c.test, sizeof c.test, "%s", s.test[i]);
            if (explore_scenario_check(&c, objects[o], &err) != PLUMB_OK)
                fail_msg("%s: %s", c.test, err.message);
        }
        explore_samples_release(&s);
    }
}

static void only_the_first_consumes(void **state)
{
    struct explore_samples s = draw(&one_consumer, 3, 2, 20, 1);
    (void)state;
    for (unsigned i = 0; i < s.count; i++) {
        const char *const bar = strchr(s.test[i], '|');
        assert_non_null(bar);
        assert_null(strstr(bar, "deq"));
        assert_ptr_equal(strstr(s.test[i], "deq"), s.test[i]);
    }
    explore_samples_release(&s);
}

/* ---- all small ones ---- */

static void small_tests_of_a_queue(void **state)
{
    static const char *const want[][2] = {
        { "", "enq(11) | enq(21)" },
        { "", "enq(11) | deq()" },
        { "", "deq() | deq()" },
        { "enq(1)", "enq(11) | enq(21)" },
        { "enq(1)", "enq(11) | deq()" },
        { "enq(1)", "deq() | deq()" },
        { "", "enq(11) | enq(21) | enq(31)" },
    };
    const struct explore_samples_wanted wanted = {
        .threads = 3, .ops = 2, .small = 100, .count = 1, .init = 4, .seed = 1
    };
    struct explore_samples s;
    (void)state;
    assert_true(explore_samples_draw(&s, &queue, &wanted));
    assert_int_equal(s.small, 2 * (3 + 4 + 10));
    assert_int_equal(s.count, s.small + 1);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_string_equal(s.init[i], want[i][0]);
        assert_string_equal(s.test[i], want[i][1]);
    }
    explore_samples_release(&s);
}

static void no_more_small_ones_than_asked_for(void **state)
{
    const struct explore_samples_wanted wanted = {
        .threads = 2, .ops = 2, .small = 5, .count = 7, .init = 4, .seed = 1
    };
    struct explore_samples s;
    (void)state;
    assert_true(explore_samples_draw(&s, &queue, &wanted));
    assert_int_equal(s.small, 5);
    assert_int_equal(s.count, 12);
    explore_samples_release(&s);
}

static uint64_t power(uint64_t base, unsigned exponent)
{
    uint64_t result = 1;
    while (exponent--)
        result *= base;
    return result;
}

/* Of n kinds of threads, so many together, whatever their order. */
static uint64_t multisets(uint64_t n, unsigned threads)
{
    uint64_t result = 1;
    for (unsigned i = 0; i < threads; i++)
        result = result * (n + i) / (i + 1);
    return result;
}

static unsigned count_small(const struct plumb_object *o, unsigned threads,
                            unsigned ops, unsigned width, bool init)
{
    const struct explore_small_size size = {
        .threads = threads, .ops = ops, .width = width, .init = init
    };
    struct explore_small_tests *const s = explore_small_tests_open(o, &size);
    unsigned count = 0;
    assert_non_null(s);
    while (explore_small_tests_next(s)) {
        assert_int_equal(explore_small_tests_init(s) != NULL, init);
        count++;
    }
    explore_small_tests_close(s);
    return count;
}

static void none_is_forgotten(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++)
        for (unsigned ops = 1; ops <= 2; ops++)
            for (unsigned width = 1; width <= 3; width++) {
                const uint64_t kinds = power(width * 2, ops);
                assert_int_equal(count_small(&map, threads, ops, width, false),
                                 multisets(kinds, threads));
                if (threads < 3) /* put and get: both have arguments */
                    assert_int_equal(
                        count_small(&map, threads, ops, width, true),
                        2 * width * multisets(kinds, threads));
            }
    assert_int_equal(count_small(&one_consumer, 3, 2, 1, false), 1);
    assert_int_equal(count_small(&one_consumer, 3, 2, 1, true), 1);
}

static void small_tests_have_values_in_their_domains(void **state)
{
    const struct explore_small_size size = { .threads = 2,
                                             .ops = 1,
                                             .width = 3 };
    struct explore_small_tests *const s = explore_small_tests_open(&map, &size);
    unsigned gets = 0;
    (void)state;
    assert_non_null(s);
    while (explore_small_tests_next(s)) {
        const struct plumb_operation *const o =
            explore_small_tests_choice(s, 0, 0);
        const struct plumb_domain *const d = &o->args[0];
        if (!strcmp(o->name, "get")) {
            assert_true(d->low == d->high && d->low >= -1 && d->high <= 1);
            gets++;
        } else {
            assert_true(!strcmp(d->words, "red") || !strcmp(d->words, "nil") ||
                        !strcmp(d->words, "\"x"));
        }
    }
    assert_int_equal(gets, 6);
    explore_small_tests_close(s);
}

/* A size of which there are too many is drawn from, as before. */
static void too_many_are_not_all_run(void **state)
{
    struct plumb_object wide = { .operations = { { .name = "a" } } };
    struct explore_samples s;
    static const char names[][2] = { "a", "b", "c", "d", "e", "f", "g", "h",
                                     "i", "j", "k", "l", "m", "n", "o", "p" };
    const struct explore_samples_wanted wanted = {
        .threads = 2, .ops = 2, .small = 100, .count = 10, .seed = 1
    };
    (void)state;
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++)
        wide.operations[i].name = names[i];
    assert_true(explore_samples_draw(&s, &wide, &wanted)); /* 136 of 2x1 */
    assert_int_equal(s.small, 0);
    assert_int_equal(s.count, 10);
    explore_samples_release(&s);
}

/* ---- scenarios ---- */

static void operations_can_be_left_out(void **state)
{
    const struct explore_scenario s = { .init = "enq(7)",
                                        .test =
                                            "enq(1) put(\"a|)\\\"\",2)|deq() | "
                                            "deq()",
                                        .final = "deq() deq()" };
    static const struct {
        unsigned k;
        const char *init, *test, *final;
    } want[] = {
        { 0, "", "enq(1) put(\"a|)\\\"\",2) | deq() | deq()", "deq() deq()" },
        { 1, "enq(7)", "put(\"a|)\\\"\",2) | deq() | deq()", "deq() deq()" },
        { 2, "enq(7)", "enq(1) | deq() | deq()", "deq() deq()" },
        { 3, "enq(7)", "enq(1) put(\"a|)\\\"\",2) | deq()", "deq() deq()" },
        { 4, "enq(7)", "enq(1) put(\"a|)\\\"\",2) | deq()", "deq() deq()" },
        { 5, "enq(7)", "enq(1) put(\"a|)\\\"\",2) | deq() | deq()", "deq()" },
    };
    struct explore_scenario out;
    (void)state;
    assert_int_equal(explore_scenario_size(&s), 7);
    assert_int_equal(explore_scenario_shape(&s).threads, 3);
    assert_int_equal(explore_scenario_shape(&s).least, 1);
    assert_int_equal(explore_scenario_shape(&s).most, 2);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        explore_scenario_without(&s, want[i].k, false, &out);
        assert_string_equal(out.init, want[i].init);
        assert_string_equal(out.test, want[i].test);
        assert_string_equal(out.final, want[i].final);
        assert_int_equal(explore_scenario_size(&out), 6);
    }
}

static void threads_keep_their_numbers_if_asked(void **state)
{
    const struct explore_scenario s = { .test = "deq() | enq(1) | enq(2)" };
    struct explore_scenario out;
    (void)state;
    explore_scenario_without(&s, 0, true, &out);
    assert_string_equal(out.test, "| enq(1) | enq(2)");
    explore_scenario_without(&s, 1, true, &out);
    assert_string_equal(out.test, "deq() | | enq(2)");
    explore_scenario_without(&s, 2, true, &out);
    assert_string_equal(out.test, "deq() | enq(1) |");
    assert_int_equal(explore_scenario_shape(&out).threads, 3);
    assert_int_equal(explore_scenario_shape(&out).least, 0);
    explore_scenario_without(&s, 0, false, &out);
    assert_string_equal(out.test, "enq(1) | enq(2)");
}

static void operations_can_be_moved_before_all_others(void **state)
{
    const struct explore_scenario s = { .init = "enq(7)",
                                        .test = "enq(1) deq() | deq()",
                                        .final = "deq()" };
    struct explore_scenario out;
    (void)state;
    assert_true(explore_scenario_moved(&s, 0, false, &out));
    assert_string_equal(out.init, "enq(7) enq(1)");
    assert_string_equal(out.test, "deq() | deq()");
    assert_string_equal(out.final, "deq()");
    assert_true(explore_scenario_moved(&s, 1, false, &out));
    assert_string_equal(out.init, "enq(7) deq()");
    assert_string_equal(out.test, "enq(1) deq()");
    assert_true(explore_scenario_moved(&s, 1, true, &out));
    assert_string_equal(out.test, "enq(1) deq() |");
    assert_false(explore_scenario_moved(&out, 1, true, &out));
    assert_false(explore_scenario_moved(&s, 2, false, &out));
}

static void what_does_not_fit_is_not_moved(void **state)
{
    static struct explore_scenario s, out;
    (void)state;
    memset(s.init, ' ', JOB_TEXT - 4);
    snprintf(s.test, sizeof s.test, "deq()");
    assert_false(explore_scenario_moved(&s, 0, false, &out));
}

static void threads_can_be_joined(void **state)
{
    const struct explore_scenario s = { .init = "enq(7)",
                                        .test =
                                            "enq(1) deq() | deq() | enq(2)" };
    struct explore_scenario out;
    (void)state;
    assert_true(explore_scenario_joined(&s, 0, 2, &out));
    assert_string_equal(out.test, "enq(1) deq() enq(2) | deq()");
    assert_string_equal(out.init, "enq(7)");
    assert_true(explore_scenario_joined(&s, 2, 0, &out));
    assert_string_equal(out.test, "deq() | enq(2) enq(1) deq()");
    assert_false(explore_scenario_joined(&s, 1, 1, &out));
    assert_false(explore_scenario_joined(&s, 0, 3, &out));
}

/* Where it matters which one it is, as the first alone may dequeue. */
static void a_thread_without_operations_is_one_only_by_its_number(void **state)
{
    static const char *const test[] = { "| enq(1)", "enq(1) | | enq(2)",
                                        "enq(1) |" };
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct explore_scenario s = { .init = "" };
        struct plumb_error err;
        snprintf(s.test, sizeof s.test, "%s", test[i]);
        assert_int_equal(explore_scenario_check(&s, &queue, &err),
                         PLUMB_EINPUT);
        assert_int_equal(explore_scenario_check(&s, &one_consumer, &err),
                         PLUMB_OK);
    }
}

static void who_may_do_it_is_known(void **state)
{
    const struct explore_scenario good = { .test = "deq() | enq(1) | enq(2)" };
    const struct explore_scenario bad = { .test = "deq() | enq(2) | deq()" };
    unsigned thread = 0;
    (void)state;
    assert_null(explore_scenario_misuse(&good, &one_consumer, &thread));
    assert_null(explore_scenario_misuse(&bad, &queue, &thread));
    assert_string_equal(
        explore_scenario_misuse(&bad, &one_consumer, &thread)->name, "deq");
    assert_int_equal(thread, 2);
}

static void every_other_has_something_before_it(void **state)
{
    const struct explore_samples_wanted wanted = {
        .threads = 3, .ops = 2, .count = 20, .more = 10, .init = 3, .seed = 1
    };
    struct explore_samples s;
    unsigned filled = 0;
    (void)state;
    assert_true(explore_samples_draw(&s, &one_consumer, &wanted));
    for (unsigned i = 0; i < s.count; i++) {
        struct explore_scenario c = { .init = "" };
        struct plumb_error err;
        snprintf(c.test, sizeof c.test, "%s", s.test[i]);
        snprintf(c.init, sizeof c.init, "%s", s.init[i]);
        assert_int_equal(explore_scenario_check(&c, &one_consumer, &err),
                         PLUMB_OK);
        assert_null(strstr(s.init[i], "deq"));
        assert_true(explore_scenario_size(&c) <= 3 + 6);
        filled += *s.init[i] != '\0';
    }
    assert_true(filled > s.count / 3 && filled < s.count);
    explore_samples_release(&s);
}

/* A range of ten is one of two or three for most. */
static void most_values_are_few(void **state)
{
    const struct plumb_object set = {
        .operations = { { .name = "add", .args = { PLUMB_RANGE(1, 10) } },
                        { .name = "has", .args = { PLUMB_RANGE(1, 10) } } }
    };
    struct explore_samples s = draw(&set, 3, 2, 60, 1);
    unsigned small = 0;
    (void)state;
    assert_int_equal(s.count, 60);
    for (unsigned i = 0; i < s.count; i++)
        small += strpbrk(s.test[i], "456789") == NULL;
    assert_true(small >= s.count / 2 && small < s.count);
    explore_samples_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_draws_the_same),
        cmocka_unit_test(small_ones_come_first),
        cmocka_unit_test(no_two_are_the_same),
        cmocka_unit_test(there_are_no_more_than_there_are),
        cmocka_unit_test(tests_can_be_read),
        cmocka_unit_test(only_the_first_consumes),
        cmocka_unit_test(small_tests_of_a_queue),
        cmocka_unit_test(no_more_small_ones_than_asked_for),
        cmocka_unit_test(none_is_forgotten),
        cmocka_unit_test(small_tests_have_values_in_their_domains),
        cmocka_unit_test(too_many_are_not_all_run),
        cmocka_unit_test(operations_can_be_left_out),
        cmocka_unit_test(threads_keep_their_numbers_if_asked),
        cmocka_unit_test(operations_can_be_moved_before_all_others),
        cmocka_unit_test(what_does_not_fit_is_not_moved),
        cmocka_unit_test(threads_can_be_joined),
        cmocka_unit_test(a_thread_without_operations_is_one_only_by_its_number),
        cmocka_unit_test(who_may_do_it_is_known),
        cmocka_unit_test(every_other_has_something_before_it),
        cmocka_unit_test(most_values_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
