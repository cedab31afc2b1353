/* closure.c - what docs/specifications.md claims of the types, by brute force.
 *
 * Deciders and cores rely on three columns of its tables: closed under
 * deleting a value, read-only, by key.  Here they are compared with what the
 * types do, on all legal sequences of up to five operations. */
#include "generate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the four above */
#include <cmocka.h>

#define LENGTH 5

/* The domains of two values, and these of three. */
#define DEQ3 "ok(1|2|3),empty()"
static const struct domain three_values[] = {
    { .spec = "queue", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "queue:k=1", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "queue:k=2", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "queue:early=1", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "queue:late=1", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "stack:k=1,late=1", .core = "push(1|2|3)=ok() pop()=" DEQ3 },
    { .spec = "semiqueue", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "stuttering-queue", .core = "enq(1|2|3)=ok() deq()=" DEQ3 },
    { .spec = "stack", .core = "push(1|2|3)=ok() pop()=" DEQ3 },
    { .spec = "deque",
      .core = "push_front(1|2|3)=ok() push_back(1|2|3)=ok() pop_front()=" DEQ3
              " pop_back()=" DEQ3 },
    { .spec = "priority-queue",
      .core = "insert(1|2|3)=ok() insert(1|2|3,a|b)=ok() delmin()=" DEQ3
              ",ok(1|2|3,a|b)" },
    { .spec = "bag", .core = "insert(1|2|3)=ok() take()=" DEQ3 },
    { .spec = "register", .core = "write(1|2|3)=ok() read()=ok(nil|1|2|3)" },
    { .spec = "map", .core = "put(a|b|c,1|2)=ok() get(a|b|c)=ok(1|2),none()" },
};

static unsigned all_domains(void)
{
    return domain_count + sizeof three_values / sizeof *three_values;
}

static void open_domain(unsigned i, struct alphabet *a)
{
    struct domain d;
    if (i < domain_count) {
        alphabet_init(a, &domains[i]);
        return;
    }
    d = three_values[i - domain_count];
    d.more = d.rest = "";
    alphabet_init(a, &d);
    a->domain = &three_values[i - domain_count];
}

/* ---- sequences ---- */

struct sequence {
    const struct alphabet *a;
    unsigned count;
    unsigned at[LENGTH]; /* instances */
};

static const struct oracle_call *call_of(const struct sequence *q, unsigned i)
{
    return &q->a->call[q->a->instance[q->at[i]].call].what;
}

static const struct oracle_answer *answer_of(const struct sequence *q,
                                             unsigned i)
{
    return &q->a->instance[q->at[i]].answer;
}

/* Tell of every state that the sequence may lead to, without the operations in
 * the set `deleted`.  True once `visit` is; without visitor, if there is one.
 */
typedef bool visitor(const struct oracle_state *s, void *context);

static bool walk(const struct sequence *q, unsigned i, uint32_t deleted,
                 const struct oracle_state *s, visitor *visit, void *context)
{
    if (i == q->count)
        return !visit || visit(s, context);
    if (deleted & 1u << i)
        return walk(q, i + 1, deleted, s, visit, context);
    struct oracle_outcomes out;
    oracle_outcomes(&q->a->spec, s, call_of(q, i), &out);
    for (unsigned k = 0; k < out.count; k++)
        if (oracle_same_answer(&out.at[k].answer, answer_of(q, i)) &&
            walk(q, i + 1, deleted, &out.at[k].state, visit, context))
            return true;
    return false;
}

static bool is_legal(const struct sequence *q, uint32_t deleted)
{
    struct oracle_state s;
    oracle_initial(&q->a->spec, &s);
    return walk(q, 0, deleted, &s, NULL, NULL);
}

/* Give every legal sequence of up to `length` of the first `instances`. */
static void each_legal(struct sequence *q, unsigned length, unsigned instances,
                       void (*give)(const struct sequence *, void *),
                       void *context)
{
    give(q, context);
    if (q->count == length)
        return;
    for (unsigned i = 0; i < instances; i++) {
        q->at[q->count++] = i;
        if (is_legal(q, 0))
            each_legal(q, length, instances, give, context);
        q->count--;
    }
}

/* Longer sequences of fewer kinds of operations, shorter ones of all. */
static void each_legal_of(const struct alphabet *a,
                          void (*give)(const struct sequence *, void *),
                          void *context)
{
    struct sequence q = { .a = a };
    each_legal(&q, LENGTH, a->tier_instances[0], give, context);
    each_legal(&q, LENGTH - 1, a->tier_instances[1], give, context);
    each_legal(&q, LENGTH - 2, a->tier_instances[2], give, context);
}

/* ---- closed under deleting a value ---- */

typedef bool owner_function(const struct oracle_spec *spec,
                            const struct oracle_call *call,
                            const struct oracle_answer *answer,
                            struct oracle_value *value);

struct closure {
    owner_function *owner;
    uint64_t deletions, illegal;
    uint64_t claimed_illegal; /* although the sequence is claimed closed */
};

static bool has_exchange(const struct sequence *q)
{
    for (unsigned i = 0; i < q->count; i++)
        if (call_of(q, i)->op == OP_CAS || call_of(q, i)->op == OP_SWAP)
            return true;
    return false;
}

static bool has_full(const struct sequence *q)
{
    for (unsigned i = 0; i < q->count; i++)
        if (answer_of(q, i)->term == TERM_FULL)
            return true;
    return false;
}

static uint32_t operations_of(const struct sequence *q, owner_function *owner,
                              const struct oracle_value *v)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < q->count; i++) {
        struct oracle_value its;
        if (owner(&q->a->spec, call_of(q, i), answer_of(q, i), &its) &&
            oracle_same(&its, v))
            set |= 1u << i;
    }
    return set;
}

static void delete_values(const struct sequence *q, void *context)
{
    struct closure *const c = context;
    const bool claimed = oracle_closed(&q->a->spec, has_exchange(q)) ||
                         (oracle_closed_but_full(&q->a->spec) && !has_full(q));
    for (unsigned i = 0; i < q->count; i++) {
        struct oracle_value v;
        if (!c->owner(&q->a->spec, call_of(q, i), answer_of(q, i), &v))
            continue;
        const bool illegal = !is_legal(q, operations_of(q, c->owner, &v));
        c->deletions++;
        c->illegal += illegal;
        c->claimed_illegal += illegal && claimed;
    }
}

static void closed_types_are_closed_and_bounded_ones_are_not(void **state)
{
    (void)state;
    static struct alphabet a;
    for (unsigned i = 0; i < all_domains(); i++) {
        struct closure c = { .owner = oracle_owner };
        open_domain(i, &a);
        each_legal_of(&a, delete_values, &c);
        if (c.claimed_illegal)
            fail_msg("%s is not closed", a.domain->spec);
        if (a.spec.cap && !c.illegal)
            fail_msg("%s looks closed", a.domain->spec);
    }
}

/* An operation of a counter might be said to belong to its number. */
static bool belongs_to_number(const struct oracle_spec *spec,
                              const struct oracle_call *call,
                              const struct oracle_answer *answer,
                              struct oracle_value *value)
{
    (void)spec;
    if (!call->nargs && !answer->nres)
        return false;
    *value = call->nargs ? call->arg[0] : answer->res[0];
    return true;
}

static void counters_are_not_closed(void **state)
{
    (void)state;
    static struct alphabet a;
    static const struct domain d = { "counter", "add(1|2)=ok() get()=ok(1|2|3)",
                                     "", "", 0 };
    struct closure c = { .owner = belongs_to_number };
    alphabet_init(&a, &d);
    each_legal_of(&a, delete_values, &c);
    assert_true(c.illegal > 0);
}

static void bounded_queue_is_not_closed(void **state)
{
    (void)state;
    static struct alphabet a;
    static const struct domain d = { "queue:cap=1", "enq(1)=ok() enq(2)=full()",
                                     "", "", 0 };
    alphabet_init(&a, &d);
    const struct sequence q = { .a = &a, .count = 2, .at = { 0, 1 } };
    assert_true(is_legal(&q, 0));
    assert_false(is_legal(&q, 1u << 0));
}

/* ---- read-only ---- */

struct reading {
    const struct alphabet *a;
    bool changes[MAX_INSTANCES], occurs[MAX_INSTANCES];
    bool call_changes[MAX_CALLS];
};

static bool try_calls(const struct oracle_state *s, void *context)
{
    struct reading *const r = context;
    for (unsigned c = 0; c < r->a->calls; c++) {
        struct oracle_outcomes out;
        oracle_outcomes(&r->a->spec, s, &r->a->call[c].what, &out);
        for (unsigned k = 0; k < out.count; k++) {
            const bool changes = !oracle_same_state(s, &out.at[k].state);
            const unsigned i = alphabet_find(r->a, c, &out.at[k].answer);
            r->call_changes[c] |= changes;
            if (i == r->a->instances)
                continue;
            r->occurs[i] = true;
            r->changes[i] |= changes;
        }
    }
    return false; /* go on with the next state */
}

static void try_calls_after(const struct sequence *q, void *context)
{
    struct oracle_state s;
    oracle_initial(&q->a->spec, &s);
    walk(q, 0, 0, &s, try_calls, context);
}

static void operations_are_read_only_exactly_as_claimed(void **state)
{
    (void)state;
    static struct alphabet a;
    for (unsigned d = 0; d < all_domains(); d++) {
        struct reading r = { .a = &a };
        open_domain(d, &a);
        each_legal_of(&a, try_calls_after, &r);
        for (unsigned i = 0; i < a.instances; i++) {
            const struct call *const c = &a.call[a.instance[i].call];
            if (r.occurs[i] &&
                r.changes[i] ==
                    oracle_reads(&a.spec, &c->what, &a.instance[i].answer))
                fail_msg("%s: %s, instance %u: read-only is wrong",
                         a.domain->spec, c->name, i);
        }
        for (unsigned c = 0; c < a.calls; c++)
            if (r.call_changes[c] ==
                oracle_reads(&a.spec, &a.call[c].what, NULL))
                fail_msg("%s: pending %s: read-only is wrong", a.domain->spec,
                         a.call[c].name);
    }
}

/* ---- by key ---- */

static bool each_key_is_legal(const struct sequence *q)
{
    const uint32_t all = (1u << q->count) - 1;
    for (unsigned i = 0; i < q->count; i++) {
        uint32_t others = all;
        for (unsigned k = 0; k < q->count; k++)
            if (oracle_same(&call_of(q, i)->arg[0], &call_of(q, k)->arg[0]))
                others &= ~(1u << k);
        if (!is_legal(q, others))
            return false;
    }
    return true;
}

/* Every sequence, legal or not. */
static void split_all(struct sequence *q, unsigned length, unsigned instances)
{
    if (is_legal(q, 0) != each_key_is_legal(q))
        fail_msg("%s is not by key", q->a->domain->spec);
    if (q->count == length)
        return;
    for (unsigned i = 0; i < instances; i++) {
        q->at[q->count++] = i;
        split_all(q, length, instances);
        q->count--;
    }
}

static void keyed_types_may_be_split(void **state)
{
    (void)state;
    static struct alphabet a;
    unsigned keyed = 0;
    for (unsigned i = 0; i < all_domains(); i++) {
        open_domain(i, &a);
        if (!oracle_by_key(&a.spec))
            continue;
        struct sequence q = { .a = &a };
        split_all(&q, 4, a.tier_instances[0]);
        split_all(&q, 3, a.tier_instances[1]);
        split_all(&q, 2, a.tier_instances[2]);
        keyed++;
    }
    assert_true(keyed >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_types_are_closed_and_bounded_ones_are_not),
        cmocka_unit_test(counters_are_not_closed),
        cmocka_unit_test(bounded_queue_is_not_closed),
        cmocka_unit_test(operations_are_read_only_exactly_as_claimed),
        cmocka_unit_test(keyed_types_may_be_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
