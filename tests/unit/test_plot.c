/* test_plot.c - round numbers on the axes, and what a picture contains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/plot.h"
#include <string.h>

/* ---- axes ---- */

static bool is_near(double a, double b)
{
    const double difference = a > b ? a - b : b - a;
    return difference <= 1e-9 * (b > 0 ? b : 1);
}

/* 1, 2 or 5 times a power of ten. */
static bool is_round(double value)
{
    while (value >= 9.9999999)
        value /= 10;
    while (value < 0.99999999)
        value *= 10;
    return is_near(value, 1) || is_near(value, 2) || is_near(value, 5);
}

static void a_linear_axis_has_round_steps_up_to_the_most(void **state)
{
    struct plumb_report_axis a;
    (void)state;
    for (double most = 1e-6; most < 1e15; most *= 1.137) {
        plumb_report_axis_for(&a, most / 40, most);
        const double step = a.tick[1];
        assert_false(a.logarithmic);
        assert_true(is_round(step));
        assert_true(a.tick[0] == 0 && a.low == 0);
        assert_in_range(a.ticks, 5, 11);
        assert_true(a.high >= most && a.high - step < most);
        for (unsigned t = 1; t < a.ticks; t++)
            assert_true(is_near(a.tick[t] - a.tick[t - 1], step));
    }
}

static void a_wide_range_makes_it_logarithmic(void **state)
{
    struct plumb_report_axis a;
    (void)state;
    for (double least = 1e-5; least < 1e7; least *= 1.7)
        for (double times = 51; times < 1e9; times *= 3.3) {
            plumb_report_axis_for(&a, least, least * times);
            assert_true(a.logarithmic);
            assert_true(is_round(a.low) && is_round(a.high));
            assert_true(a.low <= least && least < a.low * 2.5001);
            assert_true(a.high >= least * times);
            assert_true(a.high <= least * times * 2.5001);
            assert_in_range(a.ticks, 2, 16);
            for (unsigned t = 0; t < a.ticks; t++)
                assert_true(is_round(a.tick[t]));
        }
}

static void without_values_the_axis_is_from_0_to_1(void **state)
{
    struct plumb_report_axis a;
    (void)state;
    plumb_report_axis_for(&a, 0, 0);
    assert_false(a.logarithmic);
    assert_true(a.low == 0 && a.high == 1);
}

static void places_go_up_with_values(void **state)
{
    static const double most[] = { 10, 1000 };
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct plumb_report_axis a;
        double last = 0;
        plumb_report_axis_for(&a, 1, most[i]);
        for (double v = 1; v <= most[i]; v += 0.01) {
            const double place = plumb_report_axis_place(&a, v);
            assert_true(place >= last && place <= 1);
            last = place;
        }
        assert_true(plumb_report_axis_place(&a, a.high * 2) == 1);
        assert_true(plumb_report_axis_place(&a, 0) == 0);
    }
}

static void the_place_on_a_logarithmic_axis_is_the_logarithm(void **state)
{
    struct plumb_report_axis a;
    (void)state;
    plumb_report_axis_for(&a, 1, 10000);
    const double tenth = plumb_report_axis_place(&a, 10);
    const double two = plumb_report_axis_place(&a, 2);
    assert_true(tenth > 0.2499 && tenth < 0.2501);
    assert_true(two > 0.0752 && two < 0.0754); /* 0.30103 / 4 */
}

static void strides_leave_room_for_labels(void **state)
{
    (void)state;
    assert_int_equal(plumb_report_tick_stride(1), 1);
    assert_int_equal(plumb_report_tick_stride(16), 1);
    assert_int_equal(plumb_report_tick_stride(32), 2);
    assert_int_equal(plumb_report_tick_stride(64), 4);
}

/* ---- the picture ---- */

static unsigned count(const char *text, const char *word)
{
    unsigned n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

static void draw(const struct plumb_report_series *series, unsigned objects,
                 unsigned points, struct plumb_base_text *out)
{
    const struct plumb_report_plot plot = { .title = "T & t",
                                            .x_label = "x",
                                            .y_label = "y",
                                            .series = series,
                                            .count = objects,
                                            .points = points };
    plumb_base_text_init(out, NULL);
    plumb_report_plot_svg(&plot, out);
    assert_false(out->broken);
}

static void names_are_escaped_and_cut(void **state)
{
    static const double y[] = { 1, 2 };
    static const struct plumb_report_series series[] = {
        { "a<b>&\"c\"\x01", y },
        { "0123456789012345678901234567890123456789", y },
    };
    struct plumb_base_text out;
    (void)state;
    draw(series, 2, 2, &out);
    const char *const svg = plumb_base_text_string(&out);
    assert_non_null(strstr(svg, ">a&lt;b&gt;&amp;&quot;c&quot;\\x01<"));
    assert_non_null(strstr(svg, ">012345678901234567890123456…<"));
    assert_non_null(strstr(svg, "<title>T &amp; t</title>"));
    plumb_base_text_release(&out);
}

/* A mark per point and one per name; a line per series. */
static void every_value_has_a_mark(void **state)
{
    static const double a[] = { 1, 2, 3, 4 };
    static const double b[] = { 4, PLUMB_PLOT_GAP, 2, 1 };
    static const struct plumb_report_series series[] = { { "a", a },
                                                         { "b", b } };
    struct plumb_base_text out;
    (void)state;
    draw(series, 2, 4, &out);
    const char *const svg = plumb_base_text_string(&out);
    assert_int_equal(count(svg, "translate("), 4 + 3 + 2);
    assert_int_equal(count(svg, "stroke-width=\"2\""), 2);
    plumb_base_text_release(&out);
}

static void a_gap_breaks_the_line(void **state)
{
    static const double y[] = { 10, PLUMB_PLOT_GAP, 10, 10 };
    static const struct plumb_report_series series[] = { { "a", y } };
    struct plumb_base_text out;
    (void)state;
    draw(series, 1, 4, &out);
    /* 14 from the frame's left; 472 / 3 from point to point */
    assert_non_null(strstr(plumb_base_text_string(&out),
                           "<path d=\"M90.0 48.0M404.7 48.0L562.0 48.0\""));
    plumb_base_text_release(&out);
}

static void a_series_without_values_is_named(void **state)
{
    static const double y[] = { PLUMB_PLOT_GAP };
    static const struct plumb_report_series series[] = { { "none", y } };
    struct plumb_base_text out;
    (void)state;
    draw(series, 1, 1, &out);
    assert_non_null(strstr(plumb_base_text_string(&out), ">none<"));
    assert_int_equal(count(plumb_base_text_string(&out), "translate("), 0);
    plumb_base_text_release(&out);
}

/* The y of each name, in the order of the file: from the top down. */
static void names_do_not_touch(void **state)
{
    static const double y[] = { 5 };
    struct plumb_report_series series[PLUMB_MOST_SERIES];
    struct plumb_base_text out;
    double last = 0;
    unsigned found = 0;
    (void)state;
    for (unsigned i = 0; i < PLUMB_MOST_SERIES; i++)
        series[i] = (struct plumb_report_series){ "name", y };
    draw(series, PLUMB_MOST_SERIES, 1, &out);
    for (const char *at = plumb_base_text_string(&out);
         (at = strstr(at, "<text x=\"610.0\" y=\"")); found++) {
        double place = 0;
        at += strlen("<text x=\"610.0\" y=\"");
        for (; *at >= '0' && *at <= '9'; at++)
            place = place * 10 + (*at - '0');
        assert_true(place >= last + (found ? 18 : 0));
        last = place;
    }
    assert_int_equal(found, PLUMB_MOST_SERIES);
    plumb_base_text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_axis_has_round_steps_up_to_the_most),
        cmocka_unit_test(a_wide_range_makes_it_logarithmic),
        cmocka_unit_test(without_values_the_axis_is_from_0_to_1),
        cmocka_unit_test(places_go_up_with_values),
        cmocka_unit_test(the_place_on_a_logarithmic_axis_is_the_logarithm),
        cmocka_unit_test(strides_leave_room_for_labels),
        cmocka_unit_test(names_are_escaped_and_cut),
        cmocka_unit_test(every_value_has_a_mark),
        cmocka_unit_test(a_gap_breaks_the_line),
        cmocka_unit_test(a_series_without_values_is_named),
        cmocka_unit_test(names_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
