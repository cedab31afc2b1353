/* test_renaming.c - streams whose strings and threads come and go. */
#include "effort.h"
#include "recordings.h"

#include "check/live/live.h"
#include "history/renaming.h"
#include "history/stream.h"

enum {
    STRIDE = TEST_EFFORT > 1 ? 3 : 1,
    ROUNDS = 200000,
    AT_ONCE = 1 << 15 /* bytes */
};

struct flow {
    struct plumb_budget *budget;
    struct plumb_history_stream stream;
    struct plumb_spec *spec;
    struct plumb_check_live *live;
    struct plumb_base_text text;
};

static void open_flow_of(struct flow *f, enum plumb_format format,
                         const char *spec)
{
    struct plumb_error err;
    f->budget = plumb_budget_new(0, 0);
    assert_non_null(f->budget);
    if (plumb_spec_parse(spec, &f->spec, &err) != PLUMB_OK)
        fail_msg("%s", err.message);
    plumb_history_stream_init(&f->stream, format, f->budget);
    f->live = plumb_check_live_open(f->spec, f->budget);
    assert_non_null(f->live);
    plumb_base_text_init(&f->text, NULL);
}

static void open_flow(struct flow *f, const char *spec)
{
    open_flow_of(f, PLUMB_FORMAT_NATIVE, spec);
}

static void close_flow(struct flow *f)
{
    plumb_base_text_release(&f->text);
    plumb_check_live_close(f->live);
    plumb_history_stream_release(&f->stream);
    plumb_spec_free(f->spec);
    assert_int_equal(plumb_budget_used(f->budget), 0);
    plumb_budget_free(f->budget);
}

/* What was told so far arrives. */
static void flush(struct flow *f)
{
    struct plumb_error err = { 0 };
    const char *const text = plumb_base_text_string(&f->text);
    enum plumb_status status =
        plumb_history_stream_feed(&f->stream, text, f->text.size, &err);
    if (status == PLUMB_OK)
        status = plumb_check_live_take(
            f->live, plumb_history_stream_builder(&f->stream), &err);
    if (status != PLUMB_OK)
        fail_msg("%s", err.message);
    plumb_base_text_release(&f->text);
    plumb_base_text_init(&f->text, NULL);
}

static void assert_fine(struct flow *f)
{
    flush(f);
    if (plumb_check_live_state(f->live)->verdict != PLUMB_LINEARIZABLE)
        fail_msg("after event %lu",
                 (unsigned long)plumb_check_live_state(f->live)->events);
}

/* An operation by a thread of its own, and its answer. */
static void tell(struct flow *f, unsigned thread, const char *call,
                 const char *answer)
{
    plumb_base_text_printf(&f->text, "X %s T%u\nX %s T%u\n", call, thread,
                           answer, thread);
}

/* Values 0, 1, 2, ... are put in and taken out again, a few at a time. */
struct kind {
    const char *spec;
    const char *put, *put_ok, *take, *take_ok; /* %u is the value */
    /* Said at first, and open until the end; of thread `slow`.  A register
     * keeps all values since. */
    const char *slow, *slow_ok;
    const char *first, *first_ok, *last, *last_ok; /* right at the end, too */
    const char *wrong, *wrong_ok;
};

static const struct kind kinds[] = {
    { "queue", "enq(v%u)", "ok()", "deq()", "ok(v%u)", "enq(late)", "ok()",
      "peek()", "empty()", "deq()", "ok(late)", "deq()", "ok(late)" },
    { "set", "insert(v%u)", "ok(true)", "delete(v%u)", "ok(true)",
      "insert(late)", "ok(true)", "insert(old)", "ok(true)", "member(late)",
      "ok(true)", "member(old)", "ok(false)" },
    { "multiset", "insert(v%u)", "ok()", "delete(v%u)", "ok(true)",
      "insert(late)", "ok()", "insert(old)", "ok()", "count(late)", "ok(1)",
      "count(old)", "ok(2)" },
    { "map", "put(v%u, x)", "ok()", "remove(v%u)", "ok(x)", "put(late, y)",
      "ok()", "put(old, z)", "ok()", "get(late)", "ok(y)", "get(old)",
      "none()" },
    { "register", "write(v%u)", "ok()", "read()", "ok(v%u)", NULL, NULL,
      "write(old)", "ok()", "write(new)", "ok()", "read()", "ok(old)" },
};

static void one_round(struct flow *f, const struct kind *k, unsigned i)
{
    char call[80], answer[80];
    snprintf(call, sizeof call, k->put, i);
    tell(f, 2 * i, call, k->put_ok);
    snprintf(call, sizeof call, k->take, i);
    snprintf(answer, sizeof answer, k->take_ok, i);
    tell(f, 2 * i + 1, call, answer);
    if (f->text.size > AT_ONCE)
        assert_fine(f);
}

static void follow(const struct kind *k)
{
    struct flow f;
    size_t early = 0;
    open_flow(&f, k->spec);
    tell(&f, 0, k->first, k->first_ok);
    if (k->slow)
        plumb_base_text_printf(&f.text, "X %s slow\n", k->slow);
    for (unsigned i = 0; i < ROUNDS; i++) {
        one_round(&f, k, i);
        if (i == ROUNDS / 4)
            early = plumb_budget_peak(f.budget);
    }
    if (k->slow)
        plumb_base_text_printf(&f.text, "X %s slow\n", k->slow_ok);
    tell(&f, 1, k->last, k->last_ok);
    assert_fine(&f);
    assert_true(plumb_history_stream_builder(&f.stream)->renamed > 3);
    if (plumb_budget_peak(f.budget) > early + early / 8)
        fail_msg("%s: %zu bytes, and then %zu", k->spec, early,
                 plumb_budget_peak(f.budget));
    tell(&f, 2, k->wrong, k->wrong_ok);
    flush(&f);
    assert_int_equal(plumb_check_live_state(f.live)->verdict,
                     PLUMB_NOT_LINEARIZABLE);
    struct plumb_base_text why;
    plumb_base_text_init(&why, NULL);
    plumb_check_live_explain(f.live, &why);
    printf("%s: %s\n", k->spec, plumb_base_text_string(&why));
    assert_null(strchr(plumb_base_text_string(&why), '?'));
    plumb_base_text_release(&why);
    close_flow(&f);
}

static void what_is_settled_is_forgotten(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += STRIDE)
        follow(kinds + i);
}

/* ---- formats ---- */

/* A process puts the text %u into a queue and takes it out again; and one puts
 * `late` there at first, and comes back at the end.  Its name and the text have
 * to be known for all the time. */
struct format {
    enum plumb_format format;
    const char *slow, *round, *slow_ok, *good, *wrong;
};

#define V "value number %u of many"

static const struct format formats[] = {
    { PLUMB_FORMAT_NATIVE, "q enq(late) slow\n",
      "q enq(\"" V "\") p\nq ok() p\nq deq() p\nq ok(\"" V "\") p\n",
      "q ok() slow\n", "q deq() p\nq ok(late) p\n",
      "q deq() p\nq ok(late) p\n" },
    { PLUMB_FORMAT_JSONL,
      "{\"process\":7,\"type\":\"invoke\",\"f\":\"enq\",\"args\":[\"late\"]}\n",
      "{\"process\":1,\"type\":\"invoke\",\"f\":\"enq\",\"args\":[\"" V "\"]}\n"
      "{\"process\":1,\"type\":\"ok\"}\n"
      "{\"process\":1,\"type\":\"invoke\",\"f\":\"deq\"}\n"
      "{\"process\":1,\"type\":\"ok\",\"results\":[\"" V "\"]}\n",
      "{\"process\":7,\"type\":\"ok\"}\n",
      "{\"process\":1,\"type\":\"invoke\",\"f\":\"deq\"}\n"
      "{\"process\":1,\"type\":\"ok\",\"results\":[\"late\"]}\n",
      "{\"process\":1,\"type\":\"invoke\",\"f\":\"deq\"}\n"
      "{\"process\":1,\"type\":\"ok\",\"results\":[\"late\"]}\n" },
    { PLUMB_FORMAT_JEPSEN, "7 :invoke :enqueue late\n",
      "1 :invoke :enqueue \"" V "\"\n1 :ok :enqueue \"" V "\"\n"
      "1 :invoke :dequeue nil\n1 :ok :dequeue \"" V "\"\n",
      "7 :ok :enqueue late\n", "1 :invoke :dequeue nil\n1 :ok :dequeue late\n",
      "1 :invoke :dequeue nil\n1 :ok :dequeue late\n" },
    { PLUMB_FORMAT_EDN, "[{:process 7 :type :invoke :f :enqueue :value :late}",
      "{:process 1 :type :invoke :f :enqueue :value \"" V "\"}\n"
      "{:process 1 :type :ok :f :enqueue :value \"" V "\"}"
      "{:process 1 :type :invoke :f :dequeue}"
      "{:process 1 :type :ok :f :dequeue :value \"" V "\"}",
      "{:process 7 :type :ok :f :enqueue :value :late}",
      "{:process 1 :type :invoke :f :dequeue}"
      "{:process 1 :type :ok :f :dequeue :value :late}",
      "{:process 1 :type :invoke :f :dequeue}"
      "{:process 1 :type :ok :f :dequeue :value :late}]" },
    /* here it takes out */
    { PLUMB_FORMAT_CALLRET, "[slow] call deq(late)\n",
      "[p] call enq(v%u)\n[p] return\n[p] call deq\n[p] return v%u\n",
      "[p] call enq(late)\n[p] return\n[slow] return\n",
      "[p] call deq\n[p] return\n", "[p] call deq\n[p] return late\n" },
};

static void follow_format(const struct format *k)
{
    enum { SOME = ROUNDS / 2 };
    struct flow f;
    open_flow_of(&f, k->format, "queue");
    plumb_base_text_add(&f.text, k->slow);
    for (unsigned i = 0; i < SOME; i++) {
        char line[512];
        snprintf(line, sizeof line, k->round, i, i, i);
        plumb_base_text_add(&f.text, line);
        if (f.text.size > AT_ONCE)
            assert_fine(&f);
    }
    plumb_base_text_add(&f.text, k->slow_ok);
    plumb_base_text_add(&f.text, k->good);
    assert_fine(&f);
    assert_true(plumb_history_stream_builder(&f.stream)->renamed > 0);
    plumb_base_text_add(&f.text, k->wrong);
    flush(&f);
    assert_int_equal(plumb_check_live_state(f.live)->verdict,
                     PLUMB_NOT_LINEARIZABLE);
    close_flow(&f);
}

static void every_format_can_forget(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i += STRIDE)
        follow_format(formats + i);
}

/* ---- objects ---- */

/* Beside those that come and go there is one with something in it, and one with
 * a lost operation, which may take effect long after. */
struct objects {
    const char *spec;
    const char *put, *put_ok, *take, *take_ok;
    const char *lost;
    const char *then[3][2]; /* right only because of that */
    const char *wrong, *wrong_ok;
};

static const struct objects objects[] = {
    { "queue",
      "enq(v)",
      "ok()",
      "deq()",
      "ok(v)",
      "deq()",
      { { "enq(a)", "ok()" }, { "enq(b)", "ok()" }, { "deq()", "ok(b)" } },
      "deq()",
      "ok(v)" },
    { "set",
      "insert(v)",
      "ok(true)",
      "delete(v)",
      "ok(true)",
      "insert(a)",
      { { "insert(b)", "ok(true)" }, { "member(a)", "ok(true)" } },
      "member(v)",
      "ok(true)" },
    { "multiset",
      "insert(v)",
      "ok()",
      "delete(v)",
      "ok(true)",
      "insert(a)",
      { { "insert(b)", "ok()" }, { "count(a)", "ok(1)" } },
      "count(v)",
      "ok(1)" },
    { "map",
      "put(v, x)",
      "ok()",
      "remove(v)",
      "ok(x)",
      "put(a, y)",
      { { "get(a)", "ok(y)" } },
      "get(v)",
      "ok(x)" },
    { "set",
      "insert(nil)",
      "ok(true)",
      "delete(nil)",
      "ok(true)",
      "insert(nil)",
      { { "member(nil)", "ok(true)" } },
      "member(nil)",
      "ok(true)" },
    { "map",
      "put(nil, x)",
      "ok()",
      "remove(nil)",
      "ok(x)",
      "put(nil, y)",
      { { "get(nil)", "ok(y)" } },
      "get(nil)",
      "ok(x)" },
};

static void tell_of(struct flow *f, const char *object, const char *call,
                    const char *answer)
{
    plumb_base_text_printf(&f->text, "%s %s T\n%s %s T\n", object, call, object,
                           answer);
    if (f->text.size > AT_ONCE)
        assert_fine(f);
}

static void follow_objects(const struct objects *o)
{
    enum { OBJECTS = 100000 };
    struct flow f;
    size_t early = 0;
    open_flow(&f, o->spec);
    tell_of(&f, "full", o->put, o->put_ok);
    tell_of(&f, "loses", o->lost, "info()");
    for (unsigned i = 0; i < OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "o%u", i);
        tell_of(&f, name, o->put, o->put_ok);
        tell_of(&f, name, o->take, o->take_ok);
        if (i == OBJECTS / 2)
            early = plumb_budget_peak(f.budget);
    }
    assert_fine(&f);
    assert_true(plumb_history_stream_builder(&f.stream)->objects < OBJECTS / 4);
    if (plumb_budget_peak(f.budget) > early + early / 8)
        fail_msg("%s: %zu bytes, and then %zu", o->spec, early,
                 plumb_budget_peak(f.budget));
    for (unsigned i = 0; i < 3 && o->then[i][0]; i++)
        tell_of(&f, "loses", o->then[i][0], o->then[i][1]);
    tell_of(&f, "full", o->take, o->take_ok);
    assert_fine(&f);
    tell_of(&f, "full", o->wrong, o->wrong_ok);
    flush(&f);
    assert_int_equal(plumb_check_live_state(f.live)->verdict,
                     PLUMB_NOT_LINEARIZABLE);
    close_flow(&f);
}

static void objects_that_are_settled_are_forgotten(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i += STRIDE)
        follow_objects(objects + i);
}

/* ---- batches ---- */

/* A stack is decided in batches, which are forgotten where it is empty. */
static void batches_are_forgotten_with_their_names(void **state)
{
    (void)state;
    const struct kind stack = { .spec = "stack",
                                .put = "push(v%u)",
                                .put_ok = "ok()",
                                .take = "pop()",
                                .take_ok = "ok(v%u)" };
    struct flow f;
    open_flow(&f, "stack");
    for (unsigned i = 0; i < ROUNDS; i++)
        one_round(&f, &stack, i);
    assert_fine(&f);
    assert_true(plumb_history_stream_builder(&f.stream)->renamed > 3);
    close_flow(&f);
}

/* ---- recordings ---- */

static char *record_texts(unsigned rounds)
{
    char *const path = new_file();
    plumb_recorder *const r = plumb_record_open(path);
    assert_non_null(r);
    for (unsigned i = 0; i < rounds; i++) {
        char text[32];
        snprintf(text, sizeof text, "value %u", i);
        const struct plumb_value v = plumb_record_text(text);
        plumb_record_begin_values(r, "x", "enq", &v, 1);
        plumb_record_end(r, NULL, NULL, 0);
        plumb_record_begin(r, "x", "deq", NULL, 0);
        plumb_record_end_values(r, NULL, &v, 1);
    }
    assert_int_equal(plumb_record_close(r), 0);
    return path;
}

/* What it takes to follow the recording to its end. */
static size_t follow_recording(const char *path)
{
    struct plumb_error err = { 0 };
    struct flow f;
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    open_flow(&f, "queue");
    assert_int_equal(plumb_history_stream_record(&f.stream, fd, &err),
                     PLUMB_OK);
    enum plumb_history_recorded found;
    do {
        found = plumb_history_stream_take(&f.stream, 5000, &err);
        assert_int_equal(
            plumb_check_live_take(
                f.live, plumb_history_stream_builder(&f.stream), &err),
            PLUMB_OK);
        assert_int_equal(plumb_check_live_state(f.live)->verdict,
                         PLUMB_LINEARIZABLE);
    } while (found == PLUMB_RECORDED_EVENT);
    assert_int_equal(found, PLUMB_RECORDED_END);
    const size_t peak = plumb_budget_peak(f.budget);
    close_flow(&f);
    close(fd);
    return peak;
}

static void texts_of_a_recording_are_forgotten(void **state)
{
    (void)state;
    char *const some = record_texts(ROUNDS / 2);
    char *const many = record_texts(2 * ROUNDS);
    const size_t early = follow_recording(some), late = follow_recording(many);
    if (late > early + early / 4)
        fail_msg("%zu bytes, and then %zu", early, late);
    forget_file(some);
    forget_file(many);
}

/* ---- where memory is used up ---- */

static void fill(struct plumb_builder *b, unsigned count)
{
    struct plumb_error err;
    const uint32_t object = plumb_builder_symbol(b, "x", 1);
    const uint32_t name = plumb_builder_symbol(b, "f", 1);
    for (unsigned i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "v%u", i);
        const struct plumb_value v =
            plumb_str(plumb_builder_symbol(b, text, strlen(text)));
        snprintf(text, sizeof text, "T%u", i);
        const uint32_t thread = plumb_builder_symbol(b, text, strlen(text));
        assert_int_equal(
            plumb_builder_call(b, thread, object, name, &v, 1, NULL, &err),
            PLUMB_OK);
        if (i % 3)
            assert_int_equal(plumb_builder_respond(b, thread, object,
                                                   PLUMB_OUTCOME_OK, name, &v,
                                                   1, NULL, &err),
                             PLUMB_OK);
    }
    plumb_history_builder_settle(b);
}

/* Those that are open, with their names as texts. */
static void show_open(const struct plumb_builder *b,
                      struct plumb_base_text *out)
{
    struct plumb_history h;
    plumb_history_builder_view(b, &h);
    plumb_base_text_init(out, NULL);
    show_history(out, &h);
}

static void a_failure_changes_nothing(void **state)
{
    (void)state;
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_builder *const b = plumb_builder_new(budget);
        struct plumb_history_renaming r;
        struct plumb_base_text before, after;
        plumb_history_builder_stream(b);
        fill(b, 60);
        show_open(b, &before);
        plumb_base_budget_fail_at(budget, nth);
        const bool done = plumb_history_renaming_open(&r, b) &&
                          plumb_history_builder_rename(b, &r);
        const bool failed = plumb_base_budget_has_failed(budget);
        plumb_base_budget_fail_at(budget, 0);
        assert_int_equal(done, !failed);
        plumb_history_renaming_close(&r);
        show_open(b, &after);
        assert_string_equal(plumb_base_text_string(&before),
                            plumb_base_text_string(&after));
        assert_int_equal(b->threads, done ? 20 : 60);
        plumb_base_text_release(&before);
        plumb_base_text_release(&after);
        plumb_builder_free(b);
        plumb_budget_free(budget);
        if (done)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_settled_is_forgotten),
        cmocka_unit_test(every_format_can_forget),
        cmocka_unit_test(objects_that_are_settled_are_forgotten),
        cmocka_unit_test(batches_are_forgotten_with_their_names),
        cmocka_unit_test(texts_of_a_recording_are_forgotten),
        cmocka_unit_test(a_failure_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
