/* test_user_spec.c - specifications written in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "spec/spec.h"
#include "story.h"

/* A bag of at most three items, and some oddities. */
struct box {
    struct plumb_value item[3];
    unsigned count;
};

enum { PUT, TAKE, FULL, MANY, WHO };
static const char *const box_ops[] = { "put/1",  "take/0", "is_full/0",
                                       "many/2", "who/0",  NULL };

static bool take(struct box *b, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    if (b->count == 0) {
        reply->term = "Nothing";
        return true;
    }
    const unsigned i = plumb_call_choose(call, b->count);
    plumb_reply_value(reply, b->item[i]);
    b->item[i] = b->item[--b->count];
    b->item[b->count] = plumb_nil();
    return true;
}

static bool box_step(void *state, const struct plumb_call *call,
                     struct plumb_reply *reply)
{
    struct box *const b = state;
    switch (call->op) {
    case PUT:
        if (b->count == 3)
            return false;
        b->item[b->count++] = call->args[0];
        return true;
    case TAKE:
        return take(b, call, reply);
    case FULL:
        plumb_reply_value(reply, plumb_bool(b->count == 3));
        return true;
    case WHO:
        plumb_reply_value(reply, plumb_int(call->thread));
        return true;
    default:
        for (unsigned i = 0; i < 20; i++)
            plumb_reply_value(reply, call->args[i % 2]);
        return true;
    }
}

static const struct plumb_user_spec box = { .version = PLUMB_SPEC_VERSION,
                                            .name = "box",
                                            .state_size = sizeof(struct box),
                                            .ops = box_ops,
                                            .step = box_step };

/* The number of states after all operations; none once memory is used up. */
static size_t states_after(const struct plumb_user_spec *user,
                           const char *history, struct plumb_budget *budget)
{
    struct plumb_error err = { .status = PLUMB_OK };
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
    struct plumb_spec_space space;
    struct plumb_spec_states now = { .budget = NULL },
                             next = { .budget = budget };
    bool room = true;
    h = story(history);
    assert_int_equal(plumb_spec_from_user(user, &spec, &err), PLUMB_OK);
    if (plumb_spec_bind(&h, spec, NULL, &bound, &err) != PLUMB_OK)
        fail_msg("%s", err.message);
    room = plumb_spec_space_open(&space, &bound, budget);
    room = room && plumb_spec_states_made(&now, spec->type->initial(&space));
    for (uint32_t i = 0; room && i < h.count; i++) {
        next.count = 0;
        for (size_t s = 0; room && s < now.count; s++)
            room =
                spec->type->step(&space, now.state[s], bound.action + i, &next);
        now.count = 0;
        for (size_t s = 0; s < next.count; s++) {
            bool known = false;
            for (size_t k = 0; k < now.count; k++)
                known = known || now.state[k] == next.state[s];
            assert_true(known || plumb_spec_states_add(&now, next.state[s]));
        }
    }
    const size_t count = room ? now.count : SIZE_MAX;
    plumb_spec_states_release(&now);
    plumb_spec_states_release(&next);
    if (space.bound)
        plumb_spec_space_close(&space);
    plumb_spec_bound_release(&bound);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    return count;
}

static void expect(const char *history, size_t states)
{
    const size_t got = states_after(&box, history, NULL);
    if (got != states)
        fail_msg("%s: %zu states, not %zu", history, got, states);
}

static void steps_are_those_of_the_function(void **state)
{
    (void)state;
    expect("", 1);
    expect("A put(1) A ok() A take() A ok(1) A take() A nothing()", 1);
    expect("A put(1) A ok() A take() A ok(2)", 0);
    expect("A put(1) A ok() A take() A nothing()", 0);
    expect("A put(1) A ok() A PUT(2) A Ok() A take() A ok(2)", 1);
    expect("A put(x) A ok() A take() A ok(x)", 1);
    expect("A put(1) A ok() A take() A ok()", 0);
    expect("A put(1) A ok() A take() A never_heard(1)", 0);
}

static void every_choice_is_tried(void **state)
{
    (void)state;
    expect("A put(1) A ok() A put(2) A ok() A put(3) A ok() A take()", 3);
    expect("A put(1) A ok() A put(1) A ok() A take()", 1);
    expect("A put(1) A ok() A put(2) A ok() A put(3) A ok() A take() A ok(3) "
           "A take() A ok(1) A take() A ok(2)",
           1);
}

static void a_step_may_be_blocked(void **state)
{
    (void)state;
    expect("A put(1) A ok() A put(1) A ok() A put(1) A ok() A put(1) A ok()",
           0);
    expect("A put(1) A ok() A put(1) A ok() A put(1) A ok() A put(1)", 0);
}

static void booleans_may_be_spelled_as_in_the_sources(void **state)
{
    (void)state;
    expect("A is_full() A ok(false)", 1);
    expect("A is_full() A ok(false)", 1);
    expect("A is-full() A ok(f)", 1);
    expect("A is_full() A ok(0)", 1);
    expect("A is_full() A ok(1)", 0);
    expect("A is_full() A ok(nil)", 0);
    expect("A is_full() A ok(x)", 0);
}

static void a_reply_with_too_many_results_is_no_answer(void **state)
{
    (void)state;
    expect("A many(1,2) A ok(1,2,1,2,1,2,1,2)", 0);
    expect("A many(1,2)", 1);
}

static void the_thread_is_known(void **state)
{
    (void)state;
    expect("A who() B who() B ok(1) A ok(0)", 1);
    expect("A who() B who() B ok(0) A ok(0)", 0);
}

/* The second choice decides how wide the third is: 2 * (1 + 4 + 1) ways. */
static bool tree_step(void *state, const struct plumb_call *call,
                      struct plumb_reply *reply)
{
    unsigned char *const leaf = state;
    const unsigned a = plumb_call_choose(call, 2);
    const unsigned b = plumb_call_choose(call, 3);
    const unsigned c =
        b == 1 ? plumb_call_choose(call, 4) : plumb_call_choose(call, 1);
    (void)reply;
    *leaf = (unsigned char)(1 + a * 12 + b * 4 + c);
    return true;
}

static void choices_may_depend_on_choices(void **state)
{
    static const char *const ops[] = { "grow/0", NULL };
    const struct plumb_user_spec tree = { .version = PLUMB_SPEC_VERSION,
                                          .name = "tree",
                                          .state_size = 1,
                                          .ops = ops,
                                          .step = tree_step };
    (void)state;
    assert_int_equal(states_after(&tree, "A grow() A ok()", NULL), 12);
}

static void fails(struct plumb_user_spec user, const char *message)
{
    struct plumb_spec *spec = NULL;
    struct plumb_error err;
    assert_int_equal(plumb_spec_from_user(&user, &spec, &err), PLUMB_EINPUT);
    assert_null(spec);
    assert_string_equal(err.message, message);
}

static void malformed_specifications_are_refused(void **state)
{
    static const char *const none[] = { NULL };
    static const char *const bad[] = { "put/1", "take", NULL };
    static const char *const huge[] = { "put/256", NULL };
    struct plumb_user_spec user = box;
    (void)state;
    user.version = 9;
    fails(user, "the specification has version 9; plumb supports version 1");
    user = box;
    user.name = NULL;
    fails(user, "the specification has no name");
    user = box;
    user.step = NULL;
    fails(user, "specification box has no step function");
    user = box;
    user.ops = none;
    fails(user, "specification box has no operations");
    user.ops = bad;
    fails(user, "operation \"take\" of box is not of the form name/arity");
    user.ops = huge;
    fails(user, "operation \"put/256\" of box is not of the form name/arity");
}

static void wrong_calls_are_reported(void **state)
{
    struct plumb_error err;
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
    (void)state;
    assert_int_equal(plumb_spec_from_user(&box, &spec, &err), PLUMB_OK);
    assert_string_equal(plumb_spec_text(spec), "box");
    assert_ptr_equal(plumb_spec_user(spec), &box);
    h = story("A put(1,2)");
    assert_int_equal(plumb_spec_bind(&h, spec, NULL, &bound, &err),
                     PLUMB_EINPUT);
    assert_string_equal(err.message, "put takes 1 argument, not 2");
    plumb_history_release(&h);
    h = story("A get()");
    assert_int_equal(plumb_spec_bind(&h, spec, NULL, &bound, &err),
                     PLUMB_EINPUT);
    assert_string_equal(err.message,
                        "unknown operation \"get\" for box (it has put, take, "
                        "is_full, many, who)");
    plumb_history_release(&h);
    plumb_spec_free(spec);
}

static void steps_survive_failed_allocations(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    size_t nth = 1;
    (void)state;
    for (;; nth++) {
        plumb_base_budget_fail_at(budget, nth);
        const size_t states = states_after(
            &box, "A put(1) A ok() A put(2) A ok() A take()", budget);
        assert_int_equal(plumb_budget_used(budget), 0);
        if (states == 2)
            break;
        assert_true(states == SIZE_MAX);
    }
    assert_true(nth > 4);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_function),
        cmocka_unit_test(every_choice_is_tried),
        cmocka_unit_test(a_step_may_be_blocked),
        cmocka_unit_test(booleans_may_be_spelled_as_in_the_sources),
        cmocka_unit_test(a_reply_with_too_many_results_is_no_answer),
        cmocka_unit_test(the_thread_is_known),
        cmocka_unit_test(choices_may_depend_on_choices),
        cmocka_unit_test(malformed_specifications_are_refused),
        cmocka_unit_test(wrong_calls_are_reported),
        cmocka_unit_test(steps_survive_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
