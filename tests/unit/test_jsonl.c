/* test_jsonl.c - JSON lines, read and written. */
#include "histories.h"

#define JSONL PLUMB_FORMAT_JSONL

static void events_become_operations(void **state)
{
    (void)state;
    assert_reads(
        JSONL,
        "{\"plumb\":1,\"spec\":\"queue:cap=4\"}\n"
        "{\"type\":\"invoke\",\"process\":\"P1\",\"object\":\"Q\",\"f\":"
        "\"enq\",\"args\":[1]}\n"
        "{\"type\":\"invoke\",\"process\":\"P2\",\"object\":\"Q\",\"f\":"
        "\"deq\"}\n"
        "{\"type\":\"ok\",\"process\":\"P2\",\"object\":\"Q\",\"term\":"
        "\"empty\",\"results\":[]}\n"
        "{\"type\":\"info\",\"process\":\"P1\"}\n",
        "0-3 P1 Q enq(1) info; 1-2 P2 Q deq() ok empty() spec queue:cap=4\n");
}

static void most_keys_have_defaults(void **state)
{
    (void)state;
    assert_reads(JSONL,
                 "{\"f\":\"deq\",\"process\":7,\"type\":\"invoke\"}\n"
                 "\n \r\n"
                 " { \"process\" : \"7\" , \"type\" : \"ok\" } \r\n"
                 "{\"f\":\"a\",\"process\":7,\"type\":\"invoke\"}\n"
                 "{\"process\":7,\"type\":\"fail\",\"f\":\"a\"}",
                 "0-1 7 object deq() ok ok(); 2-3 7 object a() fail\n");
}

static void a_header_begins_a_history(void **state)
{
    (void)state;
    assert_reads(JSONL,
                 "{\"type\":\"invoke\",\"process\":1,\"f\":\"a\"}\n"
                 "{\"plumb\":1}\n"
                 "{\"plumb\":1,\"spec\":\"set\"}\n"
                 "{\"type\":\"invoke\",\"process\":1,\"f\":\"b\"}\n",
                 "0-never 1 object a() open\n\n"
                 "0-never 1 object b() open spec set\n");
    assert_reads(JSONL, "", "");
    assert_reads(JSONL, "\n\n", "");
}

static void unknown_keys_are_ignored(void **state)
{
    (void)state;
    assert_reads(JSONL,
                 "{\"x\":[1,{\"y\":null,\"z\":[]},{}],\"type\":\"invoke\","
                 "\"v\":-1.5e+3,\"process\":1,\"w\":\"\\u00e4\",\"f\":\"a\","
                 "\"t\":true}\n",
                 "0-never 1 object a() open\n");
}

#define F(args)                                                                \
    "{\"type\":\"invoke\",\"process\":1,\"f\":\"f\",\"args\":" args "}"

static void values_have_types(void **state)
{
    (void)state;
    assert_reads(JSONL, F("[0,-0,-1,9223372036854775807,-9223372036854775808]"),
                 "0-never 1 object f(0,0,-1,9223372036854775807,"
                 "-9223372036854775808) open\n");
    assert_reads(JSONL, F("[null,true,false,\"nil\",\"7\",\"\"]"),
                 "0-never 1 object f(nil,true,false,'nil','7','') open\n");
}

static void escapes_are_understood(void **state)
{
    (void)state;
    assert_reads(JSONL, F("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
                 "0-never 1 object f('\"\\/\b\f\n\r\t') open\n");
    assert_reads(JSONL, F("[\"\\u0041\\u00e4\\u20AC\\ud83d\\ude00\"]"),
                 "0-never 1 object f('A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80') "
                 "open\n");
    assert_reads(JSONL, F("[\"\\udcff\\udc80x\"]"),
                 "0-never 1 object f('\xff\x80x') open\n");
    assert_reads(JSONL, F("[\"\xff\"]"), "0-never 1 object f('\xff') open\n");
}

static void whole_operations_are_ordered_by_time(void **state)
{
    (void)state;
    assert_reads(
        JSONL,
        "{\"process\":\"A\",\"f\":\"deq\",\"results\":[1],\"call\":5,"
        "\"return\":9}\n"
        "{\"process\":\"B\",\"f\":\"enq\",\"args\":[1],\"call\":-3,"
        "\"return\":5}\n"
        "{\"process\":\"B\",\"f\":\"deq\",\"call\":5,\"return\":5,\"type\":"
        "\"fail\"}\n",
        "0-2 B object enq(1) ok ok(); 1-5 A object deq() ok ok(1); "
        "3-4 B object deq() fail\n");
}

static void processes_are_made_up_for_all_or_none(void **state)
{
    (void)state;
    assert_reads(JSONL,
                 "{\"f\":\"enq\",\"args\":[2],\"call\":6,\"return\":null}\n"
                 "{\"f\":\"enq\",\"args\":[3],\"call\":6}\n",
                 "0-never P1 object enq(2) open; "
                 "1-never P2 object enq(3) open\n");
    assert_reads(JSONL,
                 "{\"f\":\"enq\",\"call\":6}\n"
                 "{\"process\":\"P1\",\"f\":\"enq\",\"call\":6}\n",
                 "2:1: some operations have a process, some have none; give it "
                 "to all or to none\n");
}

static void time_may_stand_still_but_not_run_backwards(void **state)
{
    (void)state;
    assert_reads(JSONL,
                 "{\"type\":\"invoke\",\"process\":1,\"f\":\"a\",\"time\":5}\n"
                 "{\"type\":\"ok\",\"process\":1,\"time\":5}\n"
                 "{\"type\":\"invoke\",\"process\":1,\"f\":\"a\",\"time\":4}\n",
                 "3:45: time runs backwards\n");
}

static void mistakes_are_located(void **state)
{
    static const char *const text_and_error[][2] = {
        { "[]", "1:1: '{' expected\n" },
        { "{\"plumb\":1} x", "1:13: text after the object\n" },
        { "{\"plumb\":1", "1:11: ',' or '}' expected\n" },
        { "{\"plumb\" 1}", "1:10: ':' expected after a key\n" },
        { "{\"plumb\":1,}", "1:12: string expected\n" },
        { "{\"plumb\":2}",
          "1:10: only version 1 of this format is supported\n" },
        { "{\"plumb\":1,\"f\":\"x\"}",
          "1:16: key \"f\" does not belong in a header\n" },
        { "{}", "1:1: key \"f\" is missing in a whole operation\n" },
        { "{\"type\":\"ok\",\"type\":\"ok\"}",
          "1:14: duplicate key \"type\"\n" },
        { "{\"type\":\"nemesis\"}",
          "1:9: the type must be invoke, ok, fail or info\n" },
        { " {\"type\":\"invoke\",\"process\":1}",
          "1:2: key \"f\" is missing in an invocation\n" },
        { "{\"type\":\"ok\",\"process\":1,\"args\":[]}",
          "1:33: key \"args\" does not belong in a response\n" },
        { "{\"type\":\"fail\",\"process\":1,\"results\":[]}",
          "1:38: key \"results\" does not belong in a response that is not "
          "ok\n" },
        { "{\"type\":\"ok\",\"process\":1.5}",
          "1:24: number is not an integer\n" },
        { "{\"type\":\"ok\",\"process\":null}",
          "1:24: string or integer expected\n" },
        { "{\"type\":\"ok\",\"process\":1}",
          "1:1: this response has no matching call of process 1\n" },
        { "{\"f\":\"a\",\"call\":5,\"return\":4}",
          "1:1: a ends before it starts\n" },
        { "{\"f\":\"a\",\"call\":5,\"results\":[]}",
          "1:1: only an operation that returned ok can have results\n" },
        { "{\"f\":\"a\",\"call\":5,\"type\":\"ok\"}",
          "1:1: an operation with a type needs a return time\n" },
        { F("1"), "1:45: '[' expected\n" },
        { F("[1.0]"), "1:46: number is not an integer\n" },
        { F("[1e3]"), "1:46: number is not an integer\n" },
        { F("[01]"), "1:46: bad number\n" },
        { F("[-]"), "1:46: bad number\n" },
        { F("[[]]"), "1:46: arrays and objects are not supported as values\n" },
        { F("[{}]"), "1:46: arrays and objects are not supported as values\n" },
        { F("[x]"), "1:46: value expected\n" },
        { F("[1,]"), "1:48: value expected\n" },
        { F("[1 2]"), "1:48: ',' or ']' expected\n" },
        { F("[9223372036854775808]"),
          "1:46: number 9223372036854775808 does not fit in 64 bits\n" },
        { F("[\"\\q\"]"), "1:48: unknown escape in a string\n" },
        { F("[\"\\u12\"]"), "1:47: \\u needs four hexadecimal digits\n" },
        { F("[\"\\ud83d\"]"), "1:47: lone surrogate\n" },
        { F("[\"\\ud83d\\u0041\"]"), "1:47: lone surrogate\n" },
        { F("[\"\\udc00\"]"), "1:47: lone surrogate\n" },
        { F("[\"a\tb\"]"), "1:48: control character in a string\n" },
        { F("[\"a"), "1:46: unterminated string\n" },
        { "{\"a\n\":1}", "1:2: unterminated string\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof text_and_error / sizeof *text_and_error; i++)
        assert_reads(JSONL, text_and_error[i][0], text_and_error[i][1]);
}

static void histories_are_of_one_kind(void **state)
{
    (void)state;
    assert_reads(JSONL, "{\"f\":\"a\",\"call\":5,\"return\":6}\n" F("[]") "\n",
                 "2:1: a history cannot mix events and whole operations\n");
    assert_reads(JSONL, F("[]") "\n{\"f\":\"a\",\"call\":5,\"return\":6}\n",
                 "2:1: a history cannot mix events and whole operations\n");
}

static void responses_match_their_calls(void **state)
{
    (void)state;
    assert_reads(JSONL, F("[]") "\n{\"type\":\"ok\",\"process\":1,\"f\":\"g\"}",
                 "2:30: this response names another operation than its call\n");
    assert_reads(
        JSONL, F("[]") "\n" F("[]") "\n",
        "2:1: process 1 calls f while its call on line 1 is still open\n");
}

static void reading_ends_at_an_error(void **state)
{
    (void)state;
    assert_reads(JSONL, "{\"plumb\":1}\n{\"plumb\":1}\nx\n{\"plumb\":1}\n",
                 "\n3:1: '{' expected\n");
}

static void deep_nesting_is_refused(void **state)
{
    char text[4096] = "{\"x\":";
    (void)state;
    memset(text + 5, '[', sizeof text - 6);
    assert_reads(JSONL, text, "1:70: nested too deeply\n");
}

static void lack_of_memory_is_reported(void **state)
{
    const char text[] = "{\"plumb\":1,\"spec\":\"q\\u0041\"}\n" F(
        "[\"a\",\"\\n\"]") "\n{\"plumb\":1}\n{\"f\":\"a\",\"call\":5}\n"
                           "{\"f\":\"a\",\"call\":3,\"return\":9}\n";
    (void)state;
    assert_survives_lack_of_memory(JSONL, text, strlen(text));
}

static void every_byte_survives(void **state)
{
    struct plumb_base_text t;
    (void)state;
    plumb_base_text_init(&t, NULL);
    plumb_base_text_add(&t, "{\"plumb\":1,\"spec\":\"x\\u0000y\"}\n"
                            "{\"type\":\"invoke\",\"process\":\"\",\"object\":"
                            "\"\",\"f\":\"\",\"args\":[");
    for (unsigned c = 0; c < 256; c++) {
        plumb_base_text_printf(&t, "%s\"%s\\u%04x\"", c ? "," : "",
                               c % 2 ? "x" : "", c < 0x80 ? c : 0xdc00 | c);
        if (c == 254)
            break;
    }
    plumb_base_text_add(
        &t, "]}\n{\"type\":\"ok\",\"process\":\"\",\"term\":\"\","
            "\"results\":[\"\\udcff\\u0000\\udced\\udca0\\udc80"
            "\\udcc0\\udcaf\\udcf4\\udc90\\udc80\\udc80\\udce2\\udc82"
            "\",\"\\ud83d\\ude00\\u20ac\"]}\n{\"plumb\":1}\n");
    assert_survives(JSONL, t.data, t.size, JSONL);
    assert_survives(JSONL, t.data, t.size, PLUMB_FORMAT_BINARY);
    plumb_base_text_release(&t);
}

static void output_is_valid_utf8_and_plain(void **state)
{
    const char text[] =
        "{\"plumb\":1,\"spec\":\"queue\"}\n"
        "{\"type\":\"invoke\",\"process\":\"P1\",\"object\":\"Q\",\"f\":"
        "\"enq\",\"args\":[1,null,true,\"a\\n\\u0001\\udcff\xc3\xa4\"]}\n"
        "{\"type\":\"ok\",\"process\":\"P1\",\"object\":\"Q\",\"term\":"
        "\"ok\",\"results\":[]}\n"
        "{\"plumb\":1}\n"
        "{\"type\":\"invoke\",\"process\":\"1\",\"object\":\"Q\",\"f\":"
        "\"deq\",\"args\":[]}\n"
        "{\"type\":\"fail\",\"process\":\"1\",\"object\":\"Q\"}\n";
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    struct plumb_base_text out;
    (void)state;
    plumb_base_text_init(&out, NULL);
    convert(JSONL, text, strlen(text), JSONL, &out, losses);
    assert_string_equal(plumb_base_text_string(&out), text);
    assert_int_equal(losses[PLUMB_LOSS_SPEC] + losses[PLUMB_LOSS_EMPTY], 0);
    plumb_base_text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_become_operations),
        cmocka_unit_test(most_keys_have_defaults),
        cmocka_unit_test(a_header_begins_a_history),
        cmocka_unit_test(unknown_keys_are_ignored),
        cmocka_unit_test(values_have_types),
        cmocka_unit_test(escapes_are_understood),
        cmocka_unit_test(whole_operations_are_ordered_by_time),
        cmocka_unit_test(processes_are_made_up_for_all_or_none),
        cmocka_unit_test(time_may_stand_still_but_not_run_backwards),
        cmocka_unit_test(mistakes_are_located),
        cmocka_unit_test(histories_are_of_one_kind),
        cmocka_unit_test(responses_match_their_calls),
        cmocka_unit_test(reading_ends_at_an_error),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(every_byte_survives),
        cmocka_unit_test(output_is_valid_utf8_and_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
