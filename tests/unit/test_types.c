/* test_types.c - docs/specifications.md as a table of sequences.
 *
 * Each row is a specification, a sequence of operations, and what is to come
 * of it.  In "enq(1) deq()=1 deq()=empty", a result without term is ok's, none
 * is ok(); deq()? is a pending operation that takes effect.  The expected
 * states are shown and sorted, with a bar between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "spec/spec.h"
#include "story.h"
#include <stdio.h>

/* "deq()=1" in the language of story.h: one thread, no overlap; a pending
 * operation has a thread of its own. */
static void translate(const char *ops, char *text, size_t size)
{
    size_t n = 0;
    int pending = 0;
    while (*ops) {
        const size_t length = strcspn(ops, ")") + 1;
        const char *const end = ops + length;
        const size_t rest = strcspn(end, " ");
        const int l = (int)length;
        if (*end == '?')
            n += (size_t)snprintf(text + n, size - n, "Q%d %.*s ", ++pending, l,
                                  ops);
        else if (*end == '!')
            n += (size_t)snprintf(text + n, size - n, "P %.*s P !fail; ", l,
                                  ops);
        else if (*end != '=')
            n += (size_t)snprintf(text + n, size - n, "P %.*s P ok() ", l, ops);
        else if (strncmp(end, "=empty", 6) == 0 ||
                 strncmp(end, "=full", 5) == 0 || strncmp(end, "=none", 5) == 0)
            n += (size_t)snprintf(text + n, size - n, "P %.*s P %.*s() ", l,
                                  ops, (int)rest - 1, end + 1);
        else
            n += (size_t)snprintf(text + n, size - n, "P %.*s P ok(%.*s) ", l,
                                  ops, (int)rest - 1, end + 1);
        assert_true(n < size);
        ops = end + rest;
        ops += *ops == ' ';
    }
    if (n)
        text[n - 1] = '\0';
    else
        text[0] = '\0';
}

static int compare_states(const void *x, const void *y)
{
    const plumb_spec_state a = *(const plumb_spec_state *)x,
                           b = *(const plumb_spec_state *)y;
    return a < b ? -1 : a > b;
}

/* All states after the actions; each step from each state. */
static bool run(struct plumb_spec_space *space, struct plumb_spec_states *now)
{
    const struct plumb_spec_bound *const bound = space->bound;
    const struct plumb_spec_type *const type = bound->spec->type;
    struct plumb_spec_states next = { .budget = now->budget };
    if (!plumb_spec_states_made(now, type->initial(space)))
        return false;
    for (uint32_t i = 0; i < bound->history->count; i++) {
        const struct plumb_spec_action *const a = bound->action + i;
        const bool reads = type->reads(bound->spec, a);
        if (a->skip)
            continue;
        next.count = 0;
        for (size_t s = 0; s < now->count; s++) {
            const size_t before = next.count;
            if (!type->step(space, now->state[s], a, &next)) {
                plumb_spec_states_release(&next);
                return false;
            }
            if (!type->branches || !type->branches(bound, a))
                assert_true(next.count - before <= 1);
            for (size_t k = before; reads && k < next.count; k++)
                assert_int_equal(next.state[k], now->state[s]);
            for (size_t k = before; k < next.count; k++)
                for (size_t j = before; j < k; j++)
                    assert_int_not_equal(next.state[j], next.state[k]);
        }
        if (next.count)
            qsort(next.state, next.count, sizeof *next.state, compare_states);
        now->count = 0;
        for (size_t s = 0; s < next.count; s++)
            if ((!s || next.state[s] != next.state[s - 1]) &&
                !plumb_spec_states_add(now, next.state[s])) {
                plumb_spec_states_release(&next);
                return false;
            }
    }
    plumb_spec_states_release(&next);
    return true;
}

static int compare_strings(const void *x, const void *y)
{
    return strcmp(x, y);
}

static void show_states(const struct plumb_spec_space *space,
                        const struct plumb_spec_states *states, char *to)
{
    char shown[16][100];
    to[0] = '\0';
    assert_true(states->count <= 16);
    for (size_t i = 0; i < states->count; i++) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        space->spec->type->show(space, states->state[i], &text);
        snprintf(shown[i], sizeof shown[i], "%s",
                 plumb_base_text_string(&text));
        plumb_base_text_release(&text);
    }
    qsort(shown, states->count, sizeof shown[0], compare_strings);
    for (size_t i = 0; i < states->count; i++) {
        strcat(to, i ? "|" : "");
        strcat(to, shown[i]);
    }
}

struct row {
    const char *spec, *ops, *states; /* "" if it cannot be */
};

static void expect(const struct row *row)
{
    char text[2000], shown[2000];
    struct plumb_error err = { .status = PLUMB_OK };
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
    struct plumb_spec_space space;
    struct plumb_spec_states states = { .budget = NULL };
    translate(row->ops, text, sizeof text);
    h = story(text);
    assert_int_equal(plumb_spec_parse(row->spec, &spec, &err), PLUMB_OK);
    if (plumb_spec_bind(&h, spec, NULL, &bound, &err) != PLUMB_OK)
        fail_msg("%s: %s: %s", row->spec, row->ops, err.message);
    assert_true(plumb_spec_space_open(&space, &bound, NULL));
    assert_true(run(&space, &states));
    show_states(&space, &states, shown);
    if (strcmp(shown, row->states) != 0)
        fail_msg("%s: %s: expected %s, got %s", row->spec, row->ops,
                 row->states, shown);
    plumb_spec_states_release(&states);
    plumb_spec_space_close(&space);
    plumb_spec_bound_release(&bound);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

/* Steps whose n-th allocation fails say so, and leak nothing. */
static void expect_clean_failure(const struct row *row)
{
    char text[2000];
    struct plumb_error err;
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    bool done = false;
    translate(row->ops, text, sizeof text);
    h = story(text);
    assert_int_equal(plumb_spec_parse(row->spec, &spec, &err), PLUMB_OK);
    assert_int_equal(plumb_spec_bind(&h, spec, NULL, &bound, &err), PLUMB_OK);
    for (size_t nth = 1; !done; nth++) {
        struct plumb_spec_space space;
        struct plumb_spec_states states = { .budget = budget };
        plumb_base_budget_fail_at(budget, nth);
        if (plumb_spec_space_open(&space, &bound, budget)) {
            done = run(&space, &states);
            plumb_spec_states_release(&states);
            plumb_spec_space_close(&space);
        }
        assert_int_equal(plumb_budget_used(budget), 0);
        assert_true(done || plumb_base_budget_has_failed(budget));
    }
    plumb_spec_bound_release(&bound);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    plumb_budget_free(budget);
}

static void expect_all(const struct row *row)
{
    for (; row->spec; row++) {
        expect(row);
        expect_clean_failure(row);
    }
}

static void queues_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "queue", "", "[]" },
        { "queue", "enq(1) enq(2) deq()=1", "[2]" },
        { "queue", "Enqueue(1) OFFER(2) add(3) send(4)", "[1 2 3 4]" },
        { "queue", "enq(1) enq(2) deq()=2", "" },
        { "queue", "deq()=empty", "[]" },
        { "queue", "enq(1) deq()=empty", "" },
        { "queue", "enq(1)=full", "" },
        { "queue:cap=1", "enq(1)=full", "" },
        { "queue:cap=1", "enq(1) enq(2)=full", "[1]" },
        { "queue:cap=1", "enq(1) enq(2)", "" },
        { "queue:cap=1", "enq(1) put(2)", "" },
        { "queue:cap=1", "enq(1) put(2)?", "" },
        { "queue:cap=1", "enq(1) enq(2)?", "[1]" },
        { "queue:cap=2", "enq(1) put(2)", "[1 2]" },
        { "queue:blocking", "deq()=empty", "" },
        { "queue:blocking", "deq()?", "" },
        { "queue:blocking", "poll()=empty", "[]" },
        { "queue", "take()?", "" },
        { "queue", "deq()?", "[]" },
        { "queue", "enq(1) enq(2) take()?", "[2]" },
        { "queue", "enq(1) enq(2) peek()=1 head()=1 front()?", "[1 2]" },
        { "queue", "enq(1) enq(2) peek()=2", "" },
        { "queue", "peek()=empty", "[]" },
        { "queue", "enq(1)! deq()=empty", "[]" },
        { "queue", "enq(nil) enq(true) enq(a.b) enq(7)", "[nil true a.b 7]" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void registers_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "register", "", "nil" },
        { "register", "read()=nil", "nil" },
        { "register:init=0", "read()=0", "0" },
        { "register:init=word", "", "word" },
        { "register:init=word", "read()=word", "word" },
        { "register:init=\"a b\"", "", "\"a b\"" },
        { "register", "write(1) read()=1 read()=2", "" },
        { "register", "write(1) cas(1,2)=true", "2" },
        { "register", "write(1) cas(1,2)=t", "2" },
        { "register", "write(1) cas(1,2)=1", "2" },
        { "register", "write(1) cas(1,2)=false", "" },
        { "register", "write(1) cas(3,2)=f", "1" },
        { "register", "write(1) cas(3,2)=true", "" },
        { "register", "write(1) cas(3,2)?", "1" },
        { "register", "write(1) cas(1,2)?", "2" },
        { "register", "write(1) cas(1,1)=0", "" },
        { "register", "write(1) swap(2)=1", "2" },
        { "register", "write(1) swap(2)=2", "" },
        { "register", "write(1) swap(2)?", "2" },
        { "register", "write(1) swap(1)=1", "1" },
        { "cas-register", "store(1) load()=1 get()?", "1" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void semiqueues_give_back_any_item(void **state)
{
    static const struct row rows[] = {
        { "semiqueue", "enq(1) enq(2) deq()=2", "{1}" },
        { "semiqueue", "enq(1) enq(2) poll()=1", "{2}" },
        { "semiqueue", "enq(1) enq(2) take()=3", "" },
        { "semiqueue", "enq(1) enq(2) deq()?", "{1}|{2}" },
        { "semiqueue", "enq(1) enq(1) deq()?", "{1}" },
        { "semiqueue", "enq(2) enq(1) peek()=1 peek()=2 peek()?", "{2 1}" },
        { "semiqueue", "enq(1) peek()=2", "" },
        { "semiqueue", "deq()=empty deq()?", "{}" },
        { "semiqueue", "enq(1) deq()=empty", "" },
        { "semiqueue", "enq(1) peek()=empty", "" },
        { "semiqueue:blocking", "deq()=empty", "" },
        { "semiqueue", "take()?", "" },
        { "semiqueue:cap=2", "enq(1) enq(1) enq(1)", "" },
        { "semiqueue:cap=2", "enq(1) enq(1) enq(1)=full put(2)?", "" },
        { "semiqueue:cap=2", "enq(1) enq(1) enq(1)?", "{1 1}" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void stuttering_queues_repeat_their_first_item(void **state)
{
    static const struct row rows[] = {
        { "stuttering-queue", "enq(1) deq()=1",
          "[1] (first item returned 1x)|[]" },
        { "stuttering-queue", "enq(1) deq()=1 deq()=1", "[]" },
        { "stuttering-queue", "enq(1) deq()=1 deq()=1 deq()=1", "" },
        { "stuttering-queue:j=2", "enq(1) deq()=1 deq()=1 deq()=1", "[]" },
        { "stuttering-queue:j=2", "enq(1) deq()=1 deq()=1 deq()=1 deq()=1",
          "" },
        { "stuttering-queue:j=0", "enq(1) deq()=1", "[]" },
        { "stuttering-queue", "enq(1) deq()=1 enq(2) deq()=1 deq()=2",
          "[2] (first item returned 1x)|[]" },
        { "stuttering-queue", "enq(1) deq()=1 peek()=1 deq()=1 deq()=empty",
          "[]" },
        { "stuttering-queue", "enq(1) peek()=1 peek()=1 peek()?", "[1]" },
        { "stuttering-queue", "enq(1) enq(2) deq()=2", "" },
        { "stuttering-queue", "enq(1) enq(1) deq()=1 deq()=1",
          "[1]|[1] (first item returned 1x)|[]" },
        { "stuttering-queue", "enq(1) deq()?",
          "[1] (first item returned 1x)|[]" },
        { "stuttering-queue:cap=1", "enq(1) deq()=1 enq(2)=full",
          "[1] (first item returned 1x)" },
        { "stuttering-queue:blocking", "deq()=empty", "" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void quasi_queues_are_at_most_k_off(void **state)
{
    static const struct row rows[] = {
        { "queue:k=0", "enq(1) enq(2) deq()=2", "" },
        { "queue:k=0", "enq(1) enq(2) deq()=1 deq()=2", "[]" },
        /* 2 is one too early; then 1 is overdue: t + 1 - o = 1 */
        { "queue:k=1", "enq(1) enq(2) enq(3) deq()=2",
          "[1 3] (first item overtaken 1x)" },
        { "queue:k=1", "enq(1) enq(2) enq(3) deq()=2 deq()=3", "" },
        { "queue:k=1", "enq(1) enq(2) enq(3) deq()=2 deq()=1 deq()=3", "[]" },
        { "queue:k=1", "enq(1) enq(2) enq(3) deq()=3", "" },
        { "queue:k=2", "enq(1) enq(2) enq(3) deq()=3 deq()=2 deq()=1", "[]" },
        { "queue:k=2", "enq(1) enq(2) enq(3) enq(4) deq()=2 deq()=3 deq()=4",
          "" },
        { "queue:k=1", "enq(1) enq(2) enq(3) deq()?",
          "[1 3] (first item overtaken 1x)|[2 3]" },
        { "queue:k=1", "enq(1) enq(2) enq(3) peek()=2 peek()=1 peek()?",
          "[1 2 3]" },
        { "queue:k=1", "enq(1) enq(2) enq(3) peek()=3", "" },
        /* of equal ones the oldest goes */
        { "queue:k=2", "enq(1) enq(2) enq(2) deq()=2 deq()?",
          "[1] (first item overtaken 2x)|[2]" },
        { "queue:k=3", "deq()=empty enq(1) deq()=empty", "" },
        { "queue:k=1,cap=1", "enq(1) enq(2)=full", "[1]" },
        { "queue:k=1,blocking", "deq()?", "" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void relaxed_objects_do_what_their_page_says(void **state)
{
    static const struct row rows[] = {
        { "queue:early=1", "enq(1) enq(2) enq(3) deq()=2 deq()=3", "[1]" },
        { "queue:early=1", "enq(1) enq(2) enq(3) deq()=3", "" },
        { "queue:late=1", "enq(1) enq(2) enq(3) deq()=3 deq()=2", "" },
        { "queue:late=1", "enq(1) enq(2) enq(3) deq()=3 deq()=1",
          "[2] (first item overtaken 1x)" },
        { "queue:segment=2", "enq(1) enq(2) enq(3) deq()=2 deq()=3", "" },
        { "queue:segment=2", "enq(1) enq(2) enq(3) deq()=2 deq()=1 deq()=3",
          "[]" },
        /* the slot of 1 is used up: 2 and 3 share no segment */
        { "queue:segment=2", "enq(1) deq()=1 enq(2) enq(3) deq()=3", "" },
        { "queue:segment=2", "enq(1) enq(2) enq(3) enq(4) deq()?",
          "[1 3 4]|[2 3 4]" },
        { "queue:enq=1,deq=1", "enq(1) enq(2) enq(3) deq()=3 deq()?", "[2]" },
        { "queue:empty=1", "enq(1) deq()=empty deq()=1", "[]" },
        { "queue:empty=1", "enq(1) enq(2) deq()=empty", "" },
        { "queue:empty=1", "enq(1) peek()=empty", "" },
        { "queue:empty=1,blocking", "enq(1) deq()=empty", "" },
        { "queue:empty=1,blocking", "enq(1) poll()=empty", "[1]" },
        { "stack:k=1", "push(1) push(2) push(3) pop()?", "[1 2]|[1 3]" },
        { "stack:k=2,late=1", "push(1) push(2) push(3) pop()=2 pop()?", "[1]" },
        { "stack:k=1", "push(1) push(1) push(2) pop()=1 pop()=1", "[2]" },
        { "stack:k=2", "push(1) push(2) push(1) pop()=1", "[1 2]|[2 1]" },
        { "priority-queue:k=1", "insert(3) insert(1) insert(2) delmin()?",
          "{1 3}|{2 3}" },
        { "priority-queue:max,k=1", "insert(3) insert(1) insert(2) delmin()?",
          "{2 1}|{3 1}" },
        { "priority-queue:late=1",
          "insert(1) insert(2) insert(3) delmin()=3 delmin()?", "{2}" },
        { "priority-queue:k=1", "insert(1) insert(1) insert(2) delmin()=2",
          "" },
        { "priority-queue:empty=1", "insert(1) delmin()=empty", "{1}" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void stacks_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "stack", "push(1) add(2) put(3)", "[1 2 3]" },
        { "stack", "push(1) push(2) pop()=2 pop()=1 pop()=empty", "[]" },
        { "stack", "push(1) push(2) pop()=1", "" },
        { "stack", "push(1) pop()=empty", "" },
        { "stack", "push(1) push(2) peek()=2 top()?", "[1 2]" },
        { "stack", "push(1) push(2) top()=1", "" },
        { "stack", "push(1) push(2) pop()?", "[1]" },
        { "stack", "pop()?", "[]" },
        { "stack", "take()?", "" },
        { "stack:blocking", "pop()?", "" },
        { "stack:blocking", "try_pop()=empty tryPop()?", "[]" },
        { "stack:blocking", "pop()=empty", "" },
        { "stack", "push(1)=full", "" },
        { "stack:cap=1", "push(1) push(2)=full", "[1]" },
        { "stack:cap=1", "push(1) push(2)", "" },
        { "stack:cap=1", "push(1) put(2)?", "" },
        { "stack:cap=1", "push(1) push(2)?", "[1]" },
        { "stack:cap=2", "push(1) push(2)=full", "" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void deques_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "deque", "push_back(2) push_front(1) pushRight(3) add_first(0)",
          "[0 1 2 3]" },
        { "deque", "push_back(1) push_back(2) pop_front()=1 pop_back()=2",
          "[]" },
        { "deque", "push_back(1) push_back(2) pop_back()=1", "" },
        { "deque", "push_top(1) push_top(2) steal()=2 pop_bottom()=1", "[]" },
        { "deque", "push_back(1) push_front(2) peek_front()=2 peek_back()=1",
          "[2 1]" },
        { "deque", "push_back(1) push_front(2) peek_last()=2", "" },
        { "deque", "push_back(1) push_front(2) pop_front()?", "[1]" },
        { "deque", "push_back(1) push_front(2) pop_back()?", "[2]" },
        { "deque", "pop_front()=empty pop_back()=empty peek_left()=empty",
          "[]" },
        { "deque:blocking", "pop_front()=empty", "" },
        { "deque:blocking", "pop_back()?", "" },
        { "deque:blocking", "peek_back()=empty", "[]" },
        { "deque:cap=1", "push_back(1) push_front(2)=full", "[1]" },
        { "deque:cap=1", "push_back(1) push_back(2)", "" },
        { "deque", "push_back(1)=full", "" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void priority_queues_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "priority-queue", "insert(2) insert(1) insert(2)", "{1 2 2}" },
        { "priority-queue", "insert(2) insert(1) delmin()=1 deq()=2", "{}" },
        { "priority-queue", "insert(2) insert(1) delmin()=2", "" },
        { "priority-queue:max", "insert(2) insert(1) delete_max()=2", "{1}" },
        { "priority-queue:max", "insert(2) insert(1) delmax()=1", "" },
        { "priority-queue", "delmin()=empty min()=empty", "{}" },
        { "priority-queue", "insert(1) delmin()=empty", "" },
        { "priority-queue", "insert(1) min()=1 peek()=2", "" },
        { "priority-queue", "insert(2) insert(1) top()=1 max()?", "{1 2}" },
        { "priority-queue", "insert(2) insert(1) delmin()?", "{2}" },
        { "priority-queue", "insert(1) insert(1) delmin()?", "{1}" },
        { "priority-queue", "insert(1,a) insert(1,b) delmin()?",
          "{(1,a)}|{(1,b)}" },
        { "priority-queue", "insert(1,a) insert(1) insert(2,c) take()?",
          "{(1,a) (2,c)}|{1 (2,c)}" },
        { "priority-queue", "insert(1,b) insert(1,a) delmin()=1,a min()=1,b",
          "{(1,b)}" },
        { "priority-queue", "insert(1,a) delmin()=1", "" },
        { "priority-queue", "insert(1) delmin()=1,1", "" },
        { "priority-queue", "insert(2,a) insert(1,b) delmin()=2,a", "" },
        /* nil < false < true < integers < strings */
        { "priority-queue",
          "insert(b) insert(ab) insert(a) insert(7) insert(-7) insert(true) "
          "insert(false) insert(nil)",
          "{nil false true -7 7 a ab b}" },
        { "priority-queue:blocking", "delmin()=empty", "" },
        { "priority-queue:blocking", "delmin()?", "" },
        { "priority-queue", "take()?", "" },
        { "priority-queue:cap=2", "insert(1) insert(1) insert(1)=full",
          "{1 1}" },
        { "priority-queue:cap=2", "insert(1) insert(1) insert(1)", "" },
        { "priority-queue", "insert(1)=full", "" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void sets_and_bags_do_what_their_tables_say(void **state)
{
    static const struct row rows[] = {
        { "set", "insert(1)=true insert(1)=false", "{1}" },
        { "set", "insert(1)=false", "" },
        { "set", "insert(1)=true insert(1)=true", "" },
        { "set", "add(1)=1 remove(1)=t erase(1)=f", "{}" },
        { "set", "insert(1)=true delete(1)=false", "" },
        { "set", "insert(1)=true has(1)=true member(2)=false", "{1}" },
        { "set", "insert(1)=true has(1)=false", "" },
        { "set", "insert(1)? insert(1)? delete(2)? member(7)?", "{1}" },
        { "set", "insert(1)? delete(1)?", "{}" },
        { "multiset", "insert(1) put(1) count(1)=2 delete(1)=true", "{1}" },
        { "multiset", "insert(1) count(1)=2", "" },
        { "multiset", "count(1)=0 delete(1)=false member(1)=false", "{}" },
        { "multiset", "insert(1) delete(1)=false", "" },
        { "multiset", "insert(1) insert(1)? delete(1)? count(1)?", "{1}" },
        { "multiset", "delete(1)?", "{}" },
        { "bag", "insert(1) insert(2) take()=2 get()=1 poll()=empty", "{}" },
        { "bag", "insert(1) take()=2", "" },
        { "bag", "insert(1) take()=empty", "" },
        { "bag", "insert(1) insert(2) insert(2) take()?", "{1 2}|{2 2}" },
        { "bag", "take()?", "{}" },
        { "bag:blocking", "take()?", "" },
        { "bag:blocking", "take()=empty", "" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void maps_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "map", "put(a,1) write(b,2) store(a,3)", "{a=3 b=2}" },
        { "map", "get(a)=none put(a,1) get(a)=1 read(b)=none", "{a=1}" },
        { "map", "put(a,1) get(a)=2", "" },
        { "map", "put(a,1) get(a)=none", "" },
        { "map", "get(a)=1", "" },
        { "map", "put(a,1) remove(a)=1 remove(a)=none", "{}" },
        { "map", "put(a,1) remove(a)=2", "" },
        { "map", "put(a,1) remove(a)=none", "" },
        { "map", "put(a,1) remove(a)? remove(b)? get(c)?", "{}" },
        { "map", "insert(a,1)=true insert(a,2)=false get(a)=1", "{a=1}" },
        { "map", "insert(a,1)=false", "" },
        { "map", "insert(a,1)? insert(a,2)?", "{a=1}" },
        { "map", "put(a,nil) member(a)=true has(b)=false", "{a=nil}" },
        { "map", "put(a,1) member(a)=false", "" },
        { "map:init=0", "get(a)=0 member(b)=true", "{*=0}" },
        { "map:init=0", "put(a,1) put(a,0)", "{*=0}" },
        { "map:init=0", "remove(a)=0 get(a)=none", "{a=none() *=0}" },
        { "map:init=0", "insert(a,1)=false", "{*=0}" },
        { "map:init=0", "remove(a)=0 insert(a,0)=true", "{*=0}" },
        { "map", "append(k,ab) append(k,c) get(k)=abc", "{k=abc}" },
        { "map", "append(k,ab) append(k,c) get(k)=ab", "" },
        { "map", "put(k,12) append(k,true) get(k)=12true", "" },
        { "map", "put(k,x) append(k,true) append(k,-5) get(k)=xtrue-5",
          "{k=xtrue-5}" },
        { "map", "put(k,nil) append(k,nil) append(k,x) remove(k)=x", "{}" },
        { "map", "append(k,1) append(k,2) get(k)=12", "" },
        { "map", "append(k,1) append(k,2)", "{k=\"12\"}" },
        { "map", "append(k,nil) member(k)=true", "{k=\"\"}" },
        { "map:init=x", "append(k,y) get(k)=xy get(j)=x", "{k=xy *=x}" },
        { "map:init=xy", "put(k,x) append(k,y)", "{*=xy}" },
        { "map", "put(k,a) append(k,b)? insert(k,c)=false", "{k=ab}" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void counters_do_what_their_table_says(void **state)
{
    static const struct row rows[] = {
        { "counter", "inc() increment() dec() add(5) get()=6", "6" },
        { "counter", "inc() get()=0", "" },
        { "counter", "dec() value()=-1", "-1" },
        { "counter:init=-3", "get()=-3 add(-2)", "-5" },
        { "counter", "fetch_inc()=0 fetch_inc()=1", "2" },
        { "counter", "fetch_inc()=1", "" },
        { "counter", "fetch_add(5)=0 get_and_add(0)=5 add(0)", "5" },
        { "counter", "fetch_inc()? inc()? get()? fetch_add(3)?", "5" },
        { "counter:init=9223372036854775807", "inc()", "-9223372036854775808" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

static void semaphores_and_mutexes_wait(void **state)
{
    static const struct row rows[] = {
        { "semaphore", "acquire() release() p() v()", "1" },
        { "semaphore", "acquire() acquire()", "" },
        { "semaphore:n=2", "acquire() down()", "0" },
        { "semaphore", "acquire() acquire()?", "" },
        { "semaphore", "try_acquire()=true try_acquire()=false", "0" },
        { "semaphore", "try_acquire()=false", "" },
        { "semaphore", "try_acquire()? try_acquire()?", "0" },
        { "semaphore", "release() release()", "3" },
        { "semaphore:n=0", "try_wait()=true", "" },
        { "mutex", "", "unlocked" },
        { "mutex", "lock()", "locked" },
        { "mutex", "lock() lock()", "" },
        { "mutex", "lock() lock()?", "" },
        { "mutex", "lock() unlock() acquire() release()", "unlocked" },
        { "mutex", "unlock()", "" },
        { "mutex", "unlock()?", "" },
        { "mutex", "try_lock()=true try_lock()=false", "locked" },
        { "mutex", "try_lock()=false", "" },
        { "mutex", "lock() try_lock()=true", "" },
        { "mutex", "try_lock()? try_lock()?", "locked" },
        { 0 }
    };
    (void)state;
    expect_all(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_do_what_their_table_says),
        cmocka_unit_test(registers_do_what_their_table_says),
        cmocka_unit_test(semiqueues_give_back_any_item),
        cmocka_unit_test(stuttering_queues_repeat_their_first_item),
        cmocka_unit_test(quasi_queues_are_at_most_k_off),
        cmocka_unit_test(relaxed_objects_do_what_their_page_says),
        cmocka_unit_test(stacks_do_what_their_table_says),
        cmocka_unit_test(deques_do_what_their_table_says),
        cmocka_unit_test(priority_queues_do_what_their_table_says),
        cmocka_unit_test(sets_and_bags_do_what_their_tables_say),
        cmocka_unit_test(maps_do_what_their_table_says),
        cmocka_unit_test(counters_do_what_their_table_says),
        cmocka_unit_test(semaphores_and_mutexes_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
