/* test_script.c - operations written down, and what is wrong with some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "record/script.h"
#include <stdio.h>
#include <string.h>

static void nothing(plumb_invocation *i)
{
    (void)i;
}

PLUMB_OBJECT(.operations = {
                 { "enq", nothing, { PLUMB_FRESH } },
                 { "deq", nothing },
                 { "put",
                   nothing,
                   { PLUMB_FRESH_TEXT, PLUMB_ONE_OF("1 -2 red \xc3\xa4") } },
                 { "set", nothing, { PLUMB_RANGE(0, 3) } },
                 { "paint", nothing, { PLUMB_ONE_OF(" red green 1st ") } },
             });

static struct plumb_record_script parsed(const char *text)
{
    struct plumb_record_script s;
    struct plumb_error err;
    if (plumb_record_script_parse(&s, text, &plumb_object_v1, &err) != PLUMB_OK)
        fail_msg("%s: %u: %s", text, (unsigned)err.column, err.message);
    return s;
}

static void an_object_tells_its_size(void **state)
{
    (void)state;
    assert_int_equal(plumb_record_object_size(&plumb_object_v1), 5);
    assert_int_equal(plumb_record_operation_arity(plumb_object_v1.operations),
                     1);
    assert_int_equal(
        plumb_record_operation_arity(plumb_object_v1.operations + 1), 0);
    assert_int_equal(
        plumb_record_operation_arity(plumb_object_v1.operations + 2), 2);
}

static void steps_are_in_order(void **state)
{
    struct plumb_record_script s =
        parsed(" enq(-7)deq( )\tput( k , \"a b\\\"\\\\\\n\\x41\" )  set(+3)\n"
               "enq(9223372036854775807) enq(-9223372036854775808) put(\"1\",1)"
               "paint(1st)");
    (void)state;
    assert_int_equal(s.count, 8);
    assert_int_equal(s.processes, 1);
    assert_int_equal(s.step[0].operation, 0);
    assert_int_equal(s.step[0].nargs, 1);
    assert_null(s.step[0].args[0].text);
    assert_int_equal(s.step[0].args[0].number, -7);
    assert_int_equal(s.step[1].operation, 1);
    assert_int_equal(s.step[1].nargs, 0);
    assert_string_equal(s.step[2].args[0].text, "k");
    assert_string_equal(s.step[2].args[1].text, "a b\"\\\nA");
    assert_int_equal(s.step[3].args[0].number, 3);
    assert_true(s.step[4].args[0].number == INT64_MAX);
    assert_true(s.step[5].args[0].number == INT64_MIN);
    assert_string_equal(s.step[6].args[0].text, "1");
    assert_int_equal(s.step[6].args[1].number, 1);
    assert_string_equal(s.step[7].args[0].text, "1st");
    plumb_record_script_release(&s);
}

static void a_bar_begins_the_next_process(void **state)
{
    struct plumb_record_script s = parsed("enq(1) enq(2) | deq() || enq(3)|");
    static const unsigned processes[] = { 0, 0, 1, 3 };
    (void)state;
    assert_int_equal(s.processes, 5);
    assert_int_equal(s.count, 4);
    for (size_t i = 0; i < s.count; i++)
        assert_int_equal(s.step[i].process, processes[i]);
    plumb_record_script_release(&s);
    s = parsed("");
    assert_int_equal(s.processes, 1);
    assert_int_equal(s.count, 0);
    plumb_record_script_release(&s);
}

static void a_step_becomes_an_entry(void **state)
{
    struct plumb_record_script s = parsed("put(key,-2)");
    struct plumb_record_entry e;
    (void)state;
    memset(&e, 0xff, sizeof e);
    plumb_record_script_entry(s.step, &e);
    assert_int_equal(e.operation, 2);
    assert_int_equal(e.nargs, 2);
    assert_int_equal(e.nres, 0);
    assert_int_equal(e.flaws, 0);
    assert_int_equal(e.value[0].tag, PLUMB_STR);
    assert_string_equal(e.text + e.value[0].bits, "key");
    assert_int_equal(e.value[1].tag, PLUMB_INT);
    assert_true((int64_t)e.value[1].bits == -2);
    plumb_record_script_release(&s);
}

static void fails_at(const char *text, unsigned column, const char *message)
{
    struct plumb_record_script s;
    struct plumb_error err = { .status = PLUMB_OK };
    if (plumb_record_script_parse(&s, text, &plumb_object_v1, &err) !=
        PLUMB_EINPUT)
        fail_msg("accepted: %s", text);
    if (err.line != 1 || err.column != column || !strstr(err.message, message))
        fail_msg("%s: %u: %s", text, (unsigned)err.column, err.message);
}

static void mistakes_are_reported_at_their_column(void **state)
{
    (void)state;
    fails_at("push(1)", 1,
             "unknown operation \"push\" (the object has enq, deq, put, set, "
             "paint)");
    fails_at("deq() Enq(1)", 7, "unknown operation \"Enq\"");
    fails_at("deq", 4, "expected (");
    fails_at("deq ()", 4, "expected (");
    fails_at("(1)", 1, "expected an operation");
    fails_at(",", 1, "expected an operation");
    fails_at("\"deq\"()", 1, "expected an operation");
    fails_at("enq()", 4, "enq takes 1 argument, not 0");
    fails_at("enq(1,2)", 4, "enq takes 1 argument, not 2");
    fails_at("deq(1,2,3,4,5,6)", 4, "deq takes 0 arguments, not 6");
    fails_at("put(a)", 4, "put takes 2 arguments, not 1");
    fails_at("enq(", 5, "expected a value");
    fails_at("enq(1", 6, "expected a comma or )");
    fails_at("enq(1,)", 7, "expected a value");
    fails_at("enq(,1)", 5, "expected a value");
    fails_at("enq(1 2)", 7, "expected a comma or )");
    fails_at("enq(|)", 5, "expected a value");
    fails_at("enq(x)", 5, "enq takes a number here, not a text");
    fails_at("enq(\"1\")", 5, "enq takes a number here");
    fails_at("set(x)", 5, "set takes a number here");
    fails_at("put(1,1)", 5, "put takes a text here, not a number");
    fails_at("paint(1)", 7, "paint takes a text here");
    fails_at("put(true,1)", 5, "true cannot be an argument");
    fails_at("put(nil,1)", 5, "nil cannot be an argument");
    fails_at("enq(9223372036854775808)", 5, "does not fit in 64 bits");
    fails_at("put(\"a,1)", 5, "unterminated string");
    fails_at("put(\"a\\", 7, "unknown escape");
    fails_at("put(\"a\\q\",1)", 7, "unknown escape");
    fails_at("put(\"\\x4\",1)", 6, "unknown escape");
    fails_at("put(\"\\x00\",1)", 6, "unknown escape");
}

/* What is accepted says the same again when it is written anew. */
static void write_step(const struct plumb_record_script_step *s, char *out,
                       size_t size)
{
    const struct plumb_operation *const op =
        plumb_object_v1.operations + s->operation;
    size_t used = (size_t)snprintf(out, size, "%s(", op->name);
    for (unsigned i = 0; i < s->nargs; i++) {
        used += (size_t)snprintf(out + used, size - used, i ? "," : "");
        if (!s->args[i].text) {
            used += (size_t)snprintf(out + used, size - used, "%lld",
                                     (long long)s->args[i].number);
            continue;
        }
        used += (size_t)snprintf(out + used, size - used, "\"");
        for (const char *c = s->args[i].text; *c; c++)
            used += (size_t)snprintf(out + used, size - used, "\\x%02x",
                                     (unsigned)(unsigned char)*c);
        used += (size_t)snprintf(out + used, size - used, "\"");
    }
    snprintf(out + used, size - used, ")");
}

static void same_when_written_again(const struct plumb_record_script *s)
{
    for (size_t i = 0; i < s->count; i++) {
        char text[2048];
        write_step(s->step + i, text, sizeof text);
        struct plumb_record_script again = parsed(text);
        assert_int_equal(again.count, 1);
        assert_int_equal(again.step->operation, s->step[i].operation);
        assert_int_equal(again.step->nargs, s->step[i].nargs);
        for (unsigned k = 0; k < s->step[i].nargs; k++) {
            const struct plumb_record_script_value *const a =
                s->step[i].args + k;
            const struct plumb_record_script_value *const b =
                again.step->args + k;
            assert_int_equal(!a->text, !b->text);
            if (a->text)
                assert_string_equal(a->text, b->text);
            else
                assert_true(a->number == b->number);
        }
        plumb_record_script_release(&again);
    }
}

/* Pieces that make sense now and then, and bytes that do not. */
static void random_text(struct plumb_base_rng *rng, char *text, size_t size)
{
    static const char *const pieces[] = {
        "enq(", "1",  ")",      "deq()",    "put(",   "a",       ",",      "\"",
        "\\x4", "1)", " ",      "|",        "-",      "9e9",     "set(2)", "\\",
        "\\\"", "b",  "enq(1)", "put(a,1)", "put(\"", "\",red)", "\\n",    "(",
    };
    size_t used = 0;
    text[0] = '\0';
    for (unsigned n = plumb_base_rng_below(rng, 12); n > 0; n--) {
        char byte[2] = { (char)(1 + plumb_base_rng_below(rng, 255)), '\0' };
        const char *const piece =
            plumb_base_rng_chance(rng, 8)
                ? byte
                : pieces[plumb_base_rng_below(rng,
                                              sizeof pieces / sizeof *pieces)];
        used += (size_t)snprintf(text + used, size - used, "%s", piece);
    }
}

static void any_text_is_read_or_refused(void **state)
{
    struct plumb_base_rng rng;
    unsigned accepted = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    for (int n = 0; n < 200000; n++) {
        char text[256];
        struct plumb_record_script s;
        struct plumb_error err = { .status = PLUMB_OK };
        random_text(&rng, text, sizeof text);
        const enum plumb_status status =
            plumb_record_script_parse(&s, text, &plumb_object_v1, &err);
        if (status == PLUMB_OK) {
            accepted += s.count > 0;
            same_when_written_again(&s);
            plumb_record_script_release(&s);
            continue;
        }
        assert_int_equal(status, PLUMB_EINPUT);
        assert_true(err.column >= 1 && err.column <= strlen(text) + 1);
    }
    assert_true(accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_tells_its_size),
        cmocka_unit_test(steps_are_in_order),
        cmocka_unit_test(a_bar_begins_the_next_process),
        cmocka_unit_test(a_step_becomes_an_entry),
        cmocka_unit_test(mistakes_are_reported_at_their_column),
        cmocka_unit_test(any_text_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
