/* test_report_json.c - what programs are told, letter by letter, and that it
 * is JSON whatever bytes the values hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "report/json.h"
#include "story.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a strict reader: where a JSON value ends, or NULL ---- */

static const char *skip_value(const char *at);

static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u') {
            for (int i = 0; i < 4; i++)
                if (!isxdigit((unsigned char)*++at))
                    return NULL;
        } else if (!*at || !strchr("\"\\/bfnrt", *at)) {
            return NULL;
        }
    }
    return at + 1;
}

static const char *skip_members(const char *at, char end)
{
    if (*++at == end)
        return at + 1;
    for (;;) {
        if (end == '}') {
            at = *at == '"' ? skip_string(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = skip_value(at);
        if (!at || *at == end)
            return at ? at + 1 : NULL;
        if (*at++ != ',')
            return NULL;
    }
}

static const char *skip_value(const char *at)
{
    static const char *const words[] = { "null", "true", "false" };
    if (*at == '"')
        return skip_string(at);
    if (*at == '{' || *at == '[')
        return skip_members(at, *at == '{' ? '}' : ']');
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    const char *const start = at + (*at == '-');
    at = start + strspn(start, "0123456789");
    return at == start || (*start == '0' && at > start + 1) ? NULL : at;
}

static void check_json(const struct plumb_report_subject *subject, bool witness,
                       const char *expected)
{
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    const struct plumb_report_json_head head = { .command = "check",
                                                 .subject = subject->name };
    const struct plumb_report_json_detail detail = { .witness = witness };
    plumb_report_json(subject, &head, detail, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    const char *const end = skip_value(plumb_base_text_string(&t));
    assert_non_null(end);
    assert_string_equal(end, "\n");
    plumb_base_text_release(&t);
}

static void a_violation_has_its_core(void **state)
{
    (void)state;
    struct plumb_history h = story("A @q enq(1); A @q ok(); B @q deq(); C @q "
                                   "deq(); B @q ok(\"q\"); C @q ok(7)");
    static const uint32_t op[] = { 0, 1, 2 };
    static const uint8_t forgotten[] = { 0, 1, 0 };
    const struct plumb_answer answer = {
        .verdict = PLUMB_NOT_LINEARIZABLE,
        .algorithm = PLUMB_ALGORITHM_SEARCH,
        .parts = 1,
        .configurations = 5,
        .steps = 9,
        .maybe = 3,
        .sure = 5,
        .core = { .object = 0,
                  .cut = PLUMB_NEVER,
                  .count = 3,
                  .op = op,
                  .forgotten = forgotten },
        .minimal = true,
    };
    const struct plumb_report_subject subject = { .name = "q.hist#2",
                                                  .file = "q.hist",
                                                  .spec = "queue",
                                                  .history = &h,
                                                  .answer = &answer };
    check_json(
        &subject, false,
        "{\"format\":2,\"command\":\"check\",\"subject\":\"q.hist#2\","
        "\"verdict\":\"not "
        "linearizable\",\"status\":\"violation\",\"spec\":\"queue\","
        "\"algorithm\":\"search\","
        "\"operations\":3,\"threads\":3,\"parts\":1,\"configurations\":5,"
        "\"steps\":9,\"first_event\":{\"from\":4,\"to\":6},\"core\":{"
        "\"object\":\"q\",\"cut\":6,\"operations\":["
        "{\"letter\":\"a\",\"index\":0,\"thread\":\"A\",\"object\":\"q\","
        "\"name\":\"enq\",\"args\":[1],\"outcome\":\"ok\",\"term\":\"ok\","
        "\"results\":[],\"call\":0,\"return\":1,\"line\":1,\"return_line\":2,"
        "\"forgotten\":false},"
        "{\"letter\":\"b\",\"index\":1,\"thread\":\"B\",\"object\":\"q\","
        "\"name\":\"deq\",\"args\":[],\"outcome\":\"ok\",\"term\":\"ok\","
        "\"results\":[\"\\\"q\\\"\"],\"call\":2,\"return\":4,\"line\":3,"
        "\"return_line\":5,\"forgotten\":true},"
        "{\"letter\":\"c\",\"index\":2,\"thread\":\"C\",\"object\":\"q\","
        "\"name\":\"deq\",\"args\":[],\"outcome\":\"ok\",\"term\":\"ok\","
        "\"results\":[7],\"call\":3,\"return\":5,\"line\":4,\"return_line\":6,"
        "\"forgotten\":false}],\"minimal\":true,\"certificate\":0,"
        "\"why\":[\"c returned 7, which was never "
        "enqueued\"],\"stuck\":null}}\n");
    plumb_history_release(&h);
}

static void a_witness_is_given_if_asked_for(void **state)
{
    (void)state;
    struct plumb_history h = story("A enq(1); B deq(); B ok(1)");
    static const uint32_t order[] = { 0, 1 };
    const struct plumb_answer answer = { .verdict = PLUMB_LINEARIZABLE,
                                         .algorithm = PLUMB_ALGORITHM_WING_GONG,
                                         .parts = 1,
                                         .order = order,
                                         .order_count = 2 };
    const struct plumb_report_subject subject = {
        .name = "x", .spec = "queue", .history = &h, .answer = &answer
    };
#define HEAD                                                                   \
    "{\"format\":2,\"command\":\"check\",\"subject\":\"x\",\"verdict\":"       \
    "\"linearizable\",\"status\":\"pass\",\"spec\":"                           \
    "\"queue\",\"algorithm\":\"wing-gong\",\"operations\":2,\"threads\":2,"    \
    "\"parts\":1,\"configurations\":0,\"steps\":0"
    check_json(&subject, true, HEAD ",\"witness\":[0,1]}\n");
    check_json(&subject, false, HEAD "}\n");
    plumb_history_release(&h);
}

static void undecided_says_why_and_how_far(void **state)
{
    (void)state;
    struct plumb_history h = story("A enq(1); A ok()");
    const struct plumb_answer answer = { .verdict = PLUMB_UNDECIDED,
                                         .why = PLUMB_EMEMORY,
                                         .algorithm = PLUMB_ALGORITHM_SEARCH,
                                         .prefix = 1 };
    const struct plumb_report_subject subject = { .name = "x",
                                                  .history = &h,
                                                  .answer = &answer };
    check_json(&subject, true,
               "{\"format\":2,\"command\":\"check\",\"subject\":\"x\","
               "\"verdict\":\"undecided\",\"status\":\"undecided\","
               "\"spec\":null,\"algorithm\":\"search\",\"operations\":1,"
               "\"threads\":1,\"parts\":0,\"configurations\":0,\"steps\":0,"
               "\"reason\":\"memory\",\"prefix_events\":1}\n");
    plumb_history_release(&h);
}

static void an_error_has_its_place(void **state)
{
    (void)state;
    const struct plumb_error error = { PLUMB_EINPUT, 12, 4,
                                       "deq has no matching call" };
    const struct plumb_report_subject subject = { .name = "a\tb#1",
                                                  .file = "a\tb",
                                                  .error = &error };
    check_json(&subject, true,
               "{\"format\":2,\"command\":\"check\",\"subject\":\"a\\tb#1\","
               "\"verdict\":\"error\",\"status\":\"error\","
               "\"spec\":null,\"error\":{\"file\":\"a\\tb\",\"line\":12,"
               "\"column\":4,\"message\":\"deq has no matching call\"}}\n");
}

static void check_string(const char *text, size_t size, const char *expected)
{
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    plumb_report_json_string(text, size, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    check_string("a\0b", 3, "\"a\\u0000b\"");
    check_string("\x7f\r\n", 3, "\"\\u007f\\u000d\\n\"");
    check_string("h\xc3\xa9", 3, "\"h\xc3\xa9\"");
    check_string("\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\"");
    check_string("\xe2\x80\xa8", 3, "\"\\u2028\"");
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
    (void)state;
    check_string("\xff", 1, "\"\\ufffd\"");
    check_string("\xc3", 1, "\"\\ufffd\"");
    check_string("\xc0\xaf", 2, "\"\\ufffd\\ufffd\""); /* overlong */
    check_string("\xed\xa0\x80", 3,
                 "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
    check_string("\xf4\x90\x80\x80x", 5,
                 "\"\\ufffd\\ufffd\\ufffd\\ufffdx\""); /* beyond the last */
}

static void any_bytes_make_a_string(void **state)
{
    (void)state;
    struct plumb_base_rng r;
    struct plumb_base_text t;
    plumb_base_rng_seed(&r, 5);
    plumb_base_text_init(&t, NULL);
    for (int round = 0; round < 2000; round++) {
        char bytes[12];
        const size_t size = plumb_base_rng_below(&r, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)plumb_base_rng_next(&r);
        plumb_base_text_clear(&t);
        plumb_report_json_string(bytes, size, &t);
        const char *const end = skip_value(plumb_base_text_string(&t));
        assert_non_null(end);
        assert_int_equal(*end, '\0');
    }
    plumb_base_text_release(&t);
}

/* An independent judge, where there is one. */
static void python_reads_it(void **state)
{
    (void)state;
    if (system("python3 -c '' 2>/dev/null") != 0)
        skip();
    FILE *const python = popen("python3 -m json.tool >/dev/null", "w");
    struct plumb_history h =
        story("A w('\xff\"\\\n'); A ok('\xe2\x80\xa8',-9)");
    static const uint32_t op[] = { 0 };
    const struct plumb_answer answer = {
        .verdict = PLUMB_NOT_LINEARIZABLE,
        .core = { .cut = 2, .count = 1, .op = op },
    };
    const struct plumb_report_subject subject = { .name = "\x01",
                                                  .history = &h,
                                                  .answer = &answer };
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    const struct plumb_report_json_head head = { .command = "check",
                                                 .subject = "\x01" };
    const struct plumb_report_json_detail detail = { true, true };
    plumb_report_json(&subject, &head, detail, &t);
    fputs(plumb_base_text_string(&t), python);
    assert_int_equal(pclose(python), 0);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violation_has_its_core),
        cmocka_unit_test(a_witness_is_given_if_asked_for),
        cmocka_unit_test(undecided_says_why_and_how_far),
        cmocka_unit_test(an_error_has_its_place),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(any_bytes_make_a_string),
        cmocka_unit_test(python_reads_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
