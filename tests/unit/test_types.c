/* test_types.c - docs/SPECS.md as a table of sequences.
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
#include "history_text.h"
#include "spec/spec.h"
#include <stdio.h>

/* "deq()=1" in the language of history_text.h: one thread, no overlap; a
 * pending operation has a thread of its own. */
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
            n += (size_t)snprintf(text + n, size - n, "P %.*s P:! ", l, ops);
        else if (*end != '=')
            n += (size_t)snprintf(text + n, size - n, "P %.*s P:ok() ", l, ops);
        else if (strncmp(end, "=empty", 6) == 0 ||
                 strncmp(end, "=full", 5) == 0 || strncmp(end, "=none", 5) == 0)
            n += (size_t)snprintf(text + n, size - n, "P %.*s P:%.*s() ", l,
                                  ops, (int)rest - 1, end + 1);
        else
            n += (size_t)snprintf(text + n, size - n, "P %.*s P:ok(%.*s) ", l,
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
    const plumb_state a = *(const plumb_state *)x, b = *(const plumb_state *)y;
    return a < b ? -1 : a > b;
}

/* All states after the actions; each step from each state. */
static bool run(struct plumb_space *space, struct plumb_states *now)
{
    const struct plumb_bound *const bound = space->bound;
    const struct plumb_type *const type = bound->spec->type;
    struct plumb_states next = { .budget = now->budget };
    if (!plumb_states_made(now, type->initial(space)))
        return false;
    for (uint32_t i = 0; i < bound->history->count; i++) {
        const struct plumb_action *const a = bound->action + i;
        const bool reads = type->reads(bound->spec, a);
        if (a->skip)
            continue;
        next.count = 0;
        for (size_t s = 0; s < now->count; s++) {
            const size_t before = next.count;
            if (!type->step(space, now->state[s], a, &next)) {
                plumb_states_release(&next);
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
                !plumb_states_add(now, next.state[s])) {
                plumb_states_release(&next);
                return false;
            }
    }
    plumb_states_release(&next);
    return true;
}

static int compare_strings(const void *x, const void *y)
{
    return strcmp(x, y);
}

static void show_states(const struct plumb_space *space,
                        const struct plumb_states *states, char *to)
{
    char shown[16][100];
    to[0] = '\0';
    assert_true(states->count <= 16);
    for (size_t i = 0; i < states->count; i++) {
        struct plumb_text text;
        plumb_text_init(&text, NULL);
        space->spec->type->show(space, states->state[i], &text);
        snprintf(shown[i], sizeof shown[i], "%s", plumb_text_string(&text));
        plumb_text_release(&text);
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
    struct plumb_bound bound;
    struct plumb_space space;
    struct plumb_states states = { .budget = NULL };
    translate(row->ops, text, sizeof text);
    assert_true(history_of(text, NULL, &h, &err));
    assert_int_equal(plumb_spec_parse(row->spec, &spec, &err), PLUMB_OK);
    if (plumb_bind(&h, spec, NULL, &bound, &err) != PLUMB_OK)
        fail_msg("%s: %s: %s", row->spec, row->ops, err.message);
    assert_true(plumb_space_open(&space, &bound, NULL));
    assert_true(run(&space, &states));
    show_states(&space, &states, shown);
    if (strcmp(shown, row->states) != 0)
        fail_msg("%s: %s: expected %s, got %s", row->spec, row->ops,
                 row->states, shown);
    plumb_states_release(&states);
    plumb_space_close(&space);
    plumb_bound_release(&bound);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void expect_all(const struct row *row)
{
    for (; row->spec; row++)
        expect(row);
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
        { "queue", "enq(nil) enq(#t) enq(a.b) enq(7)", "[nil true a.b 7]" },
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
        { "register", "write(1) cas(3,2)=#t", "" },
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_do_what_their_table_says),
        cmocka_unit_test(registers_do_what_their_table_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
