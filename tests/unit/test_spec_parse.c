/* test_spec_parse.c - "queue:cap=4" and what is wrong with "queue:cap=x". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "spec/spec.h"
#include "story.h"

static void parses_as(const char *text, const char *normal)
{
    struct plumb_spec *spec = NULL, *again = NULL;
    struct plumb_error err = { .status = PLUMB_OK };
    if (plumb_spec_parse(text, &spec, &err) != PLUMB_OK)
        fail_msg("%s: %s", text, err.message);
    assert_string_equal(plumb_spec_text(spec), normal);
    assert_null(plumb_spec_user(spec));
    assert_int_equal(plumb_spec_parse(normal, &again, &err), PLUMB_OK);
    assert_string_equal(plumb_spec_text(again), normal);
    plumb_spec_free(again);
    plumb_spec_free(spec);
}

static void specifications_have_a_normal_text(void **state)
{
    (void)state;
    parses_as("queue", "queue");
    parses_as("Queue", "queue");
    parses_as("cas_register", "cas-register");
    parses_as("queue:cap=4", "queue:cap=4");
    parses_as("queue:blocking,CAP=007", "queue:cap=7,blocking");
    parses_as("queue:k=2", "queue:k=2");
    parses_as("queue:late=1,early=2,empty=0", "queue:early=2,late=1,empty=0");
    parses_as("queue:deq=1,enq=2", "queue:enq=2,deq=1");
    parses_as("stack:late=1,k=2", "stack:k=2,late=1");
    parses_as("stuttering-queue:j=3", "stuttering-queue:j=3");
    parses_as("priority-queue:max", "priority-queue:max");
    parses_as("counter:init=-3", "counter:init=-3");
    parses_as("semaphore:n=0", "semaphore:n=0");
    parses_as("register:init=+5", "register:init=5");
    parses_as("register:init=abc", "register:init=abc");
    parses_as("register:init=nil", "register:init=nil");
    parses_as("register:init=true", "register:init=true");
    parses_as("register:init=\"true\"", "register:init=\"true\"");
    parses_as("register:init=\"7\"", "register:init=\"7\"");
    parses_as("register:init=\"abc\"", "register:init=abc");
    parses_as("register:init=\"a,\\\"\\\\b\"", "register:init=\"a,\\\"\\\\b\"");
    parses_as("register:init=\"\n\\x\"", "register:init=\"\nx\"");
    parses_as("register:init=\"\"", "register:init=\"\"");
    parses_as("register:init=a b", "register:init=\"a b\"");
}

static void every_built_in_type_parses(void **state)
{
    static const char *const names[] = {
        "queue",
        "stack",
        "deque",
        "priority-queue",
        "set",
        "multiset",
        "map",
        "register",
        "cas-register",
        "counter",
        "semaphore",
        "mutex",
        "semiqueue",
        "stuttering-queue",
        "bag",
        "setlin:barrier",
        "setlin:exchanger",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        parses_as(names[i], names[i]);
    parses_as("SetLin:Barrier:n=3", "setlin:barrier:n=3");
}

static void fails_at(const char *text, unsigned column, const char *message)
{
    struct plumb_spec *spec = NULL;
    struct plumb_error err = { .status = PLUMB_OK };
    assert_int_equal(plumb_spec_parse(text, &spec, &err), PLUMB_EINPUT);
    assert_null(spec);
    if (!strstr(err.message, message) || err.column != column)
        fail_msg("%s: %u: %s", text, (unsigned)err.column, err.message);
    assert_int_equal(err.line, 1);
}

static void mistakes_are_reported_at_their_column(void **state)
{
    (void)state;
    fails_at("", 1, "unknown specification \"\"");
    fails_at("qeue", 1, "unknown specification \"qeue\"");
    fails_at("qeue", 1, "priority-queue");
    fails_at("queue:", 7, "queue has no parameter \"\"");
    fails_at("queue:size=4", 7, "queue has no parameter \"size\" (it has cap");
    fails_at("set:cap=1", 5, "set has no parameter \"cap\" (it has none)");
    fails_at("queue:cap", 10, "cap needs a value");
    fails_at("queue:cap=", 11, "\"\" is not a number for cap");
    fails_at("queue:cap=x", 11, "\"x\" is not a number for cap");
    fails_at("queue:cap=-1", 11, "\"-1\" is not a number for cap");
    fails_at("queue:cap=99999999999999999999", 11, "is not a number");
    fails_at("queue:cap=9223372036854775808", 11, "is not a number");
    fails_at("queue:k=1,late=2", 1, "queue takes k or late, not both");
    fails_at("queue:segment=2,early=2", 1, "takes early or segment, not both");
    fails_at("queue:deq=2,k=2", 1, "takes k or deq, not both");
    fails_at("queue:segment=0", 15, "segment must be at least 1");
    fails_at("queue:cap=0", 11, "cap must be at least 1");
    fails_at("queue:blocking=1", 16, "takes no value");
    fails_at("queue:cap=1,cap=2", 13, "given twice");
    fails_at("queue:cap=1,", 13, "has no parameter \"\"");
    fails_at("counter:init=9223372036854775808", 14, "is not a number");
    fails_at("register:init=", 15, "expected a value");
    fails_at("register:init=\"a", 15, "closing");
    fails_at("register:init=\"a\"b", 18, "comma");
}

static void defaults_are_those_of_the_table(void **state)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    (void)state;
    assert_int_equal(plumb_spec_parse("stuttering-queue", &spec, &err),
                     PLUMB_OK);
    assert_int_equal(spec->param[2], 1);
    assert_false(spec->given[2]);
    plumb_spec_free(spec);
}

static void guesses(const char *history, const char *type, const char *all)
{
    struct plumb_history h;
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    h = story(history);
    const struct plumb_spec_type *const found = plumb_spec_guess(&h, &text);
    assert_string_equal(found ? found->name : "", type);
    assert_string_equal(plumb_base_text_string(&text), all);
    assert_true(plumb_spec_guess(&h, NULL) == found);
    plumb_base_text_release(&text);
    plumb_history_release(&h);
}

static void names_alone_suggest_a_type(void **state)
{
    (void)state;
    guesses("A enq(1) B deq()", "queue", "queue");
    guesses("A enqueue(1) B dequeue()", "queue", "queue");
    guesses("A push(1) B pop()", "stack", "stack");
    guesses("A push_left(1) B pop_right()", "deque", "deque");
    guesses("A insert(1) B delmin()", "priority-queue", "priority-queue");
    guesses("A enq(1) B delmin()", "priority-queue", "priority-queue");
    guesses("A insert(1) B member(1)", "set", "set");
    guesses("A put(1,2) B get(1)", "map", "map");
    guesses("A write(1) B read()", "cas-register", "cas-register");
    guesses("A write(1,2) B read(1)", "map", "map");
    guesses("A inc() B get()", "counter", "counter");
    guesses("A wait() B post()", "semaphore", "semaphore");
    guesses("A lock() B unlock()", "mutex", "mutex");
}

static void what_could_be_several_is_not_guessed(void **state)
{
    (void)state;
    guesses("A acquire() B release()", "", "semaphore, mutex");
    guesses("A offer(1) B poll()", "", "queue, priority-queue");
    guesses("A foo(1)", "", "");
    guesses("A enq(1,2,3)", "", "");
    guesses("A enq(1) B lock()", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specifications_have_a_normal_text),
        cmocka_unit_test(every_built_in_type_parses),
        cmocka_unit_test(mistakes_are_reported_at_their_column),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(names_alone_suggest_a_type),
        cmocka_unit_test(what_could_be_several_is_not_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
