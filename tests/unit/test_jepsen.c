/* test_jepsen.c - reading Jepsen's log lines. */
#include "histories.h"

static void reads(const char *text, const char *expected)
{
    assert_reads(PLUMB_FORMAT_JEPSEN, text, expected);
}

static void a_value_is_argument_or_result_by_its_function(void **state)
{
    (void)state;
    reads("INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
          "INFO  jepsen.util - 1\t:invoke\t:write\t3\n"
          "INFO  jepsen.util - 1\t:ok\t:write\t3\n"
          "INFO  jepsen.util - 0\t:ok\t:read\tnil\n"
          "INFO  jepsen.util - 0\t:invoke\t:cas\t[3 -4]\n"
          "INFO  jepsen.util - 0\t:ok\t:cas\t[3 -4]\n",
          "0-3 0 object read() ok ok(nil); "
          "1-2 1 object write(3) ok ok(); "
          "4-5 0 object cas(3,-4) ok ok(true) spec cas-register\n");
}

static void a_failed_cas_is_a_comparison_that_failed(void **state)
{
    (void)state;
    reads("- 1 :invoke :cas [1 2]\n- 1 :fail :cas [1 2]\n",
          "0-1 1 object cas(1,2) ok ok(false) spec cas-register\n");
}

static void a_cas_that_failed_for_a_reason_did_not_happen(void **state)
{
    (void)state;
    reads("- 1 :invoke :cas [1 2]\n- 1 :fail :cas :no-leader\n",
          "0-1 1 object cas(1,2) fail spec cas-register\n");
}

/* What Jepsen says behind the pair is why: here the comparison is not. */
static void a_reason_may_stand_behind_the_pair(void **state)
{
    (void)state;
    reads("- 1 :invoke :cas [1 2]\n- 1 :fail :cas [1 2] :no-leader\n"
          "- 1 :invoke :cas [1 2]\n- 1 :fail :cas [1 2]\t[:not-found \"k\"]\n"
          "- 1 :invoke :cas [1 2]\n- 1 :fail :cas nil\n"
          "- 1 :invoke :cas [1 2]\n- 1 :fail :cas\n",
          "0-1 1 object cas(1,2) fail; 2-3 1 object cas(1,2) fail; "
          "4-5 1 object cas(1,2) ok ok(false); "
          "6-7 1 object cas(1,2) ok ok(false) spec cas-register\n");
}

static void values_may_be_tuples(void **state)
{
    (void)state;
    reads("0\t:invoke\t:read\t[0 nil]\n1\t:invoke\t:cas\t[0 [1 2]]\n"
          "1\t:fail\t:cas\t[0 [1 2]]\n0\t:ok\t:read\t[0 3]\n",
          "0-3 0 0 read() ok ok(3); 1-2 1 0 cas(1,2) ok ok(false) "
          "spec cas-register\n");
    reads("0 :invoke :read #jepsen.independent [0 nil]\n",
          "0-never 0 0 read() open spec cas-register\n");
}

static void the_value_of_a_question_says_nothing(void **state)
{
    (void)state;
    reads("0 :invoke :read 3\n0 :ok :read 4\n",
          "0-1 0 object read() ok ok(4) spec cas-register\n");
}

static void the_nemesis_alone_is_a_history_without_operations(void **state)
{
    (void)state;
    const char log[] = "INFO jepsen.util - :nemesis\t:info\t:start\tnil\n"
                       "INFO jepsen.core - :nemesis is done\n";
    reads(log, "\n");
    assert_int_equal(plumb_format_detect(log, sizeof log - 1),
                     PLUMB_FORMAT_JEPSEN);
}

static void other_failures_did_not_happen(void **state)
{
    (void)state;
    reads("- 1 :invoke :read nil\n- 1 :fail :read :timed-out\n",
          "0-1 1 object read() fail spec cas-register\n");
}

static void info_leaves_the_operation_pending(void **state)
{
    (void)state;
    reads("- 1 :invoke :write 4\n- 1 :info :write [unbalanced \"text\n"
          "- 1 :invoke :read nil\n",
          "0-1 1 object write(4) info; "
          "2-never 1 object read() open spec cas-register\n");
}

static void whatever_stands_before_the_process_is_skipped(void **state)
{
    (void)state;
    reads("2015-03-01 12:00:01,123{GMT}\tINFO\t[w - 3] jepsen.core - "
          "jepsen.util 7\t:invoke\t:read\tnil\r\n"
          "7 :ok :read 12 extra words\r\n",
          "0-1 7 object read() ok ok(12) spec cas-register\n");
}

static void chatter_and_the_nemesis_are_ignored(void **state)
{
    (void)state;
    reads("INFO jepsen.core - Setting up :ok things\n"
          "\n"
          "INFO jepsen.util - :nemesis\t:info\t:start\t\"cut \n"
          "WARN 3 retries\n"
          "- 0 :invoke :enqueue 5\n- 0 :ok :enqueue 5\n"
          "- 0 :invoke :dequeue nil\n- 0 :ok :dequeue nil",
          "0-1 0 object enqueue(5) ok ok(); "
          "2-3 0 object dequeue() ok empty() spec queue\n");
}

static void words_strings_and_keywords_are_text(void **state)
{
    (void)state;
    reads("- 0 :invoke :write :a\n- 0 :ok :write \"a\"\n"
          "- 0 :invoke :write b\n- 0 :ok :write b\n",
          "0-1 0 object write('a') ok ok(); "
          "2-3 0 object write('b') ok ok() spec cas-register\n");
}

static void unknown_functions_suggest_no_specification(void **state)
{
    (void)state;
    reads("- 0 :invoke :frob 1\n- 0 :ok :frob 2\n",
          "0-1 0 object frob(1) ok ok(2)\n");
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    reads("nothing\nhere\n", "1:1: no Jepsen operation lines\n");
    reads("- 1 :ok :read 3\n",
          "1:3: this response has no matching call of process 1\n");
    reads("- 1 :invoke :read nil\n\n - 1 :invoke :read nil\n",
          "3:4: process 1 calls read while its call on line 1 is still open\n");
    reads("- 1 :invoke :write [1 2\n", "1:20: [ is never closed\n");
    reads("- 1 :invoke :write \"ab\n", "1:20: unterminated string\n");
    reads("- 1 :invoke :write 99999999999999999999\n",
          "1:20: bad number 99999999999999999999: expected a value that fits "
          "in 64 bits\n");
    reads("- 1 :invoke\n", "1:5: the operation line ends after :invoke\n");
    reads("- 1 :invoke :read nil\n- 1 :ok :write 1\n",
          "2:3: process 1 completes write, but called another operation\n");
}

static void nothing_at_all_holds_no_history(void **state)
{
    (void)state;
    reads("", "");
}

static void logs_are_recognised(void **state)
{
    (void)state;
    const char log[] = "chatter\nINFO jepsen.util - 0\t:invoke\t:read\tnil\n";
    const char text[] = "the 3 :ok things\nQ enq(1) P1\n";
    assert_int_equal(plumb_format_detect(log, sizeof log - 1),
                     PLUMB_FORMAT_JEPSEN);
    assert_int_not_equal(plumb_format_detect(text, sizeof text - 1),
                         PLUMB_FORMAT_JEPSEN);
}

static void lack_of_memory_is_survived(void **state)
{
    (void)state;
    const char log[] = "- 0 :invoke :cas [1 2]\n- 0 :fail :cas [1 2]\n"
                       "- 1 :invoke :write \"a\\n\"\n- 1 :ok :write \"a\\n\"\n";
    assert_survives_lack_of_memory(PLUMB_FORMAT_JEPSEN, log, sizeof log - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_argument_or_result_by_its_function),
        cmocka_unit_test(a_failed_cas_is_a_comparison_that_failed),
        cmocka_unit_test(a_cas_that_failed_for_a_reason_did_not_happen),
        cmocka_unit_test(a_reason_may_stand_behind_the_pair),
        cmocka_unit_test(values_may_be_tuples),
        cmocka_unit_test(the_value_of_a_question_says_nothing),
        cmocka_unit_test(the_nemesis_alone_is_a_history_without_operations),
        cmocka_unit_test(other_failures_did_not_happen),
        cmocka_unit_test(info_leaves_the_operation_pending),
        cmocka_unit_test(whatever_stands_before_the_process_is_skipped),
        cmocka_unit_test(chatter_and_the_nemesis_are_ignored),
        cmocka_unit_test(words_strings_and_keywords_are_text),
        cmocka_unit_test(unknown_functions_suggest_no_specification),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(nothing_at_all_holds_no_history),
        cmocka_unit_test(logs_are_recognised),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
