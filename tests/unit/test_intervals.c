/* test_intervals.c - reading the intervals of fastlin, PolyLin and fptlin. */
#include "histories.h"

static void fast(const char *text, const char *expected)
{
    assert_reads(PLUMB_FORMAT_FASTLIN, text, expected);
}

static void fpt(const char *text, const char *expected)
{
    assert_reads(PLUMB_FORMAT_FPTLIN, text, expected);
}

static void fastlin_lines_are_operations_on_items(void **state)
{
    (void)state;
    fast("# stack\npush 1 1 2\n\n# comment here\npop -1 3 4\n  peek 5 5 6\r\n",
         "0-1 P1 object push(1) ok ok(); 2-3 P1 object pop() ok empty(); "
         "4-5 P1 object peek() ok ok(5) spec stack\n");
    fast("# queue\nenq 1 1 4\ndeq 1 2 3",
         "0-3 P1 object enq(1) ok ok(); 1-2 P2 object deq() ok ok(1) "
         "spec queue\n");
    fast("# deque\npush_front 1 1 2\npop_back -1 3 4\n",
         "0-1 P1 object push_front(1) ok ok(); "
         "2-3 P1 object pop_back() ok empty() spec deque\n");
}

static void the_largest_leaves_a_priority_queue_first(void **state)
{
    (void)state;
    fast("#priorityqueue\ninsert 2 1 2\npoll 2 3 4\n",
         "0-1 P1 object insert(2) ok ok(); 2-3 P1 object poll() ok ok(2) "
         "spec priority-queue:max\n");
    fpt("# priorityqueue\n0 1 2 INSERT 2\n0 3 4 PEEK 2\n",
        "0-1 0 object insert(2) ok ok(); 2-3 0 object peek() ok ok(2) "
        "spec priority-queue:max\n");
}

static void sets_tell_results_in_names_or_in_a_field(void **state)
{
    (void)state;
    fast("# set\ninsert 1 1 2\ncontains_true 1 3 4\ncontains_false -2 5 6\n"
         "remove 1 7 8\n",
         "0-1 P1 object insert(1) ok ok(true); "
         "2-3 P1 object contains(1) ok ok(true); "
         "4-5 P1 object contains(-2) ok ok(false); "
         "6-7 P1 object remove(1) ok ok(true) spec set\n");
    fast("# set\ninsert 1 0 3 6\ncontains 1 1 7 8\n",
         "0-1 P1 object insert(1) ok ok(false); "
         "2-3 P1 object contains(1) ok ok(true) spec set\n");
    fpt("# set\n2 0 2 CONTAINS 2 0\n0 3 4 INSERT 2 1\n3 5 6 REMOVE 2 1\n",
        "0-1 2 object contains(2) ok ok(false); "
        "2-3 0 object insert(2) ok ok(true); "
        "4-5 3 object remove(2) ok ok(true) spec set\n");
}

static void old_files_begin_with_the_process(void **state)
{
    (void)state;
    fast("# deque\n4 push_front 1 1 3\n0 push_back 2 2 4\n",
         "0-2 4 object push_front(1) ok ok(); "
         "1-3 0 object push_back(2) ok ok() spec deque\n");
}

static void a_read_modify_write_is_a_swap(void **state)
{
    (void)state;
    fpt("# rmw\n0 1 2 READ_MODIFY_WRITE 0 5\n",
        "0-1 0 object swap(5) ok ok(0) spec register:init=0\n");
}

static void a_semaphore_starts_at_nothing(void **state)
{
    (void)state;
    fpt("# semaphore\n0 1 2 INCR 1\n1 3 4 DECR 1\n2 5 6 DECR 0\n",
        "0-1 0 object release() ok ok(); "
        "2-3 1 object try_acquire() ok ok(true); "
        "4-5 2 object try_acquire() ok ok(false) spec semaphore:n=0\n");
}

static void a_return_precedes_a_call_of_the_same_time(void **state)
{
    (void)state;
    fast("# queue\ndeq 1 2 3\nenq 1 1 2\n",
         "0-1 P1 object enq(1) ok ok(); 2-3 P1 object deq() ok ok(1) "
         "spec queue\n");
    fpt("# queue\n0 2 3 DEQ 1\n1 1 2 ENQ 1\n",
        "0-1 1 object enq(1) ok ok(); 2-3 0 object deq() ok ok(1) "
        "spec queue\n");
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    fast("push 1 1 2\n", "1:1: push comes before a header with a known type, "
                         "such as '# queue'\n");
    fast("# queue\nenq 1 2\n", "2:8: expected method, value, start and end\n");
    fast("# queue\nenq 1 1 2 3\n", "2:11: unexpected extra field 3\n");
    fast("# set\ninsert 1 1 2 3 4\n", "2:16: unexpected extra field 4\n");
    fast("# queue\n0 1 2 3 4 5 6 7 8 9\n", "2:17: unexpected extra field 8\n");
    fast("# queue\nfrob 1 1 2\n", "2:1: unknown method frob\n");
    fast("# set\npush 1 1 2\n", "2:1: unknown method push of a set\n");
    fast("# set\ncontains 1 1 2\n", "2:1: contains has no result\n");
    fast("# set\ncontains 1 2 1 2\n",
         "2:12: expected the result 0 or 1, found '2'\n");
    fast("# queue\nenq x 1 2\n", "2:5: bad number x: expected a value\n");
    fast("# queue\nenq 1 1x 2\n",
         "2:7: bad number 1x: expected a start time\n");
    fast("# queue\nenq 1 1 -2\n", "2:9: bad number -2: expected an end time\n");
    fast("# queue\nenq 1 1 18446744073709551616\n",
         "2:9: bad number 18446744073709551616: expected an end time that fits "
         "in 64 bits\n");
    fast("# queue\n enq 1 2 1\n", "2:2: enq ends before it starts\n");
    fast("# queue\nenq -1 1 2\n", "2:1: enq adds -1, but -1 means empty\n");
    fpt("# queue\n0 1 2 ENQ\n",
        "2:10: expected process, start, end, method and a value\n");
    fpt("# set\n0 1 2 INSERT 1\n",
        "2:15: expected process, start, end, method and two values\n");
    fpt("# queue\n0 1 2 ENQ 1 2\n", "2:13: unexpected extra field 2\n");
    fpt("# queue\nP 1 2 ENQ 1\n", "2:1: bad number P: expected a process\n");
    fpt("# rmw\n0 1 2 CAS 1 2\n", "2:7: unknown method CAS of a register\n");
    fpt("# semaphore\n0 1 2 UP 1\n", "2:7: unknown method UP of a semaphore\n");
    fpt("# semaphore\n0 1 2 INCR 0\n",
        "2:12: INCR cannot fail, but has the result 0\n");
    fpt("# queue\n0 1 5 ENQ 1\n0 4 6 ENQ 2\n",
        "3:1: process 0 calls enq while its call on line 2 is still open\n");
}

static void times_reach_to_the_end_of_64_bits(void **state)
{
    (void)state;
    fast("# queue\nenq 1 0 18446744073709551614\n",
         "0-1 P1 object enq(1) ok ok() spec queue\n");
    fast("# queue\nenq 1 0 18446744073709551615\n",
         "2:9: bad number 18446744073709551615: expected an end time that fits "
         "in 64 bits\n");
}

static void a_header_alone_is_an_empty_history(void **state)
{
    (void)state;
    fast("# stack", " spec stack\n");
    fpt("# rmw\n", " spec register:init=0\n");
    fast("", "");
    fast("# of unknown type\n", "");
}

static void interval_files_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum plumb_format format;
    } files[] = {
        { "# stack\npush 1 1 2", PLUMB_FORMAT_FASTLIN },
        { "# stack\npop -1 1 2", PLUMB_FORMAT_FASTLIN },
        { "# set\ninsert 1 0 3 6", PLUMB_FORMAT_FASTLIN },
        { "# deque\n0 push_front 1 1 2", PLUMB_FORMAT_FASTLIN },
        { "# stack\n0 1 5 PUSH 1", PLUMB_FORMAT_FPTLIN },
        { "# rmw\n0 1 10 READ_MODIFY_WRITE 0 2", PLUMB_FORMAT_FPTLIN },
        { "# stack\n", PLUMB_FORMAT_FASTLIN },
        { "# rmw\n", PLUMB_FORMAT_FPTLIN },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(
            plumb_format_detect(files[i].text, strlen(files[i].text)),
            files[i].format);
    assert_int_not_equal(plumb_format_detect("1 2 3 4 5", 9),
                         PLUMB_FORMAT_FPTLIN);
}

static void lack_of_memory_is_survived(void **state)
{
    (void)state;
    const char fastlin[] = "# queue\n4 enq 2 1 3\nenq 1 1 2\ndeq -1 3 4\n";
    const char fptlin[] = "# set\n0 1 2 INSERT 1 1\n1 3 4 CONTAINS 1 1\n";
    assert_survives_lack_of_memory(PLUMB_FORMAT_FASTLIN, fastlin,
                                   sizeof fastlin - 1);
    assert_survives_lack_of_memory(PLUMB_FORMAT_FPTLIN, fptlin,
                                   sizeof fptlin - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fastlin_lines_are_operations_on_items),
        cmocka_unit_test(the_largest_leaves_a_priority_queue_first),
        cmocka_unit_test(sets_tell_results_in_names_or_in_a_field),
        cmocka_unit_test(old_files_begin_with_the_process),
        cmocka_unit_test(a_read_modify_write_is_a_swap),
        cmocka_unit_test(a_semaphore_starts_at_nothing),
        cmocka_unit_test(a_return_precedes_a_call_of_the_same_time),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(times_reach_to_the_end_of_64_bits),
        cmocka_unit_test(a_header_alone_is_an_empty_history),
        cmocka_unit_test(interval_files_are_told_apart),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
