/* test_stuck.c - whether waiting is justified, against the definition. */
#include "walk.h"

#include "base/memory.h"
#include "check/search/stuck.h"

static bool stuck(const char *spec_text, const char *text, uint32_t *culprit)
{
    struct plumb_history h = story(text);
    struct plumb_spec *spec;
    struct plumb_error err;
    bool justified = false;
    if (plumb_spec_parse(spec_text, &spec, &err) != PLUMB_OK ||
        plumb_check_stuck(&h, spec, NULL, &justified, NULL, culprit, &err) !=
            PLUMB_OK)
        fail_msg("%s: %s", spec_text, err.message);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    return justified;
}

static void assert_justified(const char *spec, const char *text)
{
    uint32_t culprit = 0;
    assert_true(stuck(spec, text, &culprit));
    assert_int_equal(culprit, UINT32_MAX);
}

static void assert_culprit(const char *spec, const char *text, uint32_t wanted)
{
    uint32_t culprit = 0;
    assert_false(stuck(spec, text, &culprit));
    assert_int_equal(culprit, wanted);
}

static void a_taker_waits_at_an_empty_queue(void **state)
{
    (void)state;
    assert_justified("queue", "A take");
    assert_justified("queue", "A enq 1; B take; A ok; B ok 1; B take");
    assert_culprit("queue", "A enq 1; A ok; B take", 1);
    assert_culprit("queue", "A deq", 0);
}

static void one_order_is_enough(void **state)
{
    (void)state;
    assert_justified("semaphore:n=1", "A acquire; A ok; B acquire");
    assert_culprit("semaphore:n=1",
                   "A acquire; A ok; A release; A ok;"
                   "B acquire",
                   2);
    assert_justified("queue:cap=1", "A put 1; A ok; B put 2");
    assert_culprit("queue:cap=1", "A put 1; A ok; A deq; A ok 1; B put 2", 2);
    assert_justified("mutex", "A lock; A ok; B unlock; A lock; B ok; A ok;"
                              "C lock");
    /* The pop must have come first, so the stack is full. */
    assert_justified("stack:cap=1", "A push 1; B pop; A ok; B empty; C put 2");
    /* A stuttering dequeue may have left the item or not. */
    assert_justified("stuttering-queue",
                     "A enq 1; A ok; A deq; A ok 1; B take");
}

/* Each open operation is looked at alone: the item of the open enqueue, or the
 * lock of the other, does not count. */
static void open_operations_are_looked_at_alone(void **state)
{
    (void)state;
    assert_justified("mutex", "A lock; A ok; B lock; C lock");
    assert_culprit("mutex", "B lock; C lock", 0);
    assert_culprit("queue", "A take; B enq 1", 1);
    assert_culprit("queue:blocking", "A deq; B peek", 1);
}

static void completed_operations_must_be_linearizable(void **state)
{
    (void)state;
    assert_culprit("queue", "A enq 1; A ok; A deq; A ok 2; B take", UINT32_MAX);
    assert_justified("queue", "A enq 1; A ok; A deq; A ok 1");
}

static void objects_are_looked_at_one_by_one(void **state)
{
    (void)state;
    assert_justified("queue", "A @x enq 1; A @x ok; B @y take");
    assert_culprit("queue", "A @x enq 1; A @x ok; B @y take; C @x take", 2);
    assert_culprit("queue",
                   "A @y deq; A @y ok 1; B @x enq 1; B @x ok; C @x take",
                   UINT32_MAX);
}

static void bad_operands_are_an_error(void **state)
{
    (void)state;
    struct plumb_history h = story("A jump");
    struct plumb_spec *spec;
    struct plumb_error err;
    bool justified;
    uint32_t culprit;
    assert_int_equal(plumb_spec_parse("queue", &spec, &err), PLUMB_OK);
    assert_int_equal(
        plumb_check_stuck(&h, spec, NULL, &justified, NULL, &culprit, &err),
        PLUMB_EINPUT);
    assert_non_null(strstr(err.message, "jump"));
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

/* They may have taken effect, or not; a return is no reason to wait for it. */
static void info_operations_are_placed_or_not(void **state)
{
    (void)state;
    assert_justified("queue", "A enq 1; A !info; B take");
    assert_justified("queue", "A take; A !info; B enq 1; B ok; C take");
    assert_justified("queue", "A enq 1; A ok; B take; C deq; C !info");
    assert_culprit("queue", "A enq 1; A ok; B enq 2; B !info; C take", 2);
    assert_justified("queue:cap=1", "A enq 1; A !info; B put 2");
    assert_justified("mutex", "A unlock; A !info; B lock; B ok; C lock");
}

/* ---- the definition, tried out ---- */

/* Orders of the completed operations, and after each the open one that is asked
 * about: -1 if none is.  The oracle's types say what may happen. */
struct trial {
    const struct alphabet *alphabet;
    const struct draft *draft;
    bool placed[ORACLE_OPS];
    bool unknown[ORACLE_OPS]; /* info: placed or not, with any answer */
    int open;
};

static void step(const struct trial *t, unsigned op,
                 const struct oracle_state *s, struct oracle_outcomes *out)
{
    const unsigned call = t->draft->op[op].call;
    oracle_outcomes(&t->alphabet->spec, s, &t->alphabet->call[call].what, out);
}

static unsigned rank_of(const struct draft *d, unsigned op, bool is_return)
{
    unsigned i = 0;
    while (i < d->events &&
           (d->event[i].op != op || d->event[i].is_return != is_return))
        i++;
    return i; /* d->events if there is none */
}

static bool is_completed(const struct draft *d, unsigned op)
{
    return rank_of(d, op, true) < d->events;
}

static bool may_be_next(const struct trial *t, unsigned op)
{
    const struct draft *const d = t->draft;
    if (!is_completed(d, op) || t->placed[op])
        return false;
    for (unsigned i = 0; i < d->count; i++)
        if (!t->placed[i] && !t->unknown[i] &&
            rank_of(d, i, true) < rank_of(d, op, false))
            return false;
    return true;
}

static bool some_order(struct trial *t, const struct oracle_state *s);

/* The same with `op` next. */
static bool some_order_with(struct trial *t, const struct oracle_state *s,
                            unsigned op)
{
    struct oracle_outcomes out;
    bool found = false;
    step(t, op, s, &out);
    t->placed[op] = true;
    for (unsigned i = 0; i < out.count && !found; i++)
        found =
            (t->unknown[op] ||
             oracle_same_answer(&out.at[i].answer, &t->draft->op[op].answer)) &&
            some_order(t, &out.at[i].state);
    t->placed[op] = false;
    return found;
}

/* Is there an order of the rest after which it waits? */
static bool some_order(struct trial *t, const struct oracle_state *s)
{
    unsigned rest = 0;
    for (unsigned i = 0; i < t->draft->count; i++) {
        rest += is_completed(t->draft, i) && !t->placed[i] && !t->unknown[i];
        if (may_be_next(t, i) && some_order_with(t, s, i))
            return true;
    }
    struct oracle_outcomes out = { .count = 0 };
    if (rest == 0 && t->open >= 0)
        step(t, (unsigned)t->open, s, &out);
    return rest == 0 && out.count == 0;
}

/* As plumb_check_stuck() puts it: justified or the culprit. */
static bool by_definition(struct trial *t, uint32_t *culprit)
{
    struct oracle_state first;
    oracle_initial(&t->alphabet->spec, &first);
    *culprit = UINT32_MAX;
    t->open = -1;
    if (!some_order(t, &first))
        return false;
    for (unsigned i = 0; i < t->draft->count; i++) {
        t->open = (int)i;
        if (is_completed(t->draft, i) || some_order(t, &first))
            continue;
        *culprit = i;
        return false;
    }
    return true;
}

/* Of one in `some` operations that returned nobody knows what came. */
static void forget_answers(struct plumb_base_rng *rng, unsigned some,
                           struct trial *t, struct plumb_history *h)
{
    union {
        const struct plumb_op *given;
        struct plumb_op *op;
    } u = { h->op };
    for (uint32_t i = 0; i < h->count; i++) {
        t->unknown[i] = some && is_completed(t->draft, i) &&
                        plumb_base_rng_below(rng, some) == 0;
        if (!t->unknown[i])
            continue;
        u.op[i].outcome = PLUMB_OUTCOME_INFO;
        u.op[i].term = u.op[i].nres = 0;
    }
}

static void compare_walk(const struct walk *w, const struct plumb_spec *spec,
                         struct plumb_builder *b, struct plumb_base_rng *rng,
                         unsigned some, unsigned count[2])
{
    struct trial t = { .alphabet = w->alphabet, .draft = &w->draft };
    struct plumb_history h = walked(w, b);
    forget_answers(rng, some, &t, &h);
    struct plumb_error err;
    uint32_t culprit, wanted;
    bool is;
    const bool should = by_definition(&t, &wanted);
    assert_int_equal(
        plumb_check_stuck(&h, spec, NULL, &is, NULL, &culprit, &err), PLUMB_OK);
    if (is != should || culprit != wanted)
        fail_msg("%s: culprit %d, not %d", plumb_spec_text(spec), (int)culprit,
                 (int)wanted);
    count[is]++;
    plumb_history_release(&h);
}

static void as_the_definition_has_it(void **state)
{
    static struct alphabet a;
    unsigned count[2] = { 0, 0 };
    (void)state;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    for (unsigned d = 0; d < domain_count; d++) {
        struct plumb_spec *spec;
        struct plumb_check_configurations *const f =
            open_frontier(domains[d].spec, &spec, NULL);
        alphabet_init(&a, domains + d);
        for (uint64_t seed = 0; seed < 1000; seed++) {
            struct plumb_base_rng rng;
            struct walk w;
            plumb_base_rng_seed(&rng, seed);
            begin_walk(&w, &a, f);
            const unsigned events = 2 + plumb_base_rng_below(&rng, 16);
            for (unsigned k = 0; k < events; k++)
                walk_on(&rng, &w, 7, WALK_THREADS, 1);
            compare_walk(&w, spec, b, &rng, 0, count);
            compare_walk(&w, spec, b, &rng, 3, count);
        }
        plumb_check_configurations_free(f);
        plumb_spec_free(spec);
    }
    plumb_builder_free(b);
    assert_true(count[0] > 1000 && count[1] > 1000);
}

/* ---- memory ---- */

static void memory_that_is_refused_is_an_error(void **state)
{
    (void)state;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_history h = story("A put 1; B put 2; A ok; B ok; A take;"
                                   "B take; A ok 2; C take; B ok 1; A take");
    struct plumb_spec *spec;
    struct plumb_error err;
    size_t nth = 0;
    assert_int_equal(plumb_spec_parse("semiqueue", &spec, &err), PLUMB_OK);
    for (bool failed = true; failed;) {
        bool justified = false;
        uint32_t culprit = 0;
        plumb_base_budget_fail_at(budget, ++nth);
        const enum plumb_status status = plumb_check_stuck(
            &h, spec, budget, &justified, NULL, &culprit, &err);
        failed = plumb_base_budget_has_failed(budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        assert_int_equal(justified, !failed);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_true(nth > 8);
    plumb_spec_free(spec);
    plumb_history_release(&h);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_taker_waits_at_an_empty_queue),
        cmocka_unit_test(one_order_is_enough),
        cmocka_unit_test(open_operations_are_looked_at_alone),
        cmocka_unit_test(completed_operations_must_be_linearizable),
        cmocka_unit_test(objects_are_looked_at_one_by_one),
        cmocka_unit_test(bad_operands_are_an_error),
        cmocka_unit_test(info_operations_are_placed_or_not),
        cmocka_unit_test(as_the_definition_has_it),
        cmocka_unit_test(memory_that_is_refused_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
