/* test_table.c - rows and columns, aligned and within the width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/table.h"
#include <string.h>

static void make(const struct plumb_report_style *style, unsigned columns,
                 const char *const *cell, struct plumb_base_text *out)
{
    struct plumb_report_table t;
    plumb_report_table_init(&t, style, columns);
    for (; *cell; cell++)
        plumb_report_table_cell(&t, *cell);
    plumb_base_text_init(out, NULL);
    plumb_report_table_end(&t, out);
}

static void names_begin_left_and_numbers_end_right(void **state)
{
    static const char *const cells[] = { "operation", "calls",   "90%", "enq",
                                         "7",         "12.3 us", "",    "12345",
                                         "-",         NULL };
    const struct plumb_report_style style = { .ascii = true };
    struct plumb_base_text out;
    (void)state;
    make(&style, 3, cells, &out);
    assert_string_equal(plumb_base_text_string(&out),
                        "operation  calls      90%\n"
                        "enq            7  12.3 us\n"
                        "           12345        -\n");
    plumb_base_text_release(&out);
}

static void nothing_follows_the_last_word_of_a_line(void **state)
{
    static const char *const cells[] = { "a", "b", "c", "ddd", "",
                                         "",  "e", "",  "f",   NULL };
    const struct plumb_report_style style = { .ascii = true };
    struct plumb_base_text out;
    (void)state;
    make(&style, 3, cells, &out);
    assert_string_equal(plumb_base_text_string(&out), "a    b  c\n"
                                                      "ddd\n"
                                                      "e       f\n");
    plumb_base_text_release(&out);
}

static void long_names_are_cut(void **state)
{
    static const char *const cells[] = {
        "a-name-much-longer-than-there-is-room", "12345678", "short", "1", NULL
    };
    const struct plumb_report_style ascii = { .ascii = true, .width = 24 };
    const struct plumb_report_style utf8 = { .width = 24 };
    struct plumb_base_text out;
    (void)state;
    make(&ascii, 2, cells, &out);
    assert_string_equal(plumb_base_text_string(&out),
                        "a-name-much-..  12345678\n"
                        "short                  1\n");
    plumb_base_text_release(&out);
    make(&utf8, 2, cells, &out);
    assert_string_equal(plumb_base_text_string(&out),
                        "a-name-much-l…  12345678\n"
                        "short                  1\n");
    plumb_base_text_release(&out);
}

static void names_are_safe_to_print(void **state)
{
    static const char *const cells[] = { "a\033[31m\n", "1", "b", "2", NULL };
    const struct plumb_report_style style = { .ascii = true };
    struct plumb_base_text out;
    (void)state;
    make(&style, 2, cells, &out);
    assert_null(strchr(plumb_base_text_string(&out), '\033'));
    assert_string_equal(plumb_base_text_string(&out), "a\\x1b[31m\\n  1\n"
                                                      "b            2\n");
    plumb_base_text_release(&out);
}

static void an_empty_table_is_no_line(void **state)
{
    static const char *const cells[] = { NULL };
    const struct plumb_report_style style = { .ascii = true };
    struct plumb_base_text out;
    (void)state;
    make(&style, 2, cells, &out);
    assert_string_equal(plumb_base_text_string(&out), "");
    plumb_base_text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_begin_left_and_numbers_end_right),
        cmocka_unit_test(nothing_follows_the_last_word_of_a_line),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(names_are_safe_to_print),
        cmocka_unit_test(an_empty_table_is_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
