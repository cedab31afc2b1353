/* test_interleaving.c - columns of threads, compared letter by letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "report/interleaving.h"
#include <stdio.h>
#include <string.h>

static const char *const names[] = { "T0", "T1", "T2", "T3" };

#define NONE PLUMB_NO_STEP

static const struct plumb_report_line story[] = {
    { PLUMB_LINE_CALL, 31, 0, 0, "enq(2)", "", NULL },
    { PLUMB_LINE_EVENT, 34, 0, 1, "cas node#1.next ∅→node#2 ok", "msq.c:44",
      NULL },
    { PLUMB_LINE_SWITCH, NONE, 0, 0, "preempted", "", NULL },
    { PLUMB_LINE_CALL, 35, 1, 0, "deq()", "", NULL },
    { PLUMB_LINE_EVENT, NONE, 1, 1, "load head → node#0", "msq.c:66", NULL },
    { PLUMB_LINE_EVENT, 36, 1, 1, "cas head node#0→node#2 failed (was node#1)",
      "msq.c:71", NULL },
    { PLUMB_LINE_FOLD, NONE, 1, 1, "… 12 steps", "", NULL },
    { PLUMB_LINE_FAULT, 49, 1, 0, "use after free of node#1", "msq.c:72",
      NULL },
};
enum { STORY = sizeof story / sizeof *story };

static void expect(const struct plumb_report_line *line, size_t count,
                   unsigned columns, struct plumb_report_style style,
                   const char *expected)
{
    struct plumb_base_text out;
    const struct plumb_report_interleaving what = {
        .heading = names, .columns = columns, .line = line, .count = count
    };
    plumb_base_text_init(&out, NULL);
    plumb_report_interleaving_text(&what, &style, 2, &out);
    assert_string_equal(plumb_base_text_string(&out), expected);
    plumb_base_text_release(&out);
}

static void each_thread_has_a_column(void **state)
{
    (void)state;
    expect(story, STORY, 2, (struct plumb_report_style){ .width = 80 },
           "   step  T0               T1\n"
           " ⋮   31  enq(2)\n"
           " ⋮   34  │ cas node#1.next ∅→node#2 ok                             "
           "     msq.c:44\n"
           "         ↳ preempted\n"
           "     35                   deq()\n"
           "                          │ load head → node#0                     "
           "     msq.c:66\n"
           "     36                   │ cas head node#0→node#2 failed (was "
           "node#1)  msq.c:71\n"
           "                          │ … 12 steps\n"
           "     49                   ✗ use after free of node#1               "
           "     msq.c:72\n");
}

static void a_wide_screen_has_wide_columns(void **state)
{
    (void)state;
    expect(story, 4, 2, (struct plumb_report_style){ .width = 120 },
           "   step  T0                                          T1\n"
           " ⋮   31  enq(2)\n"
           " ⋮   34  │ cas node#1.next ∅→node#2 ok                             "
           "                                msq.c:44\n"
           "         ↳ preempted\n"
           "     35                                              deq()\n");
}

static void more_threads_are_nearer_to_each_other(void **state)
{
    (void)state;
    static const struct plumb_report_line line[] = {
        { PLUMB_LINE_EVENT, 1, 0, 1, "load top → node#1", "s.c:1", NULL },
        { PLUMB_LINE_EVENT, 2, 1, 1, "load top → node#1", "s.c:1", NULL },
        { PLUMB_LINE_EVENT, 3, 2, 1, "cas top node#1→node#12 ok", "s.c:22",
          NULL },
        { PLUMB_LINE_EVENT, 4, 3, 1, "cas top node#1→node#12 failed (was ∅)",
          "s.c:22", NULL },
    };
    expect(line, 3, 3, (struct plumb_report_style){ .width = 80 },
           "   step  T0                T1                T2\n"
           " ⋮    1  │ load top → node#1                                       "
           "       s.c:1\n"
           "      2                    │ load top → node#1                     "
           "       s.c:1\n"
           "      3                                      │ cas top "
           "node#1→node#12 ok  s.c:22\n");
    expect(line, 4, 4, (struct plumb_report_style){ .width = 80 },
           "   step  T0       T1       T2       T3\n"
           " ⋮    1  │ load top → node#1                                       "
           "       s.c:1\n"
           "      2           │ load top → node#1                              "
           "       s.c:1\n"
           "      3                    │ cas top node#1→node#12 ok             "
           "       s.c:22\n"
           "      4                             │ cas top node#1→node#12 "
           "failed (was  s.c:22\n"
           "                                    │   ∅)\n");
}

static void ascii_needs_no_utf8(void **state)
{
    (void)state;
    static const struct plumb_report_line line[] = {
        { PLUMB_LINE_CALL, 0, 0, 0, "pop()", "", NULL },
        { PLUMB_LINE_EVENT, 1, 0, 1, "load top -> NULL", "s.c:1", NULL },
        { PLUMB_LINE_SWITCH, NONE, 0, 0, "gives way", "", NULL },
        { PLUMB_LINE_FAULT, 2, 0, 0, "crash", "s.c:2", NULL },
    };
    expect(line, 4, 1,
           (struct plumb_report_style){ .width = 60, .ascii = true },
           "   step  T0\n"
           "      0  pop()\n"
           "      1  | load top -> NULL                            s.c:1\n"
           "         > gives way\n"
           "      2  ! crash                                       s.c:2\n");
}

static void long_texts_go_on_below(void **state)
{
    (void)state;
    static const struct plumb_report_line line[] = {
        { PLUMB_LINE_EVENT, 7, 0, 1,
          "store a_very_long_name_of_a_variable ← another_long_name", "f.c:1",
          NULL },
        { PLUMB_LINE_EVENT, 8, 0, 1, "abcdefghijklmnopqrstuvwxyz0123456789",
          "src/a/very/long/path/to/somefile.c:12345", NULL },
    };
    expect(line, 2, 1, (struct plumb_report_style){ .width = 60 },
           "   step  T0\n"
           " ⋮    7  │ store                        f.c:1\n"
           "         │   a_very_long_name_of_a_var\n"
           "         │   iable ← another_long_name\n"
           "      8  │ abcdefghijklmnopqrstuvwxyz0  …to/somefile.c:12345\n"
           "         │   123456789\n");
}

static void color_is_only_added(void **state)
{
    (void)state;
    expect(story, 3, 1,
           (struct plumb_report_style){ .width = 60, .color = true },
           "   step  \033[1mT0\033[0m\n"
           " ⋮   31  \033[1menq(2)\033[0m\n"
           " ⋮   34  │ cas node#1.next ∅→node#2 ok              "
           "\033[2mmsq.c:44\033[0m\n"
           "         ↳ \033[33mpreempted\033[0m\n");
}

static void nothing_is_a_heading(void **state)
{
    (void)state;
    expect(NULL, 0, 1, (struct plumb_report_style){ .width = 60 },
           "   step  T0\n");
}

/* ---- whatever the texts are ---- */

static void check_lines(const char *text, unsigned width, bool ascii)
{
    while (*text) {
        const size_t size = strcspn(text, "\n");
        assert_true(plumb_base_utf8_columns(text, size) <= width);
        for (size_t i = 0; i < size; i++)
            assert_true((unsigned char)text[i] >= ' ' &&
                        (!ascii || (unsigned char)text[i] < 0x7f));
        text += size + (text[size] == '\n');
    }
}

static void no_line_is_wider_than_the_screen(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    static char text[40][64], name[64][4];
    const char *heading[64];
    struct plumb_report_line line[40];
    plumb_base_rng_seed(&rng, 7);
    for (unsigned t = 0; t < 64; t++) {
        snprintf(name[t], sizeof name[t], "T%u", t);
        heading[t] = name[t];
    }
    for (unsigned round = 0; round < 500; round++) {
        const unsigned columns = 1 + (unsigned)plumb_base_rng_below(&rng, 64);
        const struct plumb_report_style style = {
            .width = 60 + (unsigned)plumb_base_rng_below(&rng, 120),
            .ascii = round % 2
        };
        for (unsigned k = 0; k < 40; k++) {
            const size_t size = plumb_base_rng_below(&rng, sizeof text[k]);
            for (size_t i = 0; i < size; i++) {
                const unsigned char c =
                    (unsigned char)(1 + plumb_base_rng_below(&rng, 255));
                text[k][i] = (char)(k % 3 ? 'a' + c % 26 : c);
            }
            text[k][size] = '\0';
            line[k] = (struct plumb_report_line){
                .kind =
                    (enum plumb_report_line_kind)plumb_base_rng_below(&rng, 6),
                .step = k,
                .column = (unsigned)plumb_base_rng_below(&rng, columns),
                .depth = (unsigned)plumb_base_rng_below(&rng, 20),
                .text = text[k],
                .place = text[plumb_base_rng_below(&rng, k + 1)],
            };
        }
        const struct plumb_report_interleaving what = {
            .heading = heading, .columns = columns, .line = line, .count = 40
        };
        struct plumb_base_text out;
        plumb_base_text_init(&out, NULL);
        plumb_report_interleaving_text(&what, &style, 2, &out);
        assert_false(out.broken);
        check_lines(plumb_base_text_string(&out), style.width, style.ascii);
        plumb_base_text_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_has_a_column),
        cmocka_unit_test(a_wide_screen_has_wide_columns),
        cmocka_unit_test(more_threads_are_nearer_to_each_other),
        cmocka_unit_test(ascii_needs_no_utf8),
        cmocka_unit_test(long_texts_go_on_below),
        cmocka_unit_test(color_is_only_added),
        cmocka_unit_test(nothing_is_a_heading),
        cmocka_unit_test(no_line_is_wider_than_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
