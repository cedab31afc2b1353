/* test_units.c - three digits and a unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/units.h"
#include <stdlib.h>
#include <string.h>

static void numbers_have_three_digits(void **state)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        { 0, "0" },          { 1, "1" },         { 999, "999" },
        { 0.35, "0.35" },    { 0.001, "<0.01" }, { 9.994, "9.99" },
        { 9.996, "10.0" },   { 99.94, "99.9" },  { 99.96, "100" },
        { 999.4, "999" },    { 999.6, "1.00k" }, { 1000, "1.00k" },
        { 12345, "12.3k" },  { 999499, "999k" }, { 999500, "1.00M" },
        { 4.56e9, "4.56G" }, { 1e12, "1.00T" },  { 2e17, "200P" },
        { 1e18, "1000P" },
    };
    char text[PLUMB_UNITS_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plumb_report_show_number(text, cases[i].number);
        assert_string_equal(text, cases[i].text);
    }
}

static void durations_have_a_unit(void **state)
{
    static const struct {
        uint64_t nanoseconds;
        const char *text;
    } cases[] = {
        { 0, "0 ns" },           { 999, "999 ns" },
        { 1000, "1.00 us" },     { 999499, "999 us" },
        { 999500, "1.00 ms" },   { 12345678, "12.3 ms" },
        { 999700000, "1.00 s" }, { UINT64_C(61000000000), "61.0 s" },
    };
    char text[PLUMB_UNITS_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plumb_report_show_duration(text, cases[i].nanoseconds);
        assert_string_equal(text, cases[i].text);
    }
}

static void no_duration_is_wider_than_its_column(void **state)
{
    char text[PLUMB_UNITS_SIZE];
    (void)state;
    for (uint64_t n = 1; n < UINT64_C(900000000000); n += n / 7 + 1) {
        plumb_report_show_duration(text, n);
        assert_in_range(strlen(text), 4, 7);
    }
    plumb_report_show_duration(text, UINT64_MAX); /* 585 years */
    assert_in_range(strlen(text), 4, PLUMB_UNITS_SIZE - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test(durations_have_a_unit),
        cmocka_unit_test(no_duration_is_wider_than_its_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
