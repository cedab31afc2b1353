/* test_bind.c - names, terms and values become numbers, or an error there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "spec/spec.h"
#include "story.h"
#include <stdio.h>

struct bound_text {
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
};

static enum plumb_status bind_text(struct bound_text *t, const char *spec,
                                   const char *history, struct plumb_error *err)
{
    t->h = story(history);
    assert_int_equal(plumb_spec_parse(spec, &t->spec, err), PLUMB_OK);
    return plumb_spec_bind(&t->h, t->spec, NULL, &t->bound, err);
}

static void release(struct bound_text *t)
{
    plumb_spec_bound_release(&t->bound);
    plumb_spec_free(t->spec);
    plumb_history_release(&t->h);
}

static void operations_become_actions(void **state)
{
    struct bound_text t;
    struct plumb_error err;
    (void)state;
    assert_int_equal(
        bind_text(&t, "queue",
                  "A Enq(7) B DE-Q() A OK() B o_k(7) A deq() C poll() A empty()"
                  " B enq(1) B !fail; C !info; D deq()",
                  &err),
        PLUMB_OK);
    const struct plumb_spec_action *const a = t.bound.action;
    assert_string_equal(t.spec->type->ops[a[0].kind].names,
                        "enq enqueue offer add send");
    assert_int_equal(a[0].term, PLUMB_TERM_OK);
    assert_int_equal(a[0].nargs, 1);
    assert_int_equal(a[0].nres, 0);
    assert_int_equal(a[0].call, 0);
    assert_int_equal(a[0].ret, 2);
    assert_int_equal(a[1].term, PLUMB_TERM_OK);
    assert_int_equal(a[1].thread, 1);
    assert_int_equal(a[1].res[0], a[0].arg[0]);
    assert_int_equal(t.bound.value[a[1].res[0]].bits, 7);
    assert_int_equal(a[2].term, PLUMB_TERM_EMPTY);
    assert_int_equal(a[3].term, PLUMB_TERM_ANY); /* poll: told unknown */
    assert_int_equal(a[3].ret, PLUMB_NEVER);
    assert_true(a[4].skip);                      /* failed */
    assert_int_equal(a[5].term, PLUMB_TERM_ANY); /* open */
    assert_false(a[5].skip);
    assert_false(t.bound.branches);
    release(&t);
}

static void values_are_distinct_and_constants_are_there(void **state)
{
    struct bound_text t;
    struct plumb_error err;
    (void)state;
    assert_int_equal(bind_text(&t, "queue",
                               "A enq(1) B enq(a) C enq(nil) D enq(true) E "
                               "enq(1) F enq(0) G enq(a) H enq(false)",
                               &err),
                     PLUMB_OK);
    const struct plumb_spec_action *const a = t.bound.action;
    assert_int_equal(t.bound.values, 6);
    assert_int_equal(a[0].arg[0], a[4].arg[0]);
    assert_int_equal(a[1].arg[0], a[6].arg[0]);
    assert_int_equal(a[2].arg[0], PLUMB_VID_NIL);
    assert_int_equal(a[3].arg[0], PLUMB_VID_TRUE);
    assert_int_equal(a[7].arg[0], PLUMB_VID_FALSE);
    assert_int_equal(a[5].arg[0], PLUMB_VID_ZERO);
    for (plumb_spec_vid i = 0; i < t.bound.values; i++)
        for (plumb_spec_vid k = 0; k < i; k++)
            assert_false(plumb_value_equal(t.bound.value[i], t.bound.value[k]));
    release(&t);
}

static void booleans_are_coerced_only_where_the_table_has_them(void **state)
{
    static const char *const spelled[] = { "true", "'true'", "t", "1" };
    struct bound_text t;
    struct plumb_error err;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char text[64];
        snprintf(text, sizeof text, "A insert(t) A ok(%s)", spelled[i]);
        assert_int_equal(bind_text(&t, "set", text, &err), PLUMB_OK);
        assert_int_equal(t.bound.action[0].res[0], PLUMB_VID_TRUE);
        assert_int_not_equal(t.bound.action[0].arg[0], PLUMB_VID_TRUE);
        release(&t);
    }
}

/* The number of the event at a column of a story with parentheses. */
static unsigned event_at(const char *history, unsigned column)
{
    unsigned event = 1;
    for (unsigned i = 0; i < column; i++)
        event += history[i] == ')';
    return event;
}

static void fails(const char *spec, const char *history, unsigned column,
                  const char *message)
{
    struct bound_text t;
    struct plumb_error err;
    assert_int_equal(bind_text(&t, spec, history, &err), PLUMB_EINPUT);
    if (strcmp(err.message, message) != 0 ||
        err.line != event_at(history, column) || err.column != column)
        fail_msg("%s: %u:%u: %s", history, (unsigned)err.line,
                 (unsigned)err.column, err.message);
    plumb_spec_free(t.spec);
    plumb_history_release(&t.h);
}

static void mistakes_are_reported_at_their_event(void **state)
{
    (void)state;
    fails("queue", "A enq(1) A ok() A foo(1)", 17,
          "unknown operation \"foo\" for queue (it has enq, put, deq, poll, "
          "take, peek)");
    fails("queue", "A foo() A !fail;", 1,
          "unknown operation \"foo\" for queue (it has enq, put, deq, poll, "
          "take, peek)");
    fails("priority-queue", "A foo()", 1,
          "unknown operation \"foo\" for priority-queue (it has insert, "
          "delmin, take, min)");
    fails("queue", "A enq(1,2)", 1, "enq takes 1 argument, not 2");
    fails("queue", "A deq(1)", 1, "deq takes 0 arguments, not 1");
    fails("priority-queue", "A Push(1,2,3)", 1,
          "Push takes 1 or 2 arguments, not 3");
    fails("queue", "A deq() A none()", 9,
          "queue has no result \"none\" for deq");
    fails("queue", "A deq() A nope()", 9,
          "queue has no result \"nope\" for deq");
    fails("queue", "A take() A empty()", 10,
          "queue has no result \"empty\" for take");
    fails("queue", "A deq() A ok(1,2)", 9,
          "deq returns ok(x) or empty(), not ok(1, 2)");
    fails("queue", "A deq() A ok()", 9,
          "deq returns ok(x) or empty(), not ok()");
    fails("queue", "A enq(1) A ok(1)", 10,
          "enq returns ok() or full(), not ok(1)");
    fails("priority-queue", "A min() A ok()", 9,
          "min returns ok(x) or ok(x, y) or empty(), not ok()");
    fails("set", "A insert(1) A ok(abc)", 13, "\"abc\" is not a boolean");
    fails("set", "A insert(1) A ok(2)", 13, "2 is not a boolean");
    fails("set", "A insert(1) A ok(nil)", 13, "nil is not a boolean");
    fails("counter", "A add(x)", 1, "\"x\" is not an integer");
    fails("counter", "A get() A ok(true)", 9, "true is not an integer");
}

static void only_actions_that_may_branch_are_said_to(void **state)
{
    static const struct {
        const char *spec, *history;
        bool branches;
    } row[] = {
        { "queue", "A enq(1) B deq()", false },
        { "queue:k=1", "A enq(1) B deq() B ok(1)", false },
        { "queue:k=1", "A enq(1) B deq()", true },
        { "queue:k=1", "A enq(1) B peek()", false },
        { "semiqueue", "A enq(1) B deq()", true },
        { "semiqueue", "A enq(1) B deq() B ok(1)", false },
        { "stuttering-queue", "A enq(1) B deq() B ok(1)", true },
        { "stuttering-queue", "A enq(1) B deq() B empty()", false },
        { "stuttering-queue:j=0", "A enq(1) B deq() B ok(1)", false },
        { "bag", "A insert(1) B take()", true },
        { "bag", "A insert(1) B take() B !fail;", false },
        { "bag", "A insert(1) B take() B ok(1)", false },
        { "priority-queue", "A insert(1) B delmin()", false },
        { "priority-queue", "A insert(1,2) B delmin()", true },
        { "priority-queue", "A insert(1,2) B min()", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bound_text t;
        struct plumb_error err;
        assert_int_equal(bind_text(&t, row[i].spec, row[i].history, &err),
                         PLUMB_OK);
        if (t.bound.branches != row[i].branches)
            fail_msg("%s: %s", row[i].spec, row[i].history);
        release(&t);
    }
}

/* The number of the value that each operation belongs to, as its text. */
static void owners_are(const char *spec, const char *history, bool closed,
                       const char *expected)
{
    struct bound_text t;
    struct plumb_error err;
    struct plumb_spec_space space;
    struct plumb_base_text text;
    assert_int_equal(bind_text(&t, spec, history, &err), PLUMB_OK);
    assert_true(plumb_spec_space_open(&space, &t.bound, NULL));
    const struct plumb_spec_type *const type = t.spec->type;
    plumb_base_text_init(&text, NULL);
    for (uint32_t i = 0; type->owner && i < t.h.count; i++) {
        const plumb_spec_vid v = type->owner(&space, t.bound.action + i);
        plumb_base_text_add(&text, i ? " " : "");
        if (v == PLUMB_NO_VALUE)
            plumb_base_text_add(&text, "-");
        else
            plumb_spec_vid_show(&space, v, &text);
    }
    const bool is_closed =
        type->owner && (!type->closed || type->closed(&t.bound, 0));
    assert_int_equal(is_closed, closed);
    if (strcmp(plumb_base_text_string(&text), expected) != 0)
        fail_msg("%s: %s: %s", spec, history, plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    plumb_spec_space_close(&space);
    release(&t);
}

static void operations_belong_to_values_as_documented(void **state)
{
    (void)state;
    owners_are("queue",
               "A enq(1) A ok() A put(2) A ok() A deq() A ok(1) A peek() "
               "A ok(2) A deq() A empty() A deq()",
               true, "1 2 1 2 - -");
    owners_are("queue:cap=2", "A enq(1) A full()", false, "1");
    owners_are("queue:k=2", "A enq(1) A ok()", true, "1");
    owners_are("semiqueue", "A enq(1) A ok() A deq()", true, "1 -");
    owners_are("stuttering-queue", "A enq(1) A ok() A deq()", true, "1 -");
    owners_are("stack", "A push(1) A ok() A pop() A ok(1)", true, "1 1");
    owners_are("stack:cap=1", "A push(1)", false, "1");
    owners_are("deque", "A push_back(1) A ok() A pop_back()", true, "1 -");
    owners_are("deque:cap=1", "A push_back(1)", false, "1");
    owners_are("priority-queue",
               "A insert(1,a) A ok() A min() A ok(1,a) A delmin() A ok(3)",
               true, "a a 3");
    owners_are("priority-queue:cap=1", "A insert(1,a)", false, "a");
    owners_are("set", "A insert(1) B member(2)", true, "1 2");
    owners_are("multiset", "A insert(1) B count(2)", true, "1 2");
    owners_are("bag", "A insert(1) B take() B ok(4) B take()", true, "1 4 -");
    owners_are("map", "A put(1,2) B get(3) B none()", true, "1 3");
    owners_are("register", "A write(1) B read() B ok(2) B read()", true,
               "1 2 -");
    owners_are("register", "A cas(1,2) B write(2)", false, "- 2");
    owners_are("register", "A swap(1) A !fail; B write(2)", true, "- 2");
    owners_are("counter", "A inc()", false, "");
    owners_are("mutex", "A lock()", false, "");
}

static void reads_are(const char *spec, const char *history,
                      const char *expected)
{
    struct bound_text t;
    struct plumb_error err;
    char got[32] = "";
    assert_int_equal(bind_text(&t, spec, history, &err), PLUMB_OK);
    for (uint32_t i = 0; i < t.h.count; i++)
        got[i] = t.spec->type->reads(t.spec, t.bound.action + i) ? 'r' : 'w';
    if (strcmp(got, expected) != 0)
        fail_msg("%s: %s: %s", spec, history, got);
    release(&t);
}

static void operations_are_read_only_as_documented(void **state)
{
    (void)state;
    reads_are("queue:cap=1",
              "A enq(1) A ok() A enq(1) A full() A deq() A empty() A deq() "
              "A ok(1) A peek() B deq() C enq(1)",
              "wrrwrww");
    reads_are("stack:cap=1",
              "A push(1) A full() A pop() A empty() A top() A ok(1) A pop()",
              "rrrw");
    reads_are("deque", "A pop_back() A empty() A peek_back() B pop_front()",
              "rrw");
    reads_are("priority-queue", "A delmin() A empty() A min() B delmin()",
              "rrw");
    reads_are("set",
              "A insert(1) A ok(1) A insert(1) A ok(0) A delete(1) A ok(f) A "
              "delete(1) B member(1)",
              "wrrwr");
    reads_are("bag",
              "A insert(1) A ok() A delete(1) A ok(f) A count(1) B take() "
              "B empty() B take()",
              "wrrrw");
    reads_are("map",
              "A put(1,2) A ok() A remove(1) A none() A remove(1) A ok(2) A "
              "insert(1,2) A ok(f) A append(1,nil) A ok() A get(1) B member(1)",
              "wrwrwrr");
    reads_are("register",
              "A read() B cas(1,1) C cas(1,2) D cas(1,2) D ok(f) D swap(1) "
              "D ok(1) D swap(1) D ok(2) D swap(1) E write(1)",
              "rrwrrwww");
    reads_are("counter",
              "A inc() A ok() A add(0) A ok() A add(1) A ok() A fetch_add(0) "
              "A ok(5) A get()",
              "wrwrr");
    reads_are("semaphore", "A try_acquire() A ok(f) A try_acquire()", "rw");
    reads_are("mutex", "A try_lock() A ok(f) A lock() B unlock()", "rww");
}

/* Everything that binding allocates may fail; nothing may leak. */
static void binding_survives_failed_allocations(void **state)
{
    static const char *const spec[] = { "priority-queue", "queue" };
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct plumb_history h;
        struct plumb_error err;
        struct plumb_spec *s;
        struct plumb_spec_bound bound;
        enum plumb_status status = PLUMB_EMEMORY;
        h = story("A enq(1) B deq() A ok() B ok(x)");
        assert_int_equal(plumb_spec_parse(spec[i], &s, &err), PLUMB_OK);
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        size_t nth;
        for (nth = 1; status != PLUMB_OK; nth++) {
            plumb_base_budget_fail_at(budget, nth);
            status = plumb_spec_bind(&h, s, budget, &bound, &err);
            assert_true(status == PLUMB_OK || status == PLUMB_EMEMORY);
            if (status != PLUMB_OK)
                assert_int_equal(plumb_budget_used(budget), 0);
        }
        assert_true(nth > 5);
        plumb_spec_bound_release(&bound);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
        plumb_spec_free(s);
        plumb_history_release(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_become_actions),
        cmocka_unit_test(values_are_distinct_and_constants_are_there),
        cmocka_unit_test(booleans_are_coerced_only_where_the_table_has_them),
        cmocka_unit_test(mistakes_are_reported_at_their_event),
        cmocka_unit_test(only_actions_that_may_branch_are_said_to),
        cmocka_unit_test(operations_belong_to_values_as_documented),
        cmocka_unit_test(operations_are_read_only_as_documented),
        cmocka_unit_test(binding_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
