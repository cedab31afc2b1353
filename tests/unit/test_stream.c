/* test_stream.c - a history in pieces is the same history. */
#include "histories.h"

#include "base/rng.h"
#include "history/stream.h"

/* Calls and responses of four threads, as they happen. */
static void tell(struct plumb_text *t, struct plumb_rng *rng,
                 enum plumb_format format, unsigned events)
{
    bool open[4] = { false };
    for (unsigned i = 0; i < events; i++) {
        const unsigned p = plumb_rng_below(rng, 4);
        if (format == PLUMB_FORMAT_CALLRET)
            plumb_text_printf(
                t, open[p] ? "[%u] return %u\n" : "[%u] call push %u\n", p + 1,
                i);
        else if (format == PLUMB_FORMAT_JSONL)
            plumb_text_printf(
                t,
                open[p] ? "{\"process\":%u,\"type\":\"ok\",\"results\":[%u]}\n"
                        : "{\"process\":%u,\"type\":\"invoke\",\"f\":\"enq\","
                          "\"args\":[%u]}\n",
                p, i);
        else
            plumb_text_printf(t, open[p] ? "Q ok(%u) P%u\n" : "Q enq(%u) P%u\n",
                              i, p);
        open[p] = !open[p];
    }
}

/* "c0 1 r0 1 2": thread, the argument, and of a response the result. */
static void show_log(const struct plumb_builder *b, struct plumb_text *out)
{
    size_t count;
    const uint32_t *const log = plumb_builder_log(b, &count);
    for (size_t i = 0; i < count; i++) {
        const struct plumb_op *const o = b->a->op + log[i] / 2;
        const struct plumb_value *const v = b->a->value + o->values;
        plumb_text_printf(out, "%s%u", log[i] % 2 ? "r" : "c", o->thread);
        for (unsigned k = 0; k < o->nargs + (log[i] % 2) * o->nres; k++)
            plumb_text_printf(out, " %lld", (long long)v[k].bits);
        plumb_text_add(out, ";");
    }
}

/* In pieces of about `size` bytes, settled after each. */
static void read_in_pieces(const struct plumb_text *text,
                           enum plumb_format format, size_t size,
                           struct plumb_text *seen)
{
    struct plumb_stream s;
    struct plumb_error err;
    plumb_stream_init(&s, format, NULL);
    for (size_t at = 0; at < text->size;) {
        size_t end = at + size < text->size ? at + size : text->size;
        while (end < text->size && text->data[end - 1] != '\n')
            end++;
        if (plumb_stream_feed(&s, text->data + at, end - at, &err) != PLUMB_OK)
            fail_msg("%s", err.message);
        show_log(plumb_stream_builder(&s), seen);
        plumb_builder_settle(plumb_stream_builder(&s));
        assert_true(plumb_builder_count(plumb_stream_builder(&s)) <= 4);
        at = end;
    }
    plumb_stream_release(&s);
}

static void pieces_make_the_whole(void **state)
{
    (void)state;
    static const enum plumb_format format[] = { PLUMB_FORMAT_NATIVE,
                                                PLUMB_FORMAT_CALLRET,
                                                PLUMB_FORMAT_JSONL };
    struct plumb_rng rng;
    plumb_rng_seed(&rng, 3);
    for (unsigned f = 0; f < 3; f++) {
        struct plumb_text text, whole;
        plumb_text_init(&text, NULL);
        plumb_text_init(&whole, NULL);
        tell(&text, &rng, format[f], 400);
        read_in_pieces(&text, format[f], text.size, &whole);
        assert_true(whole.size > 1000);
        for (size_t size = 1; size < text.size; size = 2 * size + 1) {
            struct plumb_text seen;
            plumb_text_init(&seen, NULL);
            read_in_pieces(&text, format[f], size, &seen);
            assert_string_equal(plumb_text_string(&seen),
                                plumb_text_string(&whole));
            plumb_text_release(&seen);
        }
        plumb_text_release(&text);
        plumb_text_release(&whole);
    }
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    struct plumb_stream s;
    struct plumb_error err;
    plumb_stream_init(&s, PLUMB_FORMAT_AUTO, NULL);
    static const char good[] = "Q enq(1) A\nQ ok() A\n", bad[] = "Q deq( A\n";
    assert_int_equal(plumb_stream_feed(&s, good, sizeof good - 1, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_stream_feed(&s, bad, sizeof bad - 1, &err),
                     PLUMB_EINPUT);
    assert_int_equal(err.line, 3);
    plumb_stream_release(&s);
}

static void intervals_are_no_stream(void **state)
{
    (void)state;
    struct plumb_stream s;
    struct plumb_error err;
    static const char *const text[] = {
        "# queue\nenq 1 1 2\n",
        "{\"process\":1,\"f\":\"enq\",\"args\":[1],\"call\":1,\"return\":2}\n"
    };
    for (unsigned i = 0; i < 2; i++) {
        plumb_stream_init(&s, PLUMB_FORMAT_AUTO, NULL);
        assert_int_equal(plumb_stream_feed(&s, text[i], strlen(text[i]), &err),
                         PLUMB_EINPUT);
        assert_non_null(strstr(err.message, "order of time"));
        plumb_stream_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(intervals_are_no_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
