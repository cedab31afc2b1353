/* test_format.c - formats by name and by sight; readers and sinks. */
#include "histories.h"

#include <errno.h>
#include <stdlib.h>

static const enum plumb_format all[] = {
    PLUMB_FORMAT_NATIVE,  PLUMB_FORMAT_JEPSEN,  PLUMB_FORMAT_EDN,
    PLUMB_FORMAT_CALLRET, PLUMB_FORMAT_FASTLIN, PLUMB_FORMAT_FPTLIN,
    PLUMB_FORMAT_JSONL,   PLUMB_FORMAT_BINARY,
};
enum { FORMATS = sizeof all / sizeof *all };

static void names_and_formats_are_one_to_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMATS; i++) {
        assert_non_null(plumb_format_name(all[i]));
        assert_int_equal(plumb_format_by_name(plumb_format_name(all[i])),
                         all[i]);
    }
    assert_null(plumb_format_name(PLUMB_FORMAT_AUTO));
    assert_int_equal(plumb_format_by_name("auto"), PLUMB_FORMAT_AUTO);
    assert_int_equal(plumb_format_by_name("Native"), PLUMB_FORMAT_AUTO);
}

static void losses_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < PLUMB_LOSSES; i++)
        assert_non_null(plumb_loss_name((enum plumb_loss)i));
    assert_null(plumb_loss_name(PLUMB_LOSSES));
}

static enum plumb_format sight(const char *text)
{
    return plumb_format_detect(text, strlen(text));
}

/* Editors put it there, and whoever reads does not see it. */
static void a_byte_order_mark_is_nothing(void **state)
{
    (void)state;
    static const struct {
        enum plumb_format format;
        const char *text, *expected;
    } cases[] = {
        { PLUMB_FORMAT_NATIVE, "Q enq(1) P1\n", "0-never P1 Q enq(1) open\n" },
        { PLUMB_FORMAT_JEPSEN, "0 :invoke :a\n",
          "0-never 0 object a() open\n" },
        { PLUMB_FORMAT_EDN, "{:process 0 :type :invoke :f :a}",
          "0-never 0 object a() open\n" },
        { PLUMB_FORMAT_CALLRET, "[1] call a", "0-never 1 object a() open\n" },
        { PLUMB_FORMAT_FASTLIN, "# stack\npush 1 1 2\n",
          "0-1 P1 object push(1) ok ok() spec stack\n" },
        { PLUMB_FORMAT_FPTLIN, "# stack\n0 1 2 PUSH 1\n",
          "0-1 0 object push(1) ok ok() spec stack\n" },
        { PLUMB_FORMAT_JSONL, "{\"type\":\"invoke\",\"process\":1,\"f\":\"a\"}",
          "0-never 1 object a() open\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, "\xef\xbb\xbf%s", cases[i].text);
        assert_int_equal(sight(text), cases[i].format);
        assert_reads(PLUMB_FORMAT_AUTO, text, cases[i].expected);
    }
}

static void native_text_is_recognised(void **state)
{
    (void)state;
    assert_int_equal(sight(""), PLUMB_FORMAT_NATIVE);
    assert_int_equal(plumb_format_detect(NULL, 0), PLUMB_FORMAT_NATIVE);
    assert_int_equal(sight("\n \n"), PLUMB_FORMAT_NATIVE);
    assert_int_equal(sight("Q enq(1) P1\n"), PLUMB_FORMAT_NATIVE);
    assert_int_equal(sight("\n/* a\n\n b */ Q  Enq ( 1"), PLUMB_FORMAT_NATIVE);
    assert_int_equal(sight("/* nothing else */"), PLUMB_FORMAT_NATIVE);
    assert_int_equal(sight("/* never closed"), PLUMB_FORMAT_NATIVE);
    assert_int_equal(sight("\"a b\" \"c\"()"), PLUMB_FORMAT_NATIVE);
}

static void json_lines_are_recognised(void **state)
{
    (void)state;
    assert_int_equal(sight("{\"plumb\":1}"), PLUMB_FORMAT_JSONL);
    assert_int_equal(sight("\n  { \"type\":\"invoke\""), PLUMB_FORMAT_JSONL);
    assert_int_equal(sight("\xef\xbb\xbf{\"f\":"), PLUMB_FORMAT_JSONL);
}

static void a_binary_file_is_recognised(void **state)
{
    (void)state;
    assert_int_equal(sight("\x89Plumb\r\n"), PLUMB_FORMAT_BINARY);
    assert_int_not_equal(sight("\x89Plumb\n"), PLUMB_FORMAT_BINARY);
}

static void what_looks_like_nothing_is_an_error(void **state)
{
    struct plumb_reader *r;
    struct plumb_error err;
    (void)state;
    assert_int_equal(sight("!!! ??? !!!\n"), PLUMB_FORMAT_AUTO);
    assert_int_equal(plumb_reader_open(&r, "!!!", 3, PLUMB_FORMAT_AUTO,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_EINPUT);
    assert_int_equal(err.line, 1);
}

static void no_detector_reads_beyond_the_data(void **state)
{
    static const char *const text[] = {
        "/* a */ Q enq(1) P1\n",
        "{\"plumb\":1}",
        "\x89Plumb\r\n\r\n",
        "\xef\xbb\xbf",
        "\"a\\",
        "INFO  jepsen.util - 0 :invoke :read nil",
        "[{:process 0, :type :invoke, :f :read}]",
        "[1] call push(2)",
        "# queue\nenq 1 2 3\n",
        "# queue\n0 1 2 ENQ 3\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (size_t size = 0; size <= strlen(text[i]); size++) {
            char *const exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, text[i], size);
            plumb_format_detect(exact, size);
            free(exact);
        }
}

static int refuse(void *context, const void *data, size_t size)
{
    size_t *const left = context;
    (void)data;
    errno = ENOSPC;
    if (size > *left)
        return -1;
    *left -= size;
    return 0;
}

static void read_one(const char *text, struct plumb_history *h)
{
    struct plumb_reader *r;
    struct plumb_error err;
    assert_int_equal(plumb_reader_open(&r, text, strlen(text),
                                       PLUMB_FORMAT_AUTO, PLUMB_TIES_OF_FORMAT,
                                       NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(r, h, &err), PLUMB_OK);
    plumb_reader_close(r);
}

static void a_full_disk_is_an_error(void **state)
{
    static const enum plumb_format writable[] = { PLUMB_FORMAT_NATIVE,
                                                  PLUMB_FORMAT_JSONL,
                                                  PLUMB_FORMAT_BINARY };
    struct plumb_history h;
    struct plumb_error err;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    (void)state;
    read_one("Q enq(1) P1\n", &h);
    for (size_t i = 0; i < 3; i++) {
        size_t left = 0;
        const struct plumb_sink sink = { refuse, &left };
        assert_int_equal(
            plumb_history_write(&h, writable[i], 0, &sink, losses, &err),
            PLUMB_EIO);
        assert_string_equal(
            err.message, "cannot write the history: No space left on device");
        left = 1 << 20;
        assert_int_equal(
            plumb_history_write(&h, writable[i], 0, &sink, losses, &err),
            PLUMB_OK);
    }
    plumb_history_release(&h);
}

static int count_blocks(void *context, const void *data, size_t size)
{
    size_t *const blocks = context;
    (void)data;
    (void)size;
    blocks[0]++;
    return 0;
}

static void sinks_see_large_blocks(void **state)
{
    struct plumb_base_text text;
    struct plumb_history h;
    struct plumb_error err;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    size_t blocks = 0;
    const struct plumb_sink sink = { count_blocks, &blocks };
    (void)state;
    plumb_base_text_init(&text, NULL);
    for (int i = 0; i < 20000; i++)
        plumb_base_text_add(&text, "Q enq(1) P1\nQ ok() P1\n");
    read_one(text.data, &h);
    assert_int_equal(
        plumb_history_write(&h, PLUMB_FORMAT_NATIVE, 0, &sink, losses, &err),
        PLUMB_OK);
    assert_in_range(blocks, 1, text.size / 60000 + 1);
    plumb_history_release(&h);
    plumb_base_text_release(&text);
}

static void foreign_formats_are_not_written(void **state)
{
    struct plumb_history h;
    struct plumb_error err;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    size_t blocks = 0;
    const struct plumb_sink sink = { count_blocks, &blocks };
    (void)state;
    read_one("Q enq(1) P1\n", &h);
    assert_int_equal(
        plumb_history_write(&h, PLUMB_FORMAT_JEPSEN, 0, &sink, losses, &err),
        PLUMB_EINPUT);
    assert_string_equal(err.message, "cannot write histories in format jepsen");
    assert_int_equal(
        plumb_history_write(&h, PLUMB_FORMAT_AUTO, 0, &sink, losses, &err),
        PLUMB_EINPUT);
    assert_int_equal(blocks, 0);
    plumb_history_release(&h);
}

static void writing_without_memory_is_an_error(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const char text[] = "Q enq(1) P1\nQ Done(\"a\") P1\n";
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    size_t blocks = 0, failures = 0;
    const struct plumb_sink sink = { count_blocks, &blocks };
    (void)state;
    assert_int_equal(plumb_reader_open(&r, text, strlen(text),
                                       PLUMB_FORMAT_NATIVE,
                                       PLUMB_TIES_OF_FORMAT, budget, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    plumb_reader_close(r);
    const size_t used = plumb_budget_used(budget);
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t nth = 1;; nth++) {
            plumb_base_budget_fail_at(budget, nth);
            const enum plumb_status status =
                plumb_history_write(&h, all[f], 0, &sink, losses, &err);
            assert_int_equal(plumb_budget_used(budget), used);
            if (status != PLUMB_EMEMORY)
                break;
            failures++;
        }
    assert_true(failures > 4);
    plumb_history_release(&h);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_formats_are_one_to_one),
        cmocka_unit_test(losses_have_names),
        cmocka_unit_test(a_byte_order_mark_is_nothing),
        cmocka_unit_test(native_text_is_recognised),
        cmocka_unit_test(json_lines_are_recognised),
        cmocka_unit_test(a_binary_file_is_recognised),
        cmocka_unit_test(what_looks_like_nothing_is_an_error),
        cmocka_unit_test(no_detector_reads_beyond_the_data),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(sinks_see_large_blocks),
        cmocka_unit_test(foreign_formats_are_not_written),
        cmocka_unit_test(writing_without_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
