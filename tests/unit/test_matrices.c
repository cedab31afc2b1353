/* test_matrices.c - RandomCheck: which tests are drawn.  tests/explore/matrices.py
 * compares what is run with an enumeration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../effort.h"
#include "app/explore/infer/matrices.h"
#include <stdlib.h>
#include <string.h>

static void nothing(plumb_invocation *i)
{
    (void)i;
}

static const struct plumb_object object = {
    .version = PLUMB_OBJECT_VERSION,
    .operations = { { .name = "a", .run = nothing },
                    { .name = "b", .run = nothing },
                    { .name = "c", .run = nothing } }
};

static const char *const all[] = { "a() | a()", "a() | b()", "a() | c()",
                                   "b() | b()", "b() | c()", "c() | c()" };
enum { TESTS = sizeof all / sizeof *all };

static unsigned number_of(const char *test)
{
    unsigned n = 0;
    while (n < TESTS && strcmp(test, all[n]) != 0)
        n++;
    assert_true(n < TESTS);
    return n;
}

/* Of nine matrices two are the same test, unless their threads are equal. */
static void matrices_are_equally_likely(void **state)
{
    const unsigned seeds = SOME_OF(30000);
    struct explore_matrices *const m = explore_matrices_open(&object);
    unsigned count[TESTS] = { 0 };
    (void)state;
    assert_non_null(m);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char *test;
        unsigned drawn;
        assert_true(explore_matrices_draw(m, 2, 1, 1, seed, &test, &drawn));
        assert_int_equal(drawn, 1);
        count[number_of(test)]++;
        free(test);
    }
    for (unsigned i = 0; i < TESTS; i++) {
        const double wanted = seeds / 9.0 * (all[i][0] == all[i][6] ? 1 : 2);
        const double off = count[i] - wanted;
        assert_true(off * off < 25 * wanted); /* five standard deviations */
    }
    explore_matrices_close(m);
}

static void all_that_there_are_are_drawn_once(void **state)
{
    struct explore_matrices *const m = explore_matrices_open(&object);
    (void)state;
    for (uint64_t seed = 0; seed < SOME_OF(1000); seed++) {
        char *test[2 * TESTS];
        unsigned drawn, seen = 0;
        assert_true(
            explore_matrices_draw(m, 2, 1, 2 * TESTS, seed, test, &drawn));
        assert_int_equal(drawn, TESTS);
        for (unsigned i = 0; i < drawn; i++) {
            seen |= 1u << number_of(test[i]);
            free(test[i]);
        }
        assert_int_equal(seen, (1u << TESTS) - 1);
    }
    explore_matrices_close(m);
}

static enum plumb_status add(const char *sequences, unsigned *drawn)
{
    struct explore_matrices *const m = explore_matrices_open(&object);
    struct plumb_error err;
    char *test[16];
    const enum plumb_status status = explore_matrices_add(m, sequences, &err);
    assert_true(explore_matrices_draw(m, 1, 1, 16, 1, test, drawn));
    for (unsigned i = 0; i < *drawn; i++)
        free(test[i]);
    explore_matrices_close(m);
    return status;
}

static void sequences_are_invocations(void **state)
{
    char many[65 * 5 + 1] = "";
    unsigned drawn;
    (void)state;
    assert_int_equal(add(" a() b() ;; ; c() c();", &drawn), PLUMB_OK);
    assert_int_equal(drawn, 5);
    assert_int_equal(add("a() | b()", &drawn), PLUMB_EINPUT);
    assert_int_equal(add("a() d()", &drawn), PLUMB_EINPUT);
    for (unsigned i = 0; i < 64; i++)
        strcat(many, "a(); ");
    assert_int_equal(add(many, &drawn), PLUMB_OK);
    strcat(many, "a(); ");
    assert_int_equal(add(many, &drawn), PLUMB_EINPUT);
}

/* A test of more operations than a test may have is not drawn. */
static void long_sequences_make_no_test_too_long(void **state)
{
    struct explore_matrices *const m = explore_matrices_open(&object);
    char sequence[65 * 4 + 1] = "";
    struct plumb_error err;
    char *test[16];
    unsigned drawn;
    (void)state;
    for (unsigned i = 0; i < 63; i++)
        strcat(sequence, "a() ");
    assert_int_equal(explore_matrices_add(m, sequence, &err), PLUMB_OK);
    assert_true(explore_matrices_draw(m, 2, 1, 16, 1, test, &drawn));
    assert_int_equal(drawn, 9); /* of ten, the sequence with itself is not */
    for (unsigned i = 0; i < drawn; i++)
        free(test[i]);
    explore_matrices_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_equally_likely),
        cmocka_unit_test(all_that_there_are_are_drawn_once),
        cmocka_unit_test(sequences_are_invocations),
        cmocka_unit_test(long_sequences_make_no_test_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
