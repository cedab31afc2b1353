/* test_native.c - Wing & Gong's text, read and written. */
#include "histories.h"

#define NATIVE PLUMB_FORMAT_NATIVE

static void events_become_operations(void **state)
{
    (void)state;
    assert_reads(NATIVE, "Q enq(1) P1\nQ deq() P2\nQ ok() P1\nQ ok(1) P2\n",
                 "0-2 P1 Q enq(1) ok ok(); 1-3 P2 Q deq() ok ok(1)\n");
}

static void a_call_without_response_is_open(void **state)
{
    (void)state;
    assert_reads(NATIVE, "Q enq(1) P1", "0-never P1 Q enq(1) open\n");
}

static void terms_are_lower_case_and_tell_the_outcome(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "Q Deq() P1\nQ Empty() P1\nQ Enq(1) P1\nQ FAIL() P1\n"
                 "Q Enq(2) P1\nQ Info() P1\nQ Enq(3) P1\nQ OK() P1\n",
                 "0-1 P1 Q Deq() ok empty(); 2-3 P1 Q Enq(1) fail; "
                 "4-5 P1 Q Enq(2) info; 6-7 P1 Q Enq(3) ok ok()\n");
}

static void any_other_word_is_a_term_too(void **state)
{
    (void)state;
    assert_reads(NATIVE, "Q push(1) P1\nQ Overflow(2,x) P1\n",
                 "0-1 P1 Q push(1) ok overflow(2,'x')\n");
}

static void values_have_types(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "Q f(0,-1,007,9223372036854775807,-9223372036854775808) 1",
                 "0-never 1 Q f(0,-1,7,9223372036854775807,"
                 "-9223372036854775808) open\n");
    assert_reads(NATIVE, "Q f(nil,true,false,Nil,TRUE,x,7up,-,+7,1.5) 1",
                 "0-never 1 Q f(nil,true,false,'Nil','TRUE','x','7up','-',"
                 "'+7','1.5') open\n");
    assert_reads(NATIVE, "Q f(\"7\",\"nil\",\"\",\"a b\",\"(/*,*/)\") 1",
                 "0-never 1 Q f('7','nil','','a b','(/*,*/)') open\n");
    assert_reads(NATIVE, "Q f(\"\\\"\\\\\\n\\t\\r\\x41\\x7a\") 1",
                 "0-never 1 Q f('\"\\\n\t\rAz') open\n");
}

static void a_word_and_its_quotation_are_the_same_value(void **state)
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    const char text[] = "Q f(word,\"word\") P1\n";
    (void)state;
    assert_int_equal(plumb_reader_open(&r, text, strlen(text), NATIVE,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    assert_true(plumb_value_equal(h.value[0], h.value[1]));
    plumb_history_release(&h);
    plumb_reader_close(r);
}

static void names_may_be_long_odd_or_quoted(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "a-rather-long-object a_rather_long_operation() process/1\n"
                 "a-rather-long-object a_rather_long_Term() process/1\n",
                 "0-1 process/1 a-rather-long-object a_rather_long_operation() "
                 "ok a_rather_long_term()\n");
    assert_reads(NATIVE,
                 "\"a b\" \"c d\"(1) \"e f\"\n\"a b\" \"G h\"() "
                 "\"e f\"\n",
                 "0-1 e f a b c d(1) ok G h()\n");
}

static void quoted_names_are_taken_as_they_stand(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "Q \"ok\"() P1\nQ \"fail\"() P1\nQ enq(1) P1\nQ \"enq\"() P1",
                 "0-1 P1 Q ok() ok fail(); 2-3 P1 Q enq(1) ok enq()\n");
}

static void blanks_are_free(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "\n \t\n  Q\tenq ( 1 , 2 )P1  \r\n\tQ   ok( )   P1\t \r\n",
                 "0-1 P1 Q enq(1,2) ok ok()\n");
}

static void blank_lines_separate_histories(void **state)
{
    (void)state;
    assert_reads(NATIVE, "\n\n\nQ a() P1\nQ ok() P1\n \t\r\n\n\nQ b() P1\n\n",
                 "0-1 P1 Q a() ok ok()\n0-never P1 Q b() open\n");
    assert_reads(NATIVE, "", "");
    assert_reads(NATIVE, " \n\n \n", "");
}

static void comments_are_white_space(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "/**/Q/* a\nb */enq/***/(/*/ */1/* , */)/*\n\n*/P1/* x */\n"
                 "/* only\n\n a comment */\nQ ok() P1",
                 "0-1 P1 Q enq(1) ok ok()\n");
}

static void comments_alone_make_no_history(void **state)
{
    (void)state;
    assert_reads(NATIVE, "/* nothing */\n\n/* at all */", "");
    assert_reads(NATIVE,
                 "/* This is simulation number 10 */\nQ a() P1\n\n"
                 "/* This history is not linearizable! */\n\n"
                 "/* This is simulation number 11 */\n\nQ b() P1\n"
                 "/* This history is linearizable. */\n\n",
                 "0-never P1 Q a() open\n0-never P1 Q b() open\n");
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    assert_reads(NATIVE, "\xef\xbb\xbfQ a() P1\n", "0-never P1 Q a() open\n");
}

static void origins_are_line_and_column(void **state)
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    const char text[] = "/* one\ntwo */ Q a() P1\n\n\n  Q b() P1\n Q ok() P1\n";
    (void)state;
    assert_int_equal(plumb_reader_open(&r, text, strlen(text), NATIVE,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    assert_int_equal(h.origin[0].line, 2);
    assert_int_equal(h.origin[0].column, 8);
    assert_int_equal(h.origin[1].line, 0);
    plumb_history_release(&h);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    assert_int_equal(h.origin[0].line, 5);
    assert_int_equal(h.origin[0].column, 3);
    assert_int_equal(h.origin[1].line, 6);
    assert_int_equal(h.origin[1].column, 2);
    plumb_history_release(&h);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_END);
    plumb_reader_close(r);
}

static void malformed_lines_are_located(void **state)
{
    static const char *const text_and_error[][2] = {
        { "Q\n", "1:2: operation or term expected after the object\n" },
        { "(1) P1\n", "1:1: object expected\n" },
        { "Q enq P1\n", "1:7: '(' expected after the operation or term\n" },
        { "Q (1) P1\n", "1:3: operation or term expected after the object\n" },
        { "Q enq(1 P1\n", "1:9: ',' or ')' expected after a value\n" },
        { "Q enq(1", "1:8: ',' or ')' expected after a value\n" },
        { "Q enq(1\n", "1:8: ',' or ')' expected after a value\n" },
        { "Q enq(", "1:7: value expected\n" },
        { "Q enq(1,) P1\n", "1:9: value expected\n" },
        { "Q enq(,1) P1\n", "1:7: value expected\n" },
        { "Q enq(1,,2) P1\n", "1:9: value expected\n" },
        { "Q enq(1)\n", "1:9: process expected after ')'\n" },
        { "Q enq(1) P1 P2\n",
          "1:13: end of line expected after the process\n" },
        { "Q f(9223372036854775808) P1\n",
          "1:5: number 9223372036854775808 does not fit in 64 bits\n" },
        { "Q f(-9223372036854775809) P1\n",
          "1:5: number -9223372036854775809 does not fit in 64 bits\n" },
        { "Q f(\"abc) P1\n", "1:5: unterminated string\n" },
        { "Q f(\"abc\\", "1:9: unknown escape: only \\\" \\\\ \\n \\t \\r "
                         "\\xHH are known\n" },
        { "Q f(\"a\\q\") P1\n", "1:7: unknown escape: only \\\" \\\\ \\n \\t "
                                "\\r \\xHH are known\n" },
        { "Q f(\"\\x4\") P1\n", "1:6: unknown escape: only \\\" \\\\ \\n \\t "
                                "\\r \\xHH are known\n" },
        { "Q f(1) P1\n/* x", "2:1: unterminated comment\n" },
        { "Q f(1) /* x\ny */ /* z", "2:6: unterminated comment\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof text_and_error / sizeof *text_and_error; i++)
        assert_reads(NATIVE, text_and_error[i][0], text_and_error[i][1]);
}

static void a_response_needs_a_call(void **state)
{
    (void)state;
    assert_reads(NATIVE, "Q enq(1) P1\nQ ok() P1\n  Q Ok() P1\n",
                 "3:3: this response has no matching call of process P1\n");
    assert_reads(NATIVE, "Q fail() P2\n",
                 "1:1: this response has no matching call of process P2\n");
}

static void a_response_names_the_object_of_its_call(void **state)
{
    (void)state;
    assert_reads(NATIVE, "Q enq(1) P1\nR ok() P1\n",
                 "2:1: this response has no matching call: it names object "
                 "\"R\", the open call object \"Q\"\n");
}

static void a_process_has_one_open_call(void **state)
{
    (void)state;
    assert_reads(
        NATIVE, "Q enq(1) P1\nQ enq(2) P1\n",
        "2:1: process P1 calls enq while its call on line 1 is still open\n");
    assert_reads(
        NATIVE, "Q Deq() P2\nQ ok(1) P2\nQ enq(1) P1\nQ deq() P1\n",
        "4:1: process P1 calls deq while its call on line 3 is still open\n");
}

static void the_255th_value_is_the_last(void **state)
{
    struct plumb_base_text t;
    (void)state;
    plumb_base_text_init(&t, NULL);
    plumb_base_text_add(&t, "Q f(0");
    for (int i = 1; i < 255; i++)
        plumb_base_text_add(&t, ",0");
    struct plumb_base_text good;
    plumb_base_text_init(&good, NULL);
    plumb_base_text_printf(&good, "%s) P1", t.data);
    plumb_base_text_add(&t, ",0) P1");
    assert_reads(NATIVE, t.data, "1:515: more than 255 values\n");
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    read_all(&out, NATIVE, good.data, good.size, NULL);
    assert_non_null(strstr(out.data, "open"));
    plumb_base_text_release(&out);
    plumb_base_text_release(&good);
    plumb_base_text_release(&t);
}

static void reading_goes_on_after_a_blank_line(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "Q a( P1\nQ b() P1\n\nQ c() P1\n\nQ d( P1\n \n\nQ e() P1\n",
                 "1:8: ',' or ')' expected after a value\n"
                 "0-never P1 Q c() open\n"
                 "6:8: ',' or ')' expected after a value\n"
                 "0-never P1 Q e() open\n");
}

static void blank_lines_in_comments_are_none_after_errors_either(void **state)
{
    (void)state;
    assert_reads(NATIVE,
                 "Q a( P1\n/* a\n\nQ no() P1 */ Q f(\"/*\")P1\n \nQ b() P1",
                 "1:8: ',' or ')' expected after a value\n"
                 "0-never P1 Q b() open\n");
    assert_reads(NATIVE, "Q a(\"x\\\n\nQ b() P1",
                 "1:7: unknown escape: only \\\" \\\\ \\n \\t \\r \\xHH are "
                 "known\n0-never P1 Q b() open\n");
}

static void an_endless_comment_swallows_the_rest(void **state)
{
    (void)state;
    assert_reads(NATIVE, "Q a() P1 /* x\n\nQ b() P1",
                 "1:10: unterminated comment\n");
    assert_reads(NATIVE, "\n\n\n/* x\n\nQ b() P1",
                 "4:1: unterminated comment\n");
    assert_reads(NATIVE, "Q a( P1\n/* x\n\nQ b() P1",
                 "1:8: ',' or ')' expected after a value\n");
}

static void lack_of_memory_is_reported(void **state)
{
    const char text[] = "Q enq(a,\"b\",cccccccccccccccccccc) P1\n"
                        "Q a_very_long_name_indeed(1) P2\n"
                        "Q ok(\"d\") P1\nQ done() P2\n\nR a() 1\nR ok() 1\n";
    (void)state;
    assert_survives_lack_of_memory(NATIVE, text, strlen(text));
}

static void what_is_written_reads_back(void **state)
{
    const char text[] =
        "Q enq(1,-5,nil,true,false,\"nil\",\"-5\",\"-\",word) P1\n"
        "Q \"enq\"(\"a b\",\"\",\"/*\",\"a/b\",\"\\x00\\x01\\xff\\n\\\"\") P1\n"
        "\"\" \"\"(\"\") \"P 1\"\n"
        "Q \"OK\"() P1\n"
        "\"\" \"Enq\"() \"P 1\"\n"
        "Q \"fail\"() P1\nQ deq() P1\nQ info() P1\n"
        "Q deq() P1\nQ fail() P1\nQ deq() P1\nQ \"info\"() P1\n"
        "Q deq() P1\nQ none() P1\nQ deq() P1\nQ odd(7) P1\n"
        "Q open() P1\n\n"
        "\"\\xef\\xbb\\xbf\" a() P1\n";
    (void)state;
    assert_survives(NATIVE, text, strlen(text), NATIVE);
}

static void plain_text_is_written_plainly(void **state)
{
    const char text[] = "Q enq(1) P1\nQ deq() P2\nQ ok() P1\nQ empty() P2\n"
                        "Q size() P1\nQ large(word,\"a b\") P1\n"
                        "Q enq(2) P1\nQ fail() P1\nQ enq(3) P1\nQ info() P1\n\n"
                        "R \"ok\"(\"7\",\"true\") 1\nR \"Big\"() 1\n";
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    struct plumb_base_text out;
    (void)state;
    plumb_base_text_init(&out, NULL);
    convert(NATIVE, text, strlen(text), NATIVE, &out, losses);
    assert_string_equal(plumb_base_text_string(&out), text);
    assert_int_equal(losses[PLUMB_LOSS_SPEC] + losses[PLUMB_LOSS_EMPTY], 0);
    plumb_base_text_release(&out);
}

static void an_empty_history_and_a_spec_are_lost(void **state)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_base_text out;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    const struct plumb_sink sink = { append_to_text, &out };
    (void)state;
    plumb_base_text_init(&out, NULL);
    plumb_builder_spec(b, plumb_builder_symbol(b, "queue", 5));
    assert_int_equal(plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, &h, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_history_write(&h, NATIVE, 0, &sink, losses, &err),
                     PLUMB_OK);
    assert_int_equal(out.size, 0);
    assert_int_equal(losses[PLUMB_LOSS_SPEC], 1);
    assert_int_equal(losses[PLUMB_LOSS_EMPTY], 1);
    plumb_history_release(&h);
    plumb_base_text_release(&out);
    plumb_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_become_operations),
        cmocka_unit_test(a_call_without_response_is_open),
        cmocka_unit_test(terms_are_lower_case_and_tell_the_outcome),
        cmocka_unit_test(any_other_word_is_a_term_too),
        cmocka_unit_test(values_have_types),
        cmocka_unit_test(a_word_and_its_quotation_are_the_same_value),
        cmocka_unit_test(names_may_be_long_odd_or_quoted),
        cmocka_unit_test(quoted_names_are_taken_as_they_stand),
        cmocka_unit_test(blanks_are_free),
        cmocka_unit_test(blank_lines_separate_histories),
        cmocka_unit_test(comments_are_white_space),
        cmocka_unit_test(comments_alone_make_no_history),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(origins_are_line_and_column),
        cmocka_unit_test(malformed_lines_are_located),
        cmocka_unit_test(a_response_needs_a_call),
        cmocka_unit_test(a_response_names_the_object_of_its_call),
        cmocka_unit_test(a_process_has_one_open_call),
        cmocka_unit_test(the_255th_value_is_the_last),
        cmocka_unit_test(reading_goes_on_after_a_blank_line),
        cmocka_unit_test(blank_lines_in_comments_are_none_after_errors_either),
        cmocka_unit_test(an_endless_comment_swallows_the_rest),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(plain_text_is_written_plainly),
        cmocka_unit_test(an_empty_history_and_a_spec_are_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
