/* test_model_collections.c - every method of every collection does what a plain
 * one does that knows no order of elements but their place in an array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "csp/formulas/collections.h"
#include "effort.h"

#include <string.h>

enum { MOST = 600, VARIABLES = 3, VALUES = 7, LOWEST = -3 };

/* In the order in which they came; of a table, keys and values. */
struct plain {
    int count;
    int32_t at[MOST], value[MOST];
};

struct pair {
    struct plain before, after;
    int32_t answer;
    enum plumb_csp_method_end end;
};

/* ---- the plain ones ---- */

static int place_of(const struct plain *p, int32_t value)
{
    for (int i = 0; i < p->count; i++)
        if (p->at[i] == value)
            return i;
    return -1;
}

static void insert(struct plain *p, int at, int32_t element, int32_t value)
{
    assert_true(p->count < MOST);
    for (int i = p->count++; i > at; i--) {
        p->at[i] = p->at[i - 1];
        p->value[i] = p->value[i - 1];
    }
    p->at[at] = element;
    p->value[at] = value;
}

static void drop(struct plain *p, int at)
{
    p->count--;
    for (int i = at; i < p->count; i++) {
        p->at[i] = p->at[i + 1];
        p->value[i] = p->value[i + 1];
    }
}

/* Where it belongs among smaller ones. */
static int rank_of(const struct plain *p, int32_t value)
{
    int rank = 0;
    for (int i = 0; i < p->count; i++)
        rank += p->at[i] < value;
    return rank;
}

static void take(struct pair *x, int at, bool drops)
{
    if (x->after.count == 0)
        x->end = PLUMB_METHOD_EMPTY;
    else
        x->answer = x->after.at[at];
    if (x->after.count && drops)
        drop(&x->after, at);
}

static bool is(const struct plumb_csp_method *m, const char *name)
{
    return strcmp(m->name, name) == 0;
}

static bool has(const struct plain *p, int32_t value)
{
    return place_of(p, value) >= 0;
}

/* Elements of a and b that are in as many as wanted. */
static struct plain both(const struct plain *a, const struct plain *b,
                         const char *what)
{
    struct plain out = { 0 };
    for (int32_t v = LOWEST; v < LOWEST + VALUES; v++)
        if (strcmp(what, "Union") == 0       ? has(a, v) || has(b, v)
            : strcmp(what, "Intersect") == 0 ? has(a, v) && has(b, v)
                                             : has(a, v) && !has(b, v))
            insert(&out, out.count, v, 0);
    return out;
}

static struct plain joined(const struct plain *a, const struct plain *b)
{
    struct plain out = *a;
    for (int i = 0; i < b->count; i++)
        insert(&out, out.count, b->at[i], 0);
    return out;
}

/* Methods that every collection has, or that only ask. */
static bool ask(struct pair *x, const struct plumb_csp_method *m,
                const int32_t *n, const struct plain *const *other)
{
    const struct plain *const p = &x->before;
    if (is(m, "Count"))
        x->answer = p->count;
    else if (is(m, "IsEmpty"))
        x->answer = p->count == 0;
    else if (is(m, "Clear"))
        x->after.count = 0;
    else if (is(m, "Contains") || is(m, "ContainsKey"))
        x->answer = has(p, n[0]);
    else if (is(m, "IndexOf"))
        x->answer = place_of(p, n[0]);
    else if (is(m, "GetValue") && has(p, n[0]))
        x->answer = p->value[place_of(p, n[0])];
    else if (is(m, "GetValue"))
        x->end = PLUMB_METHOD_KEY;
    else if (is(m, "IsDisjoint"))
        x->answer = both(p, other[0], "Intersect").count == 0;
    else if (is(m, "IsOverlapping"))
        x->answer = both(p, other[0], "Intersect").count > 0;
    else
        return false;
    return true;
}

static void change_at(struct pair *x, const struct plumb_csp_method *m,
                      const int32_t *n)
{
    const bool inserts = is(m, "Insert");
    if (n[0] < 0 || n[0] >= x->before.count + inserts) {
        x->end = PLUMB_METHOD_INDEX;
        return;
    }
    if (is(m, "Get"))
        x->answer = x->before.at[n[0]];
    else if (is(m, "RemoveAt"))
        drop(&x->after, n[0]);
    else if (inserts)
        insert(&x->after, n[0], n[1], 0);
    else
        x->after.at[n[0]] = n[1];
}

static void change(struct pair *x, const struct plumb_csp_method *m,
                   enum plumb_csp_collection_kind kind, const int32_t *n)
{
    struct plain *const p = &x->after;
    const bool row =
        kind != PLUMB_COLLECTION_SET && kind != PLUMB_COLLECTION_TABLE;
    const bool there = has(p, n[0]);
    if (is(m, "Remove")) {
        x->answer = there;
        if (there)
            drop(p, place_of(p, n[0]));
    } else if (row) {
        insert(p, p->count, n[0], 0);
    } else {
        x->answer = !there;
        if (!there)
            insert(p, rank_of(p, n[0]), n[0], n[1]);
    }
}

static void plainly(struct pair *x, const struct plumb_csp_method *m,
                    enum plumb_csp_collection_kind kind, const int32_t *n,
                    const struct plain *const *other)
{
    const int last = x->before.count - 1;
    x->after = x->before;
    if (ask(x, m, n, other))
        return;
    if (is(m, "Concat"))
        x->after = joined(other[0], other[1]);
    else if (m->answers == 'c')
        x->after = both(other[0], other[1], m->name);
    else if (is(m, "Get") || is(m, "RemoveAt") || is(m, "Insert") ||
             is(m, "Set"))
        change_at(x, m, n);
    else if (is(m, "First") || is(m, "Dequeue"))
        take(x, 0, is(m, "Dequeue"));
    else if (is(m, "Last") || is(m, "Pop"))
        take(x, last, is(m, "Pop"));
    else if (is(m, "Peek"))
        take(x, kind == PLUMB_COLLECTION_STACK ? last : 0, false);
    else
        change(x, m, kind, n);
}

/* ---- and those of models ---- */

struct both_kinds {
    struct plumb_csp_collections *c;
    enum plumb_csp_collection_kind kind;
    struct plain plain[VARIABLES];
    int64_t number[VARIABLES];
};

static void is_shown(const struct both_kinds *b, const struct plain *p,
                     int64_t number)
{
    struct plumb_base_text text, want;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_init(&want, NULL);
    const bool table = b->kind == PLUMB_COLLECTION_TABLE;
    const bool braces = table || b->kind == PLUMB_COLLECTION_SET;
    plumb_base_text_add(&want, braces ? "{" : "[");
    for (int i = 0; i < p->count; i++) {
        plumb_base_text_printf(&want, "%s%d", i ? ", " : "", (int)p->at[i]);
        if (table)
            plumb_base_text_printf(&want, "=%d", (int)p->value[i]);
    }
    plumb_base_text_add(&want, braces ? "}" : "]");
    plumb_csp_collections_text(b->c, b->kind, (uint32_t)number, &text);
    assert_string_equal(text.data, want.data);
    plumb_base_text_release(&text);
    plumb_base_text_release(&want);
}

static uint32_t method_named(enum plumb_csp_collection_kind kind,
                             const char *names)
{
    const struct plumb_csp_method *m;
    for (uint32_t i = 0; (m = plumb_csp_method_at(i)); i++)
        if ((m->kinds >> kind & 1) && strstr(names, m->name) &&
            m->answers != 'c')
            return i;
    fail();
    return 0;
}

/* Made once more, element by element, it has the same number. */
static void is_one(const struct both_kinds *b, const struct plain *p,
                   int64_t number)
{
    const uint32_t add = method_named(b->kind, "Push Enqueue Add");
    int64_t operand[3] = { 0 };
    for (int i = 0; i < p->count; i++) {
        int32_t next;
        operand[1] = p->at[i];
        operand[2] = p->value[i];
        assert_int_equal(plumb_csp_collections_call(b->c, add, true, operand,
                                                    true, NULL, &next),
                         PLUMB_METHOD_DONE);
        operand[0] = next;
    }
    assert_int_equal(operand[0], number);
}

static int64_t after_call(const struct both_kinds *b, uint32_t method,
                          bool after, const int64_t *operand,
                          const struct pair *want)
{
    int32_t value, again;
    const enum plumb_csp_method_end end = plumb_csp_collections_call(
        b->c, method, after, operand, true, NULL, &value);
    assert_int_equal(end, want->end);
    if (end != PLUMB_METHOD_DONE)
        return -1;
    assert_int_equal(plumb_csp_collections_call(b->c, method, after, operand,
                                                true, NULL, &again),
                     PLUMB_METHOD_DONE);
    assert_int_equal(value, again);
    return value;
}

static void try_one(struct both_kinds *b, uint32_t method, uint32_t self,
                    struct plumb_base_rng *rng)
{
    const struct plumb_csp_method *const m = plumb_csp_method_at(method);
    static struct pair x;
    int64_t operand[3] = { b->number[self] };
    int32_t n[2] = { 0 };
    const struct plain *other[2] = { &b->plain[self], &b->plain[self] };
    uint32_t numbers = 0, others = strlen(m->arguments) == 1 ? 1 : 0;
    x.before = b->plain[self];
    x.answer = 0;
    x.end = PLUMB_METHOD_DONE;
    for (uint32_t i = 0; m->arguments[i]; i++) {
        const uint32_t v = plumb_base_rng_below(rng, VARIABLES);
        if (m->arguments[i] == 'c') {
            operand[1 + i] = b->number[v];
            other[others++] = &b->plain[v];
        } else {
            n[numbers] = (int32_t)plumb_base_rng_below(rng, VALUES) + LOWEST;
            operand[1 + i] = n[numbers++];
        }
    }
    if (m->answers == 'b' && m->arguments[0] == 'c')
        other[0] = other[1];
    plainly(&x, m, b->kind, n, other);
    if (m->answers != 'c' && m->answers != ' ') {
        const int64_t answer = after_call(b, method, false, operand, &x);
        if (x.end == PLUMB_METHOD_DONE)
            assert_int_equal(answer, x.answer);
    }
    if (!m->changes && m->answers != 'c')
        return;
    const int64_t next = after_call(b, method, m->changes, operand, &x);
    if (x.end != PLUMB_METHOD_DONE || x.after.count > MOST / 4)
        return;
    is_shown(b, &x.after, next);
    if (x.after.count < 8)
        is_one(b, &x.after, next);
    b->plain[self] = x.after;
    b->number[self] = next;
}

static uint32_t count_methods(void)
{
    uint32_t count = 0;
    while (plumb_csp_method_at(count))
        count++;
    return count;
}

/* Mostly small: what grows is emptied now and then. */
static void collections_of(enum plumb_csp_collection_kind kind, int steps)
{
    static struct both_kinds b;
    struct plumb_base_rng rng;
    const uint32_t methods = count_methods();
    b = (struct both_kinds){ .c = plumb_csp_collections_new(NULL),
                             .kind = kind };
    plumb_base_rng_seed(&rng, 40 + (uint64_t)kind);
    for (int step = 0; step < steps;) {
        const uint32_t method = plumb_base_rng_below(&rng, methods);
        const struct plumb_csp_method *const m = plumb_csp_method_at(method);
        if (!(m->kinds >> kind & 1) ||
            (is(m, "Concat") && plumb_base_rng_below(&rng, 4)))
            continue;
        try_one(&b, method, plumb_base_rng_below(&rng, VARIABLES), &rng);
        step++;
    }
    plumb_csp_collections_free(b.c);
}

static void methods_do_what_plain_ones_do(void **state)
{
    (void)state;
    for (int k = 1; k < PLUMB_COLLECTION_KINDS; k++)
        collections_of((enum plumb_csp_collection_kind)k, SOME_OF(1000000));
}

/* Large ones are made by whoever may make anything, and found by all. */
static void nothing_is_made_unless_allowed(void **state)
{
    struct plumb_csp_collections *const c = plumb_csp_collections_new(NULL);
    const uint32_t add = method_named(PLUMB_COLLECTION_LIST, "Add");
    int64_t operand[2] = { 0, 7 };
    int32_t value;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(plumb_csp_collections_call(c, add, true, operand,
                                                    false, NULL, &value),
                         PLUMB_METHOD_UNKNOWN);
        assert_int_equal(plumb_csp_collections_call(c, add, true, operand, true,
                                                    NULL, &value),
                         PLUMB_METHOD_DONE);
        if (i < 200)
            assert_int_equal(plumb_csp_collections_call(c, add, true, operand,
                                                        false, NULL, &value),
                             PLUMB_METHOD_DONE);
        operand[0] = value;
    }
    plumb_csp_collections_free(c);
}

static void memory_is_refused(void **state)
{
    const uint32_t add = method_named(PLUMB_COLLECTION_QUEUE, "Enqueue");
    (void)state;
    for (uint64_t nth = 1; nth < 40; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        plumb_base_budget_fail_at(budget, nth);
        struct plumb_csp_collections *const c =
            plumb_csp_collections_new(budget);
        int64_t operand[2] = { 0, 1 };
        enum plumb_csp_method_end end = PLUMB_METHOD_DONE;
        for (int i = 0; c && i < 600 && end == PLUMB_METHOD_DONE; i++) {
            int32_t value;
            end = plumb_csp_collections_call(c, add, true, operand, true, NULL,
                                             &value);
            operand[0] = value;
        }
        assert_true(end == PLUMB_METHOD_DONE || end == PLUMB_METHOD_MEMORY);
        plumb_csp_collections_free(c);
        plumb_budget_free(budget);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_do_what_plain_ones_do),
        cmocka_unit_test(nothing_is_made_unless_allowed),
        cmocka_unit_test(memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
