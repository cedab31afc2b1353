/* test_callret.c - reading the call and return lines of LiMo and Violin. */
#include "histories.h"

static void reads(const char *text, const char *expected)
{
    assert_reads(PLUMB_FORMAT_CALLRET, text, expected);
}

static void the_header_names_the_specification(void **state)
{
    (void)state;
    reads("# @object atomic-stack\n", " spec stack\n");
    reads("# hello\n#@object queue\n", " spec queue\n");
    reads("# @object atomic-priority-queue\n", " spec priority-queue\n");
    reads("# @object atomic-set\n", " spec set\n");
    reads("# @object atomic-register\n", " spec register\n");
    reads("# @object atomic-unheard-of\n", "\n");
}

static void arguments_are_written_in_three_ways(void **state)
{
    (void)state;
    reads("[1] call push(2)\n[2] call push 2\n[3] call pop\n[4] call pop()\n"
          "[5] call put(a, \"b c\")\n[6] call cas 1 nil\n[7] call f ( 1 )\n",
          "0-never 1 object push(2) open; 1-never 2 object push(2) open; "
          "2-never 3 object pop() open; 3-never 4 object pop() open; "
          "4-never 5 object put('a','b c') open; "
          "5-never 6 object cas(1,nil) open; 6-never 7 object f(1) open\n");
}

static void indentation_comments_and_line_ends_do_not_matter(void **state)
{
    (void)state;
    reads("# @object atomic-queue\r\n\r\n   # note\n\t[a b]  call\tenq(1)\r\n\n"
          "        [a b] return\r\n   ",
          "0-1 a b object enq(1) ok ok() spec queue\n");
}

static void a_bare_return_of_a_remover_means_empty(void **state)
{
    (void)state;
    reads("[1] call pop\n[1] return\n[1] call deq()\n[1] return empty\n"
          "[1] call pop\n[1] return 3\n[1] call push(3)\n[1] return\n",
          "0-1 1 object pop() ok empty(); 2-3 1 object deq() ok empty(); "
          "4-5 1 object pop() ok ok(3); 6-7 1 object push(3) ok ok()\n");
}

static void a_value_told_at_the_call_is_the_result(void **state)
{
    (void)state;
    reads("[0] call push(?<1,1>)\n[1] call pop(?<1,1>)\n[0] return\n"
          "[1] return\n[1] call pop\n[1] return\n[1] call pop(7)\n"
          "[1] return 7\n[2] call pop(8)\n[3] call pop(9)\n[3] return empty\n",
          "0-2 0 object push('?<1,1>') ok ok(); "
          "1-3 1 object pop() ok ok('?<1,1>'); "
          "4-5 1 object pop() ok empty(); 6-7 1 object pop() ok ok(7); "
          "8-never 2 object pop() open; 9-10 3 object pop() ok empty()\n");
}

static void remove_of_a_set_keeps_its_argument(void **state)
{
    (void)state;
    reads("# @object atomic-set\n[1] call remove(3)\n[1] return true\n"
          "[1] call insert(3)\n[1] return 0\n",
          "0-1 1 object remove(3) ok ok(true); "
          "2-3 1 object insert(3) ok ok(0) spec set\n");
    reads("# @object atomic-queue\n[1] call remove(3)\n[1] return\n",
          "0-1 1 object remove() ok ok(3) spec queue\n");
    reads("[1] call remove(3)\n[1] return false\n[1] call remove\n[1] return\n",
          "0-1 1 object remove(3) ok ok(false); "
          "2-3 1 object remove() ok empty()\n");
}

static void a_call_repeated_word_for_word_leaves_the_first_pending(void **state)
{
    (void)state;
    reads("[1] call pop\n[1] call pop\n[1] return 3\n",
          "0-1 1 object pop() info; 2-3 1 object pop() ok ok(3)\n");
    reads("[1] call push(1)\n[1] call push(1)\n",
          "0-1 1 object push(1) info; 2-never 1 object push(1) open\n");
    reads("[1] call push(1)\n[1] call push(2)\n",
          "2:1: process 1 calls push while its call on line 1 is still open\n");
}

static void full_is_a_term_where_items_are_added(void **state)
{
    (void)state;
    reads("[1] call enq(1)\n[1] return full\n[1] call deq\n[1] return full\n",
          "0-1 1 object enq(1) ok full(); 2-3 1 object deq() ok ok('full')\n");
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    reads("\n  hello\n",
          "2:3: expected [id] call or [id] return, found hello\n");
    reads("[] call pop\n",
          "1:1: expected [id] call or [id] return, found []\n");
    reads("[1 call pop\n",
          "1:1: expected [id] call or [id] return, found [1\n");
    reads("[1] calls pop\n",
          "1:1: expected [id] call or [id] return, found [1]\n");
    reads("[1] call\n", "1:9: this call names no operation\n");
    reads("[1] call pop(\n", "1:10: the ( after pop is never closed\n");
    reads("[1] call push(1\n", "1:10: the ( after push is never closed\n");
    reads("[1] call push \"ab\n", "1:15: unterminated string\n");
    reads("[1] call pop(1, 2)\n",
          "1:10: pop removes more than one item; only one is supported\n");
    reads("[1] call push(99999999999999999999)\n",
          "1:15: bad number 99999999999999999999: expected a value that fits "
          "in 64 bits\n");
    reads(" [1] return 3\n",
          "1:2: this response has no matching call of process 1\n");
    reads("[1] call pop\n [1] call push(1)\n",
          "2:2: process 1 calls push while its call on line 1 is still open\n");
    reads("[1] call pop(2)\n[1] return 3\n",
          "2:12: the return gives 3, but the call names another value\n");
}

static void comments_alone_hold_no_history(void **state)
{
    (void)state;
    reads("", "");
    reads("\n# nothing\n", "");
}

static void call_and_return_lines_are_recognised(void **state)
{
    (void)state;
    const char *const yes[] = { "# @object atomic-stack\n[1] call pop",
                                "\n\n  [1] return 3", "# @object x\n" };
    const char *const no[] = { "[1 2]", "# stack\npush 1 1 2", "[{:a 1}]", "" };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_int_equal(plumb_format_detect(yes[i], strlen(yes[i])),
                         PLUMB_FORMAT_CALLRET);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_int_not_equal(plumb_format_detect(no[i], strlen(no[i])),
                             PLUMB_FORMAT_CALLRET);
}

static void lack_of_memory_is_survived(void **state)
{
    (void)state;
    const char text[] = "# @object atomic-stack\n[1] call push(a)\n"
                        "[2] call pop(a)\n[2] return\n[1] return\n";
    assert_survives_lack_of_memory(PLUMB_FORMAT_CALLRET, text, sizeof text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_names_the_specification),
        cmocka_unit_test(arguments_are_written_in_three_ways),
        cmocka_unit_test(indentation_comments_and_line_ends_do_not_matter),
        cmocka_unit_test(a_bare_return_of_a_remover_means_empty),
        cmocka_unit_test(a_value_told_at_the_call_is_the_result),
        cmocka_unit_test(remove_of_a_set_keeps_its_argument),
        cmocka_unit_test(
            a_call_repeated_word_for_word_leaves_the_first_pending),
        cmocka_unit_test(full_is_a_term_where_items_are_added),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(comments_alone_hold_no_history),
        cmocka_unit_test(call_and_return_lines_are_recognised),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
