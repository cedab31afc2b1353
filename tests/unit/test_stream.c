/* test_stream.c - a history in pieces is the same history. */
#include "histories.h"

#include "base/rng.h"
#include "history/stream.h"
#include "pieces.h"

/* Calls and responses of four threads, as they happen. */
static void tell(struct plumb_base_text *t, struct plumb_base_rng *rng,
                 enum plumb_format format, unsigned events)
{
    bool open[4] = { false };
    for (unsigned i = 0; i < events; i++) {
        const unsigned p = plumb_base_rng_below(rng, 4);
        if (format == PLUMB_FORMAT_CALLRET)
            plumb_base_text_printf(
                t, open[p] ? "[%u] return %u\n" : "[%u] call push %u\n", p + 1,
                i);
        else if (format == PLUMB_FORMAT_JSONL)
            plumb_base_text_printf(
                t,
                open[p] ? "{\"process\":%u,\"type\":\"ok\",\"results\":[%u]}\n"
                        : "{\"process\":%u,\"type\":\"invoke\",\"f\":\"enq\","
                          "\"args\":[%u]}\n",
                p, i);
        else if (format == PLUMB_FORMAT_EDN)
            plumb_base_text_printf(
                t, "{:process %u, :type :%s,\n :f :enqueue, :value %u}", p,
                open[p] ? "ok" : "invoke", i);
        else if (format == PLUMB_FORMAT_JEPSEN)
            plumb_base_text_printf(t, "INFO %u\t:%s\t:enqueue\t%u\n", p,
                                   open[p] ? "ok" : "invoke", i);
        else
            plumb_base_text_printf(
                t, open[p] ? "Q ok(%u) P%u\n" : "Q enq(%u) P%u\n", i, p);
        open[p] = !open[p];
    }
}

/* "c0 1 r0 1 2": thread, the argument, and of a response the result. */
static void show_log(const struct plumb_builder *b, struct plumb_base_text *out)
{
    size_t count;
    const uint32_t *const log = plumb_history_builder_log(b, &count);
    for (size_t i = 0; i < count; i++) {
        const struct plumb_op *const o = b->a->op + log[i] / 2;
        const struct plumb_value *const v = b->a->value + o->values;
        plumb_base_text_printf(out, "%s%u", log[i] % 2 ? "r" : "c", o->thread);
        for (unsigned k = 0; k < o->nargs + (log[i] % 2) * o->nres; k++)
            plumb_base_text_printf(out, " %lld", (long long)v[k].bits);
        plumb_base_text_add(out, ";");
    }
}

static void feed(struct plumb_history_stream *s, const char *data, size_t size,
                 struct plumb_base_text *seen)
{
    struct plumb_error err;
    const enum plumb_status status =
        size ? plumb_history_stream_feed(s, data, size, &err)
             : plumb_history_stream_end(s, &err);
    if (status != PLUMB_OK)
        fail_msg("%s", err.message);
    struct plumb_builder *const b = plumb_history_stream_builder(s);
    if (!b || !b->a)
        return;
    show_log(b, seen);
    plumb_history_builder_settle(b);
    assert_true(plumb_builder_count(b) <= 4);
}

/* In pieces of `size` bytes, settled after each. */
static void read_in_pieces(const struct plumb_base_text *text,
                           enum plumb_format format, size_t size,
                           struct plumb_base_text *seen)
{
    struct plumb_history_stream s;
    plumb_history_stream_init(&s, format, NULL);
    for (size_t at = 0; at < text->size; at += size)
        feed(&s, text->data + at,
             text->size - at < size ? text->size - at : size, seen);
    feed(&s, NULL, 0, seen);
    plumb_history_stream_release(&s);
}

static void pieces_make_the_whole(void **state)
{
    (void)state;
    static const enum plumb_format format[] = {
        PLUMB_FORMAT_NATIVE, PLUMB_FORMAT_CALLRET, PLUMB_FORMAT_JSONL,
        PLUMB_FORMAT_EDN, PLUMB_FORMAT_JEPSEN
    };
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 3);
    for (unsigned f = 0; f < sizeof format / sizeof *format; f++) {
        struct plumb_base_text text, whole;
        plumb_base_text_init(&text, NULL);
        plumb_base_text_init(&whole, NULL);
        tell(&text, &rng, format[f], 400);
        read_in_pieces(&text, format[f], text.size, &whole);
        assert_true(whole.size > 1000);
        for (size_t size = 1; size < text.size; size = 2 * size + 1) {
            struct plumb_base_text seen;
            plumb_base_text_init(&seen, NULL);
            read_in_pieces(&text, format[f], size, &seen);
            assert_string_equal(plumb_base_text_string(&seen),
                                plumb_base_text_string(&whole));
            plumb_base_text_release(&seen);
        }
        plumb_base_text_release(&text);
        plumb_base_text_release(&whole);
    }
}

/* ---- every cut ---- */

static void assert_error(const struct reading *r, const char *expected)
{
    char got[512];
    snprintf(got, sizeof got, "%u:%u: %s", (unsigned)r->err.line,
             (unsigned)r->err.column, r->err.message);
    assert_int_equal(r->status, PLUMB_EINPUT);
    assert_string_equal(got, expected);
}

/* Cut at every place, it is as as a whole; or it is the error `expected`. */
static void cut(enum plumb_format format, const char *text,
                const char *expected)
{
    struct reading whole;
    const size_t size = strlen(text);
    read_whole(&whole, format, text, size);
    for (size_t at = 0; at <= size; at++) {
        struct reading pieces;
        read_pieces(&pieces, format, text, size, &(struct cuts){ 1, &at },
                    at % 2);
        const char *const what = difference(&whole, &pieces);
        if (what)
            fail_msg("cut at %zu: %s: %s", at, what, pieces.err.message);
        if (expected)
            assert_error(&pieces, expected);
        else
            assert_int_equal(pieces.status, PLUMB_OK);
        release_reading(&pieces);
    }
    release_reading(&whole);
}

#define ANOTHER                                                                \
    "a second history begins here; plumb monitor follows one, plumb check "    \
    "reads several"

static void native_text_is_cut_anywhere(void **state)
{
    (void)state;
    const enum plumb_format f = PLUMB_FORMAT_NATIVE;
    cut(f, "\xef\xbb\xbfQ enq(1) /* a\n\nb */ A\n/* c\n */ Q ok() A\n\n /**/\n",
        NULL);
    cut(f, "Q foo() A\nQ bar() B\nQ foo() A\n",
        "3:1: process A calls foo while its call on line 1 is still open");
    cut(f, "Q enq(1) A\nQ ok() A\n\n\n  Q enq(1) A\n", "5:3: " ANOTHER);
    cut(f, "Q enq(1) A\nQ ok() A\n\nodd\n", "4:1: " ANOTHER);
    cut(f, "Q enq(1) A /* b\n", "1:12: unterminated comment");
}

static void json_lines_are_cut_anywhere(void **state)
{
    (void)state;
    const enum plumb_format f = PLUMB_FORMAT_JSONL;
    cut(f,
        "\xef\xbb\xbf{\"plumb\":1}\n{\"type\":\"invoke\",\"process\":1,\"f\":"
        "\"x\"}\n\n"
        "{\"type\":\"ok\",\"process\":1}",
        NULL);
    cut(f,
        "{\"type\":\"invoke\",\"process\":1,\"f\":\"x\",\"time\":5}\n"
        "{\"type\":\"ok\",\"process\":1,\"time\":4}\n",
        "2:33: time runs backwards");
    cut(f,
        "{\"type\":\"invoke\",\"process\":1,\"f\":\"x\"}\n"
        "{\"process\":2,\"f\":\"x\",\"call\":1}\n",
        "2:1: a history cannot mix events and whole operations");
    cut(f,
        "{\"type\":\"invoke\",\"process\":1,\"f\":\"x\"}\n{\"plumb\":1}\n"
        "{\"type\":\"invoke\",\"process\":1,\"f\":\"x\"}\n",
        "2:1: " ANOTHER);
}

static void calls_and_returns_are_cut_anywhere(void **state)
{
    (void)state;
    const enum plumb_format f = PLUMB_FORMAT_CALLRET;
    cut(f,
        "# @object atomic-queue\n[a] call remove(xyz)\n[b] call remove(7)\n"
        "[a] return\n[c] call deq\n[c] return\n[b] return 7\n"
        "[a] call remove\n[a] return full\n",
        NULL);
    cut(f, "[a] call pop(x)\n[a] return y\n",
        "2:12: the return gives y, but the call names another value");
    cut(f, "# @object set\n[a] call remove(x)\n[a] call insert(x)\n",
        "3:1: process a calls insert while its call on line 2 is still open");
}

static void logs_of_jepsen_are_cut_anywhere(void **state)
{
    (void)state;
    const enum plumb_format f = PLUMB_FORMAT_JEPSEN;
    cut(f,
        "\xef\xbb\xbf"
        "1 :invoke :read\nchatter\n\nmore\n- 0 :invoke :enqueue :a\r\n- 0 :ok "
        ":enqueue \"a\"\r\n"
        "- 0 :invoke :dequeue nil\n:nemesis :info :start\n- 0 :ok :dequeue a",
        NULL);
    cut(f,
        "0 :invoke :read [1 nil]\n1 :invoke :write [2 x]\n"
        "0 :ok :read [1 nil]\n1 :ok :write [3 x]\n",
        "4:1: this response has no matching call: it names object \"3\", the "
        "open call object \"2\"");
    cut(f, "nothing\nat all\n", "1:1: no Jepsen operation lines");
}

#define MAP(process, type, rest)                                               \
    "{:process " process " :type :" type " :f :read " rest "}"

static void maps_are_cut_anywhere(void **state)
{
    (void)state;
    const enum plumb_format f = PLUMB_FORMAT_EDN;
    cut(f,
        "; one\n#_ #_ 1 {:a 2}[" MAP("0", "invoke", ":value [\"k ey\" nil]")
            MAP("1", "invoke", ":value [7\n nil]") "\n" MAP(
                "0", "ok", ":value [\"k ey\" \"}\"]") "; ]\n] #_[] ; so",
        NULL);
    cut(f,
        "#jepsen.history.Op" MAP("0", "invoke", ":time 3") "\r\n,," MAP(
            ":nemesis", "info",
            ":value {{} [}") "}]}" MAP("0", "ok", ":value \\a :time 3"),
        "2:55: } does not close the [ of line 2");
    cut(f, MAP("0", "invoke", ":time 3") MAP("0", "ok", ":time 2"),
        "1:81: time runs backwards in process 0");
    cut(f, "\n (" MAP("0", "invoke", "") "\n", "2:2: ( is never closed");
    cut(f, "[" MAP("0", "invoke", "") "]\n" MAP("0", "ok", ""),
        "2:1: " ANOTHER);
    cut(f, MAP("0", "invoke", "") " [" MAP("0", "ok", "") "]",
        "1:38: " ANOTHER);
    cut(f, MAP("0", "invoke", "") " \"no", "1:38: unterminated string");
}

/* It has to be read from lines that may say little. */
static void the_format_is_found_in_pieces(void **state)
{
    (void)state;
    const enum plumb_format f = PLUMB_FORMAT_AUTO;
    cut(f, "/* a\n */\nQ enq(1) A\nQ ok() A\n", NULL);
    cut(f, "INFO core(1) x y\n\n0 :invoke :read nil\n", NULL);
    cut(f, "# a\n# @object queue\n[1] call enq(1)\n", NULL);
    cut(f, "; Q enq(1) P1\n[\n " MAP("0", "invoke", "") "]", NULL);
    cut(f, "\n{\"type\":\"invoke\",\"process\":1,\"f\":\"x\"}", NULL);
}

static void nothing_is_no_history(void **state)
{
    (void)state;
    struct plumb_history_stream s;
    struct plumb_error err;
    plumb_history_stream_init(&s, PLUMB_FORMAT_AUTO, NULL);
    assert_int_equal(plumb_history_stream_end(&s, &err), PLUMB_END);
    plumb_history_stream_release(&s);
    plumb_history_stream_init(&s, PLUMB_FORMAT_AUTO, NULL);
    assert_int_equal(plumb_history_stream_feed(&s, "/* a */\n", 8, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_history_stream_end(&s, &err), PLUMB_END);
    plumb_history_stream_release(&s);
}

/* Every allocation may fail. */
static void lack_of_memory_is_survived(void **state)
{
    (void)state;
    static const char text[] =
        "[a] call pop(xyz)\n[b] call push(u)\n[a] return\n";
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    for (size_t nth = 1;; nth++) {
        struct plumb_history_stream s;
        struct plumb_error err;
        enum plumb_status status = PLUMB_OK;
        plumb_history_stream_init(&s, PLUMB_FORMAT_AUTO, budget);
        plumb_base_budget_fail_at(budget, nth);
        for (size_t i = 0; i + 1 < sizeof text && status == PLUMB_OK; i++)
            status = plumb_history_stream_feed(&s, text + i, 1, &err);
        if (status == PLUMB_OK)
            status = plumb_history_stream_end(&s, &err);
        const bool failed = plumb_base_budget_has_failed(budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        plumb_history_stream_release(&s);
        assert_int_equal(plumb_budget_used(budget), 0);
        if (!failed)
            break;
    }
    plumb_budget_free(budget);
}

static void intervals_are_no_stream(void **state)
{
    (void)state;
    struct plumb_history_stream s;
    struct plumb_error err;
    static const char *const text[] = {
        "# queue\nenq 1 1 2\n",
        "{\"process\":1,\"f\":\"enq\",\"args\":[1],\"call\":1,\"return\":2}\n"
    };
    for (unsigned i = 0; i < 2; i++) {
        plumb_history_stream_init(&s, PLUMB_FORMAT_AUTO, NULL);
        assert_int_equal(
            plumb_history_stream_feed(&s, text[i], strlen(text[i]), &err),
            PLUMB_EINPUT);
        assert_non_null(strstr(err.message, "not in time order"));
        plumb_history_stream_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(native_text_is_cut_anywhere),
        cmocka_unit_test(json_lines_are_cut_anywhere),
        cmocka_unit_test(calls_and_returns_are_cut_anywhere),
        cmocka_unit_test(logs_of_jepsen_are_cut_anywhere),
        cmocka_unit_test(maps_are_cut_anywhere),
        cmocka_unit_test(the_format_is_found_in_pieces),
        cmocka_unit_test(nothing_is_no_history),
        cmocka_unit_test(lack_of_memory_is_survived),
        cmocka_unit_test(intervals_are_no_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
