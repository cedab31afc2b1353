/* test_type_laws.c - what must hold of every type, tried exhaustively.
 *
 * From a type's own table a history is made that has every operation with
 * every small argument and every answer, and once more pending.  Then, in all
 * states that a few steps reach:
 *   - a pending operation may become just what it may become by any answer;
 *   - an operation that is said to be read-only changes no state;
 *   - a step that is not said to branch gives at most one state;
 * and of all short legal sequences, if the type is closed: leaving out all
 * operations that belong to a value leaves a legal sequence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "spec/shape.h"
#include "spec/spec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

/* ---- the history of everything ---- */

struct maker {
    struct plumb_builder *b;
    unsigned threads;
};

static uint32_t symbol(struct maker *m, const char *text)
{
    return plumb_builder_symbol(m->b, text, strlen(text));
}

/* The i-th value for a letter; false if there are no more. */
static bool nth_value(char letter, unsigned i, struct plumb_value *v)
{
    if (letter == 'b')
        *v = plumb_bool(i);
    else if (letter == 'i')
        *v = plumb_int((int)i - 3);
    else
        *v = plumb_int((int)i + 1);
    return i < (letter == 'i' ? 8 : 2);
}

static void call(struct maker *m, const struct plumb_spec_opdef *def,
                 const struct plumb_value *arg, const char *term,
                 const struct plumb_value *result, size_t results)
{
    struct plumb_error err;
    char thread[16], name[32];
    snprintf(thread, sizeof thread, "T%u", m->threads++);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(def->names, " "),
             def->names);
    const uint32_t t = symbol(m, thread), x = symbol(m, "x");
    assert_int_equal(plumb_builder_call(m->b, t, x, symbol(m, name), arg,
                                        strlen(def->args), NULL, &err),
                     PLUMB_OK);
    if (!term)
        return;
    assert_int_equal(plumb_builder_respond(m->b, t, x, PLUMB_OUTCOME_OK,
                                           symbol(m, term), result, results,
                                           NULL, &err),
                     PLUMB_OK);
}

static void all_results(struct maker *m, const struct plumb_spec_opdef *def,
                        const struct plumb_value *arg, unsigned term,
                        const struct plumb_spec_shape *shape,
                        struct plumb_value *result, unsigned at)
{
    if (at >= shape->least)
        call(m, def, arg, plumb_spec_term_name(term), result, at);
    if (at == shape->most)
        return;
    for (unsigned i = 0; nth_value(shape->letter[at], i, result + at); i++)
        all_results(m, def, arg, term, shape, result, at + 1);
}

static void all_arguments(struct maker *m, const struct plumb_spec_opdef *def,
                          struct plumb_value *arg, size_t at)
{
    if (def->args[at]) {
        for (unsigned i = 0; nth_value(def->args[at], i, arg + at); i++)
            all_arguments(m, def, arg, at + 1);
        return;
    }
    struct plumb_spec_row row;
    struct plumb_value result[PLUMB_SHAPE_VALUES];
    call(m, def, arg, NULL, NULL, 0); /* pending, then with every answer */
    plumb_spec_row_read(def, &row);
    for (unsigned t = 0; t < PLUMB_TERMS; t++)
        if (row.answer[t].present)
            all_results(m, def, arg, t, row.answer + t, result, 0);
}

struct world {
    struct plumb_spec *spec;
    const struct plumb_spec_type *type;
    struct plumb_history h;
    struct plumb_spec_bound bound;
    struct plumb_spec_space space;
};

static void open_world(struct world *w, const char *text)
{
    struct plumb_error err;
    struct plumb_value arg[4];
    struct maker m = { .b = plumb_builder_new(NULL) };
    assert_int_equal(plumb_spec_parse(text, &w->spec, &err), PLUMB_OK);
    w->type = w->spec->type;
    for (unsigned i = 0; i < w->type->nops; i++)
        all_arguments(&m, w->type->ops + i, arg, 0);
    assert_int_equal(
        plumb_builder_finish(m.b, PLUMB_TIES_CALL_FIRST, &w->h, &err),
        PLUMB_OK);
    plumb_builder_free(m.b);
    assert_int_equal(plumb_spec_bind(&w->h, w->spec, NULL, &w->bound, &err),
                     PLUMB_OK);
    assert_true(plumb_spec_space_open(&w->space, &w->bound, NULL));
}

static void close_world(struct world *w)
{
    plumb_spec_space_close(&w->space);
    plumb_spec_bound_release(&w->bound);
    plumb_history_release(&w->h);
    plumb_spec_free(w->spec);
}

/* ---- sets of states ---- */

static bool has(const struct plumb_spec_states *set, plumb_spec_state s)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->state[i] == s)
            return true;
    return false;
}

static void add_all(struct plumb_spec_states *set,
                    const struct plumb_spec_states *more)
{
    for (size_t i = 0; i < more->count; i++)
        if (!has(set, more->state[i]))
            assert_true(plumb_spec_states_add(set, more->state[i]));
}

static void check_step(struct world *w, const struct plumb_spec_action *a,
                       plumb_spec_state s, const struct plumb_spec_states *to)
{
    const bool reads = w->type->reads(w->spec, a);
    const bool branches = w->type->branches && w->type->branches(&w->bound, a);
    assert_true(branches || to->count <= 1);
    for (size_t i = 0; i < to->count; i++) {
        assert_true(!reads || to->state[i] == s);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(to->state[i], to->state[k]);
    }
}

/* A pending action stands before its answered versions. */
static void check_pending(struct world *w, plumb_spec_state s,
                          struct plumb_spec_states *reached)
{
    struct plumb_spec_states any = { .budget = NULL }, one = any, sum = any;
    for (uint32_t i = 0; i < w->h.count;) {
        const struct plumb_spec_action *const pending = w->bound.action + i;
        any.count = sum.count = 0;
        assert_true(w->type->step(&w->space, s, pending, &any));
        check_step(w, pending, s, &any);
        for (i++; i < w->h.count && w->bound.action[i].term != PLUMB_TERM_ANY;
             i++) {
            one.count = 0;
            assert_true(w->type->step(&w->space, s, w->bound.action + i, &one));
            check_step(w, w->bound.action + i, s, &one);
            add_all(&sum, &one);
        }
        for (size_t k = 0; k < any.count; k++)
            if (!has(&sum, any.state[k]) || any.count != sum.count)
                fail_msg("%s: pending %s has other outcomes than its answers",
                         w->spec->text, w->type->ops[pending->kind].names);
        assert_int_equal(any.count, sum.count);
        add_all(reached, &any);
    }
    plumb_spec_states_release(&any);
    plumb_spec_states_release(&one);
    plumb_spec_states_release(&sum);
}

static void pending_is_any_answer(const char *text, unsigned depth)
{
    struct world w;
    struct plumb_spec_states reached = { .budget = NULL };
    size_t from = 0;
    open_world(&w, text);
    assert_true(plumb_spec_states_made(&reached, w.type->initial(&w.space)));
    while (depth--) {
        const size_t to = reached.count;
        for (; from < to && from < MOST; from++)
            check_pending(&w, reached.state[from], &reached);
    }
    plumb_spec_states_release(&reached);
    close_world(&w);
}

static void a_pending_operation_may_have_any_answer(void **state)
{
    static const char *const specs[] = {
        "queue",
        "queue:cap=2",
        "queue:blocking",
        "queue:k=0",
        "queue:k=1",
        "queue:k=2,cap=3",
        "queue:late=1",
        "queue:segment=2",
        "queue:enq=1,deq=1",
        "queue:empty=1",
        "stack:k=1",
        "stack:late=1,empty=1",
        "priority-queue:k=1",
        "priority-queue:late=1,empty=2",
        "semiqueue",
        "semiqueue:cap=2,blocking",
        "stuttering-queue",
        "stuttering-queue:j=2,cap=2",
        "stuttering-queue:j=0,blocking",
        "stack",
        "stack:cap=2",
        "stack:blocking",
        "deque",
        "deque:cap=2,blocking",
        "priority-queue",
        "priority-queue:max,blocking",
        "priority-queue:cap=2",
        "set",
        "multiset",
        "bag",
        "bag:blocking",
        "register:init=1",
        "cas-register:init=2",
        "semaphore:n=2",
        "mutex",
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        pending_is_any_answer(specs[i], 4);
    pending_is_any_answer("counter", 2); /* answers range from -3 to 4 */
    pending_is_any_answer("map", 1);     /* strings are not among them */
    pending_is_any_answer("map:init=1", 1);
}

/* ---- closed under deleting a value ---- */

/* The states after sequence[0 .. length) without what belongs to `without`. */
static bool is_legal(struct world *w, const uint32_t *sequence, unsigned length,
                     plumb_spec_vid without)
{
    struct plumb_spec_states now = { .budget = NULL }, next = now, one = now;
    assert_true(plumb_spec_states_made(&now, w->type->initial(&w->space)));
    for (unsigned i = 0; i < length && now.count; i++) {
        const struct plumb_spec_action *const a = w->bound.action + sequence[i];
        if (without != PLUMB_NO_VALUE &&
            w->type->owner(&w->space, a) == without)
            continue;
        next.count = 0;
        for (size_t s = 0; s < now.count; s++) {
            one.count = 0;
            assert_true(w->type->step(&w->space, now.state[s], a, &one));
            add_all(&next, &one);
        }
        const struct plumb_spec_states swap = now;
        now = next;
        next = swap;
    }
    const bool legal = now.count;
    plumb_spec_states_release(&now);
    plumb_spec_states_release(&next);
    plumb_spec_states_release(&one);
    return legal;
}

struct tally {
    unsigned sequences, broken;
};

/* All legal sequences that extend sequence[0 .. at). */
static void try_sequences(struct world *w, uint32_t *sequence, unsigned at,
                          unsigned length, struct tally *tally)
{
    if (!is_legal(w, sequence, at, PLUMB_NO_VALUE))
        return;
    tally->sequences++;
    for (plumb_spec_vid v = 0; v < w->bound.values; v++)
        tally->broken += !is_legal(w, sequence, at, v);
    for (uint32_t i = 0; at < length && i < w->h.count; i++) {
        sequence[at] = i;
        if (w->bound.action[i].term != PLUMB_TERM_ANY)
            try_sequences(w, sequence, at + 1, length, tally);
    }
}

static struct tally deletions_from(const char *text, unsigned length)
{
    struct world w;
    struct tally tally = { 0, 0 };
    uint32_t sequence[8];
    open_world(&w, text);
    assert_non_null(w.type->owner);
    const bool closed = !w.type->closed || w.type->closed(&w.bound, 0);
    try_sequences(&w, sequence, 0, length, &tally);
    if (closed && tally.broken)
        fail_msg("%s says it is closed under deleting a value", text);
    assert_true(tally.sequences > 10);
    close_world(&w);
    return tally;
}

static void closed_types_stay_legal_without_a_value(void **state)
{
    static const char *const specs[] = {
        "queue", "queue:blocking", "semiqueue", "stuttering-queue",
        "stack", "deque",          "set",       "multiset",
        "bag",
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        deletions_from(specs[i], 4);
    deletions_from("priority-queue", 3);
    deletions_from("map", 3);
}

static void types_that_are_not_closed_are_not_so_by_mistake(void **state)
{
    (void)state;
    assert_true(deletions_from("queue:cap=1", 2).broken > 0);
    assert_true(deletions_from("stack:cap=1", 2).broken > 0);
    assert_true(deletions_from("deque:cap=1", 2).broken > 0);
    assert_true(deletions_from("priority-queue:cap=1", 2).broken > 0);
    assert_true(deletions_from("register", 2).broken > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pending_operation_may_have_any_answer),
        cmocka_unit_test(closed_types_stay_legal_without_a_value),
        cmocka_unit_test(types_that_are_not_closed_are_not_so_by_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
