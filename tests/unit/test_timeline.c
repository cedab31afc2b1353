/* test_timeline.c - pictures, compared letter by letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "report/timeline.h"
#include "story.h"
#include <stdio.h>

static void draw(const char *text, struct plumb_report_style style,
                 const char *expected)
{
    struct plumb_history h = story(text);
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    struct plumb_base_text t;
    plumb_base_arena_init(&arena, NULL);
    plumb_base_text_init(&t, NULL);
    assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
    plumb_report_timeline(&scene, &style, 2, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
    plumb_base_arena_release(&arena);
    plumb_history_release(&h);
}

static const struct plumb_report_style usual;
static const struct plumb_report_style plain = { .ascii = true };

static const char overtaken[] =
    "0 enq(1); 0 ok(); 0 enq(2); 2 deq(); 0 ok(); 2 ok(2); 2 deq(); 1 deq(); "
    "2 ok(1)";

static void bars_overlap_iff_operations_do(void **state)
{
    (void)state;
    draw(overtaken, usual,
         "  T0  ├ a enq(1) ─┤   ├ b enq(2) ─┤\n"
         "  T2                    ├ c deq()=2 ─┤   ├ d deq()=1 ─┤\n"
         "  T1                                       ├ e deq() ╌╌╌▷\n");
}

static void ascii_needs_no_utf8(void **state)
{
    (void)state;
    draw(overtaken, plain,
         "  T0  | a enq(1) -|   | b enq(2) -|\n"
         "  T2                    | c deq()=2 -|   | d deq()=1 -|\n"
         "  T1                                       | e deq() ...>\n");
}

static void a_narrow_screen_gets_several_blocks(void **state)
{
    (void)state;
    const struct plumb_report_style narrow = { .width = 33 };
    draw(overtaken, narrow,
         "  T0  ├ a enq(1) ┤ ├ b enq(2) ─┄\n"
         "  T2\n"
         "  T1\n"
         "\n"
         "  T0  ┄ b enq(2) ┤\n"
         "  T2   ├ c deq()=2 ┤\n"
         "  T1\n"
         "\n"
         "  T0\n"
         "  T2  ├ d deq()=1 ┤\n"
         "  T1   ├ e deq() ╌╌▷\n");
}

static void a_thread_that_goes_on_has_a_second_row(void **state)
{
    (void)state;
    draw("A a(); B b(); A !info(); A c(); A ok(1,2); B ok(true)", usual,
         "  A  ├ a a() ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▷\n"
         "         ├ c c()=(1,2) ─┤\n"
         "  B    ├─── b b()=true ───┤\n");
}

static void failed_operations_are_not_drawn(void **state)
{
    (void)state;
    draw("A a(); B b(); A !fail(); B ok()", usual, "  B  ├ a b() ─┤\n");
}

static void answers_are_written_as_people_do(void **state)
{
    (void)state;
    draw("A cas(1,2); A ok(false); A deq(); A empty(); A scan(); A some(x)",
         usual,
         "  A  ├ a cas(1,2)=false ─┤   ├ b deq()=empty ─┤   ├ c "
         "scan()=some(x) ─┤\n");
}

static void several_objects_are_named(void **state)
{
    (void)state;
    draw("A @p get(); A @p ok(nil); A @q get(); A @q ok(-7)", usual,
         "  A  ├ a p.get()=nil ─┤   ├ b q.get()=-7 ─┤\n");
}

static void values_cannot_write_on_the_screen(void **state)
{
    (void)state;
    draw("A w('\033[1m'); A ok('a\nb'); B w('\xff'); B ok('\xe2\x80\xae')",
         usual,
         "  A  ├ a w(\"\\x1b[1m\")=\"a\\nb\" ─┤\n"
         "  B                               ├ b w(\"\\xff\")=\"\\u{202e}\" "
         "─┤\n");
}

static void strings_are_told_from_other_values(void **state)
{
    (void)state;
    draw("A w(x,'7','true','','say \"hi\"'); A ok(7)", usual,
         "  A  ├ a w(x,\"7\",\"true\",\"\",\"say \\\"hi\\\"\")=7 ─┤\n");
}

static void long_values_are_abbreviated(void **state)
{
    (void)state;
    draw("A w(abcdefghijklmnop); A ok(); A w(abcdefghijklmnopq); A ok()", usual,
         "  A  ├ a w(abcdefghijklmnop) ─┤   ├ b w(abcdefghijklmno…) ─┤\n");
    draw("A w(abcdefghijklmnop); A ok(); A w(abcdefghijklmnopq); A ok()", plain,
         "  A  | a w(abcdefghijklmnop) -|   | b w(abcdefghijklmn..) -|\n");
}

static void letters_count_as_one_column_each(void **state)
{
    (void)state;
    draw("ä w(äöü); ä ok(); b w(1); b ok()", usual,
         "  ä  ├ a w(äöü) ─┤\n"
         "  b                  ├ b w(1) ─┤\n");
    draw("b w('äö'); b ok()", plain, "  b  | a w(\"\\u{e4}\\u{f6}\") -|\n");
}

static void color_takes_no_columns(void **state)
{
    (void)state;
    const struct plumb_report_style color = { .color = true };
    draw("A a(); A ok()", color,
         "  A  \033[2m├\033[0m a a() \033[2m─┤\033[0m\n");
}

static void nothing_is_drawn_of_nothing(void **state)
{
    (void)state;
    draw("", usual, "");
}

static void letters_go_on_after_z(void **state)
{
    (void)state;
    static const uint32_t index[] = { 0, 25, 26, 51, 52, 701, 702 };
    static const char *const letter[] = { "a",  "z",  "aa", "az",
                                          "ba", "zz", "aaa" };
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    for (size_t i = 0; i < sizeof index / sizeof *index; i++) {
        plumb_base_text_clear(&t);
        plumb_report_scene_letter(index[i], &t);
        assert_string_equal(plumb_base_text_string(&t), letter[i]);
    }
    plumb_base_text_release(&t);
}

/* ---- random pictures ---- */

static struct plumb_history random_history(struct plumb_base_rng *r,
                                           unsigned events, unsigned threads)
{
    struct plumb_base_text text;
    bool open[16] = { false };
    plumb_base_text_init(&text, NULL);
    for (unsigned e = 0; e < events; e++) {
        const unsigned t = plumb_base_rng_below(r, threads);
        plumb_base_text_printf(&text, "%sT%u %s(%u)", e ? "; " : "", t,
                               open[t] ? "ok" : "do",
                               plumb_base_rng_below(r, 1000));
        open[t] = !open[t];
    }
    struct plumb_history h = story(plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    return h;
}

static void no_line_is_wider_than_the_screen(void **state)
{
    (void)state;
    struct plumb_base_rng r;
    plumb_base_rng_seed(&r, 7);
    for (int round = 0; round < 300; round++) {
        struct plumb_history h =
            random_history(&r, plumb_base_rng_below(&r, 120), 6);
        struct plumb_base_arena arena;
        struct plumb_report_scene scene;
        struct plumb_base_text t;
        const struct plumb_report_style style = {
            .width = 30 + plumb_base_rng_below(&r, 90), .ascii = round & 1
        };
        plumb_base_arena_init(&arena, NULL);
        plumb_base_text_init(&t, NULL);
        assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
        plumb_report_timeline(&scene, &style, 2, &t);
        for (const char *at = plumb_base_text_string(&t); *at;) {
            const size_t size = strcspn(at, "\n");
            const bool note = strstr(at, "more operation") < at + size &&
                              strstr(at, "more operation");
            if (!note)
                assert_true(plumb_base_utf8_columns(at, size) <= style.width);
            assert_true(size == 0 || at[size - 1] != ' ');
            at += size + 1;
        }
        plumb_base_text_release(&t);
        plumb_base_arena_release(&arena);
        plumb_history_release(&h);
    }
}

/* Where in a one-block picture the bar with this letter begins and ends. */
static void find_bar(const char *picture, uint32_t i, size_t *left,
                     size_t *right)
{
    struct plumb_base_text label;
    plumb_base_text_init(&label, NULL);
    plumb_base_text_add(&label, " ");
    plumb_report_scene_letter(i, &label);
    plumb_base_text_add(&label, " do");
    const char *const at = strstr(picture, plumb_base_text_string(&label));
    assert_non_null(at);
    const char *line = at, *from = at, *to = at;
    while (line > picture && line[-1] != '\n')
        line--;
    while (*from != '|')
        from--;
    while (*to != '|' && *to != '>')
        to++;
    *left = (size_t)(from - line);
    *right = (size_t)(to - line);
    plumb_base_text_release(&label);
}

static void pictures_tell_precedence_exactly(void **state)
{
    (void)state;
    struct plumb_base_rng r;
    plumb_base_rng_seed(&r, 11);
    for (int round = 0; round < 200; round++) {
        struct plumb_history h = random_history(&r, 24, 4);
        struct plumb_base_arena arena;
        struct plumb_report_scene scene;
        struct plumb_base_text t;
        const struct plumb_report_style wide = { .width = 2000, .ascii = true };
        plumb_base_arena_init(&arena, NULL);
        plumb_base_text_init(&t, NULL);
        assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
        plumb_report_timeline(&scene, &wide, 0, &t);
        for (uint32_t i = 0; i < scene.count; i++)
            for (uint32_t j = 0; j < scene.count; j++) {
                size_t left, right, other_left, other_right;
                find_bar(plumb_base_text_string(&t), i, &left, &right);
                find_bar(plumb_base_text_string(&t), j, &other_left,
                         &other_right);
                assert_int_equal(plumb_report_scene_precedes(&scene, i, j),
                                 right < other_left);
            }
        plumb_base_text_release(&t);
        plumb_base_arena_release(&arena);
        plumb_history_release(&h);
    }
}

static bool shows_bar(const struct plumb_base_text *t, uint32_t i)
{
    struct plumb_base_text bar;
    plumb_base_text_init(&bar, NULL);
    plumb_base_text_add(&bar, " ");
    plumb_report_scene_letter(i, &bar);
    plumb_base_text_add(&bar, " do(");
    const bool shown =
        strstr(plumb_base_text_string(t), plumb_base_text_string(&bar));
    plumb_base_text_release(&bar);
    return shown;
}

static void what_is_not_drawn_is_stated(void **state)
{
    (void)state;
    struct plumb_base_rng r;
    plumb_base_rng_seed(&r, 3);
    struct plumb_history h = random_history(&r, 300, 3);
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    struct plumb_base_text t;
    char expected[80];
    plumb_base_arena_init(&arena, NULL);
    plumb_base_text_init(&t, NULL);
    assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
    plumb_report_timeline(&scene, &usual, 2, &t);
    snprintf(expected, sizeof expected,
             "\n  … after %u more operations; --json has all\n",
             scene.count - 40);
    assert_non_null(strstr(plumb_base_text_string(&t), expected));
    assert_true(shows_bar(&t, scene.count - 1)); /* the last ones are drawn */
    assert_true(shows_bar(&t, scene.count - 40));
    assert_false(shows_bar(&t, scene.count - 41));
    plumb_base_text_release(&t);
    plumb_base_arena_release(&arena);
    plumb_history_release(&h);
}

static void used_up_memory_breaks_the_text_alone(void **state)
{
    (void)state;
    struct plumb_history h = story(overtaken);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_base_arena arena;
    struct plumb_report_scene scene;
    struct plumb_base_text t;
    plumb_base_arena_init(&arena, NULL);
    assert_true(plumb_report_scene_of_history(&h, &arena, &scene));
    bool broken = true;
    for (size_t nth = 1; broken && nth < 200; nth++) {
        plumb_base_text_init(&t, budget);
        plumb_base_budget_fail_at(budget, nth);
        plumb_report_timeline(&scene, &usual, 2, &t);
        broken = t.broken;
        plumb_base_text_release(&t);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_false(broken);
    plumb_budget_free(budget);
    plumb_base_arena_release(&arena);
    plumb_history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_overlap_iff_operations_do),
        cmocka_unit_test(ascii_needs_no_utf8),
        cmocka_unit_test(a_narrow_screen_gets_several_blocks),
        cmocka_unit_test(a_thread_that_goes_on_has_a_second_row),
        cmocka_unit_test(failed_operations_are_not_drawn),
        cmocka_unit_test(answers_are_written_as_people_do),
        cmocka_unit_test(several_objects_are_named),
        cmocka_unit_test(values_cannot_write_on_the_screen),
        cmocka_unit_test(strings_are_told_from_other_values),
        cmocka_unit_test(long_values_are_abbreviated),
        cmocka_unit_test(letters_count_as_one_column_each),
        cmocka_unit_test(color_takes_no_columns),
        cmocka_unit_test(nothing_is_drawn_of_nothing),
        cmocka_unit_test(letters_go_on_after_z),
        cmocka_unit_test(no_line_is_wider_than_the_screen),
        cmocka_unit_test(pictures_tell_precedence_exactly),
        cmocka_unit_test(what_is_not_drawn_is_stated),
        cmocka_unit_test(used_up_memory_breaks_the_text_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
