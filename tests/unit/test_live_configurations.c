/* test_live_configurations.c - fronts, against the definition of linearizability. */
#include "effort.h"
#include "walk.h"

#include "base/memory.h"
#include <plumb/check.h>

/* ---- all small histories ---- */

struct all {
    const struct alphabet *alphabet;
    struct plumb_builder *builder;
    unsigned ops, threads, calls, instances;
    unsigned long returns, violations, seen;
    unsigned every; /* the how manieth return is asked about */
};

static void compare_with_oracle(struct all *all, const struct walk *w)
{
    all->returns++;
    all->violations += w->front == PLUMB_CONFIGURATIONS_NONE;
    if (all->seen++ % all->every)
        return;
    struct plumb_history h = walked(w, all->builder);
    const bool linearizable =
        oracle_linearizable(&h, w->alphabet->domain->spec);
    if (linearizable != (w->front != PLUMB_CONFIGURATIONS_NONE)) {
        struct plumb_base_text text;
        plumb_base_text_init(&text, NULL);
        for (uint32_t i = 0; i < h.count; i++)
            plumb_base_text_printf(
                &text, " %u..%u:%s", h.op[i].call, h.op[i].resp,
                plumb_symbol_text(h.symbols, h.op[i].name, NULL));
        fail_msg("%s is %slinearizable:%s", w->alphabet->domain->spec,
                 linearizable ? "" : "not ", plumb_base_text_string(&text));
    }
    plumb_history_release(&h);
}

static void extend(struct all *all, const struct walk *w);

static void extend_by_calls(struct all *all, const struct walk *w)
{
    unsigned thread = 0; /* free threads are alike: the first one calls */
    while (thread < all->threads && w->open[thread] >= 0)
        thread++;
    if (thread == all->threads || w->draft.count == all->ops)
        return;
    for (unsigned call = 0; call < all->calls; call++) {
        struct walk next = *w;
        walk_call(&next, thread, call);
        assert_true(next.front < PLUMB_CONFIGURATIONS_FAILED);
        extend(all, &next);
    }
}

static void extend_by_returns(struct all *all, const struct walk *w,
                              unsigned thread)
{
    const struct alphabet *const a = w->alphabet;
    for (unsigned i = 0; i < all->instances; i++) {
        if (a->instance[i].call != w->draft.op[w->open[thread]].call)
            continue;
        struct walk next = *w;
        walk_return(&next, thread, &a->instance[i].answer);
        assert_int_not_equal(next.front, PLUMB_CONFIGURATIONS_FAILED);
        compare_with_oracle(all, &next);
        if (next.front != PLUMB_CONFIGURATIONS_NONE)
            extend(all, &next);
    }
}

/* All events that may come next; what follows a violation is one. */
static void extend(struct all *all, const struct walk *w)
{
    extend_by_calls(all, w);
    for (unsigned t = 0; t < all->threads; t++)
        if (w->open[t] >= 0)
            extend_by_returns(all, w, t);
}

static void follow_all(const struct domain *domain, unsigned ops, unsigned tier,
                       unsigned every)
{
    static struct alphabet a;
    struct plumb_spec *spec;
    struct walk w;
    alphabet_init(&a, domain);
    struct all all = { .alphabet = &a,
                       .builder = plumb_builder_new(NULL),
                       .ops = ops,
                       .threads = 3,
                       .calls = a.tier_calls[tier],
                       .instances = a.tier_instances[tier],
                       .every = every };
    struct plumb_check_configurations *const f =
        open_frontier(domain->spec, &spec, NULL);
    begin_walk(&w, &a, f);
    extend(&all, &w);
    assert_true(all.violations && all.violations < all.returns);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
    plumb_builder_free(all.builder);
}

static void all_histories_of_two_operations(void **state)
{
    (void)state;
    for (unsigned d = 0; d < domain_count; d++)
        follow_all(domains + d, 2, TIERS - 1, 1);
}

static void all_histories_of_three_operations(void **state)
{
    (void)state;
    for (unsigned d = 0; d < domain_count; d++)
        follow_all(domains + d, 3, 1, TEST_EFFORT > 1 ? 5 : 1);
}

/* Every 7th is compared with the oracle; all are followed. */
static void all_histories_of_four_operations(void **state)
{
    enum { STRIDE = TEST_EFFORT > 1 ? 3 : 1 };
    static const char *const some[] = {
        "queue:cap=1", "queue:k=1",      "semiqueue", "stuttering-queue",
        "stack",       "priority-queue", "set",       "bag",
        "register",    "counter",        "semaphore", "mutex",
    };
    (void)state;
    for (unsigned d = 0; d < domain_count; d++)
        for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
            if (i % STRIDE == 0 && strcmp(domains[d].spec, some[i]) == 0)
                follow_all(domains + d, 4, 0, 7);
}

/* ---- random ones ---- */

enum { WALKS = SOME_OF(150), LONG_WALKS = SOME_OF(60) };

static void walk_randomly(const struct alphabet *a,
                          struct plumb_check_configurations *f, struct all *all,
                          uint64_t seed)
{
    struct plumb_base_rng rng;
    struct walk w;
    plumb_base_rng_seed(&rng, seed);
    begin_walk(&w, a, f);
    for (unsigned i = 0; i < 40 && w.front != PLUMB_CONFIGURATIONS_NONE; i++) {
        const unsigned events = w.draft.events;
        walk_on(&rng, &w, 8, WALK_THREADS, 3);
        if (w.draft.events > events && w.draft.event[events].is_return)
            compare_with_oracle(all, &w);
    }
}

static void random_histories_of_every_type(void **state)
{
    static struct alphabet a;
    (void)state;
    for (unsigned d = 0; d < domain_count; d++) {
        struct plumb_spec *spec;
        struct plumb_check_configurations *const f =
            open_frontier(domains[d].spec, &spec, NULL);
        struct all all = { .builder = plumb_builder_new(NULL), .every = 1 };
        alphabet_init(&a, domains + d);
        for (uint64_t seed = 0; seed < WALKS; seed++)
            walk_randomly(&a, f, &all, seed);
        assert_true(all.violations && all.violations < all.returns);
        plumb_builder_free(all.builder);
        plumb_check_configurations_free(f);
        plumb_spec_free(spec);
    }
}

static bool checks(const struct plumb_history *h, const struct plumb_spec *spec)
{
    const struct plumb_check_options options = { .no_core = true };
    struct plumb_answer answer;
    struct plumb_error err;
    if (plumb_check(h, spec, &options, &answer, &err) != PLUMB_OK)
        fail_msg("%s: %s", plumb_spec_text(spec), err.message);
    assert_int_not_equal(answer.verdict, PLUMB_UNDECIDED);
    const bool linearizable = answer.verdict == PLUMB_LINEARIZABLE;
    plumb_answer_release(&answer);
    return linearizable;
}

/* Of 16 operations; too many for the oracle, so plumb_check() is asked. */
static void longer_histories_as_the_decider_has_it(void **state)
{
    static struct alphabet a;
    (void)state;
    struct plumb_builder *const b = plumb_builder_new(NULL);
    for (unsigned d = 0; d < domain_count; d++) {
        struct plumb_spec *spec;
        struct plumb_check_configurations *const f =
            open_frontier(domains[d].spec, &spec, NULL);
        alphabet_init(&a, domains + d);
        for (uint64_t seed = 0; seed < LONG_WALKS; seed++) {
            struct plumb_base_rng rng;
            struct walk w;
            plumb_base_rng_seed(&rng, seed + 1000);
            begin_walk(&w, &a, f);
            for (unsigned i = 0; i < 60 && w.front != PLUMB_CONFIGURATIONS_NONE;
                 i++)
                walk_on(&rng, &w, ORACLE_OPS, WALK_THREADS, 3);
            struct plumb_history h = walked(&w, b);
            if (checks(&h, spec) != (w.front != PLUMB_CONFIGURATIONS_NONE))
                fail_msg("%s, seed %u", domains[d].spec, (unsigned)seed);
            plumb_history_release(&h);
        }
        plumb_check_configurations_free(f);
        plumb_spec_free(spec);
    }
    plumb_builder_free(b);
}

/* ---- equal fronts, whatever came first ---- */

enum { MOST_FRONTS = 1 << 16 };

/* Meet everything there is, in a random order and among other things. */
static void meet_all(struct plumb_check_configurations *f,
                     const struct alphabet *a, struct plumb_base_rng *rng)
{
    for (unsigned i = 0; i < 4 * a->instances; i++) {
        const struct instance *const in =
            &a->instance[plumb_base_rng_below(rng, a->instances)];
        const uint32_t n = operation_number(
            f, a, plumb_base_rng_below(rng, WALK_THREADS), in->call);
        assert_int_not_equal(n, UINT32_MAX);
        assert_int_not_equal(answer_number(f, n, &in->answer), UINT32_MAX);
    }
}

/* The same walk in two frontiers: one front is to the first what another is to
 * the second. */
static void walk_both(struct walk *w, struct plumb_check_configurations *other,
                      uint32_t *there, uint32_t *back)
{
    const struct alphabet *const a = w->alphabet;
    plumb_check_configuration_set front =
        plumb_check_configurations_start(other);
    struct walk again;
    begin_walk(&again, a, w->f);
    for (unsigned i = 0; i < w->draft.events; i++) {
        const unsigned op = w->draft.event[i].op;
        const struct draft_op *const o = &w->draft.op[op];
        const uint32_t n = operation_number(other, a, o->thread, o->call);
        if (w->draft.event[i].is_return) {
            walk_return(&again, o->thread, &o->answer);
            front = plumb_check_configurations_return(
                other, front, n, answer_number(other, n, &o->answer));
        } else {
            walk_call(&again, o->thread, o->call);
            front = plumb_check_configurations_call(other, front, n);
        }
        if (again.front == PLUMB_CONFIGURATIONS_NONE) {
            assert_int_equal(front, PLUMB_CONFIGURATIONS_NONE);
            return;
        }
        assert_true(again.front < MOST_FRONTS && front < MOST_FRONTS);
        if (!there[again.front] && !back[front]) {
            there[again.front] = front + 1;
            back[front] = again.front + 1;
        }
        assert_int_equal(there[again.front], front + 1);
        assert_int_equal(back[front], again.front + 1);
    }
}

static void fronts_do_not_depend_on_what_was_met_first(void **state)
{
    static struct alphabet a;
    static uint32_t there[MOST_FRONTS], back[MOST_FRONTS];
    (void)state;
    for (unsigned d = 0; d < domain_count; d++) {
        struct plumb_spec *spec, *same;
        struct plumb_check_configurations *const f =
            open_frontier(domains[d].spec, &spec, NULL);
        struct plumb_check_configurations *const other =
            open_frontier(domains[d].spec, &same, NULL);
        struct plumb_base_rng rng;
        alphabet_init(&a, domains + d);
        memset(there, 0, sizeof there);
        memset(back, 0, sizeof back);
        plumb_base_rng_seed(&rng, d);
        meet_all(other, &a, &rng);
        for (unsigned i = 0; i < WALKS; i++) {
            struct walk w;
            begin_walk(&w, &a, f);
            for (unsigned k = 0; k < 30 && w.front != PLUMB_CONFIGURATIONS_NONE;
                 k++)
                walk_on(&rng, &w, 10, WALK_THREADS, 3);
            walk_both(&w, other, there, back);
        }
        plumb_check_configurations_free(f);
        plumb_check_configurations_free(other);
        plumb_spec_free(spec);
        plumb_spec_free(same);
    }
}

/* ---- memory ---- */

/* Follow a walk, trying again what memory was refused for.  Returns how often
 * that was; -1 if not even a frontier could be had. */
static int follow_in_need(const struct walk *w, const struct plumb_spec *spec,
                          struct plumb_budget *budget,
                          plumb_check_configuration_set *front)
{
    struct plumb_check_configurations *const f =
        plumb_check_configurations_open(spec, budget);
    int refused = 0;
    if (!f)
        return -1;
    while ((*front = plumb_check_configurations_start(f)) ==
           PLUMB_CONFIGURATIONS_FAILED)
        refused++;
    for (unsigned i = 0; i < w->draft.events; i++) {
        const struct draft_op *const o = &w->draft.op[w->draft.event[i].op];
        uint32_t n, m = 0;
        plumb_check_configuration_set next;
        while ((n = operation_number(f, w->alphabet, o->thread, o->call)) ==
               UINT32_MAX)
            refused++;
        while (w->draft.event[i].is_return &&
               (m = answer_number(f, n, &o->answer)) == UINT32_MAX)
            refused++;
        while ((next = w->draft.event[i].is_return
                           ? plumb_check_configurations_return(f, *front, n, m)
                           : plumb_check_configurations_call(f, *front, n)) ==
               PLUMB_CONFIGURATIONS_FAILED)
            refused++;
        if (refused)
            assert_int_equal(plumb_check_configurations_error(f)->status,
                             PLUMB_EMEMORY);
        assert_true(refused <= 1);
        *front = next;
    }
    plumb_check_configurations_free(f);
    return refused;
}

static void memory_that_is_refused_is_survived(void **state)
{
    static struct alphabet a;
    (void)state;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    for (unsigned d = 0; d < domain_count; d++) {
        struct plumb_spec *spec;
        struct plumb_check_configurations *const f =
            open_frontier(domains[d].spec, &spec, NULL);
        struct plumb_base_rng rng;
        struct walk w;
        alphabet_init(&a, domains + d);
        plumb_base_rng_seed(&rng, d);
        begin_walk(&w, &a, f);
        for (unsigned k = 0; k < 60 && w.front != PLUMB_CONFIGURATIONS_NONE;
             k++)
            walk_on(&rng, &w, 8, WALK_THREADS, 0);
        size_t nth = 0;
        bool failed = true;
        while (failed) {
            plumb_check_configuration_set front = 0;
            plumb_base_budget_fail_at(budget, ++nth);
            const int refused = follow_in_need(&w, spec, budget, &front);
            failed = plumb_base_budget_has_failed(budget);
            assert_int_equal(refused != 0, failed);
            if (refused >= 0)
                assert_int_equal(front == PLUMB_CONFIGURATIONS_NONE,
                                 w.front == PLUMB_CONFIGURATIONS_NONE);
            assert_int_equal(plumb_budget_used(budget), 0);
        }
        assert_true(nth > 30);
        plumb_check_configurations_free(f);
        plumb_spec_free(spec);
    }
    plumb_budget_free(budget);
}

/* ---- specifications in C ---- */

struct items {
    unsigned count;
    struct plumb_value item[ORACLE_OPS];
};

enum { ENQ, PUT, DEQ, POLL, TAKE, PEEK };

/* A semiqueue as a user would write it: any item may be the one. */
static bool items_step(void *state, const struct plumb_call *call,
                       struct plumb_reply *reply)
{
    struct items *const s = state;
    if (call->op <= PUT) {
        s->item[s->count++] = call->args[0];
        return true;
    }
    if (!s->count) {
        reply->term = "empty";
        return call->op != TAKE;
    }
    const unsigned at = plumb_call_choose(call, s->count);
    plumb_reply_value(reply, s->item[at]);
    if (call->op != PEEK) {
        s->item[at] = s->item[--s->count];
        memset(&s->item[s->count], 0, sizeof *s->item);
    }
    return true;
}

static void a_specification_in_c_is_followed(void **state)
{
    static const char *const ops[] = { "enq/1",  "put/1",  "deq/0", "poll/0",
                                       "take/0", "peek/0", NULL };
    static const struct plumb_user_spec user = {
        .version = PLUMB_SPEC_VERSION,
        .name = "items",
        .state_size = sizeof(struct items),
        .ops = ops,
        .step = items_step,
    };
    static struct alphabet a;
    struct plumb_spec *spec;
    struct plumb_error err;
    unsigned d = 0;
    (void)state;
    while (strcmp(domains[d].spec, "semiqueue") != 0)
        d++;
    alphabet_init(&a, domains + d);
    assert_int_equal(plumb_spec_from_user(&user, &spec, &err), PLUMB_OK);
    struct plumb_check_configurations *const f =
        plumb_check_configurations_open(spec, NULL);
    struct all all = { .alphabet = &a,
                       .builder = plumb_builder_new(NULL),
                       .ops = 3,
                       .threads = 3,
                       .calls = a.tier_calls[0],
                       .instances = a.tier_instances[0],
                       .every = 1 };
    struct walk w;
    begin_walk(&w, &a, f);
    extend(&all, &w);
    for (uint64_t seed = 0; seed < WALKS; seed++)
        walk_randomly(&a, f, &all, seed);
    assert_true(all.violations && all.violations < all.returns);
    plumb_builder_free(all.builder);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* A lock that only its owner can unlock, and a name that it is known by. */
struct lock {
    unsigned owner; /* 1 + the thread; 0 is free */
    struct plumb_value name;
};

static bool lock_step(void *state, const struct plumb_call *call,
                      struct plumb_reply *reply)
{
    struct lock *const s = state;
    switch (call->op) {
    case 0:
        if (s->owner)
            return false;
        s->owner = call->thread + 1;
        return true;
    case 1:
        reply->term = s->owner == call->thread + 1 ? "done" : "not-yours";
        if (s->owner == call->thread + 1)
            s->owner = 0;
        return true;
    default:
        plumb_reply_value(reply, s->name);
        s->name = call->args[0];
        return true;
    }
}

static struct plumb_check_configurations *open_lock(struct plumb_spec **spec)
{
    static const char *const ops[] = { "lock/0", "unlock/0", "rename/1", NULL };
    static const struct plumb_user_spec user = {
        .version = PLUMB_SPEC_VERSION,
        .name = "lock",
        .state_size = sizeof(struct lock),
        .ops = ops,
        .step = lock_step,
    };
    struct plumb_error err;
    assert_int_equal(plumb_spec_from_user(&user, spec, &err), PLUMB_OK);
    return plumb_check_configurations_open(*spec, NULL);
}

static plumb_check_configuration_set run_alone(
    struct plumb_check_configurations *f, plumb_check_configuration_set front,
    uint32_t op, const char *term)
{
    const uint32_t answer =
        plumb_check_configurations_answer(f, op, term, NULL, 0);
    assert_int_not_equal(answer, UINT32_MAX);
    return plumb_check_configurations_return(
        f, plumb_check_configurations_call(f, front, op), op, answer);
}

static void threads_and_terms_are_the_users(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f = open_lock(&spec);
    const plumb_check_configuration_set start =
        plumb_check_configurations_start(f);
    const uint32_t lock =
        plumb_check_configurations_operation(f, 3, "lock", NULL, 0);
    const uint32_t mine =
        plumb_check_configurations_operation(f, 3, "unlock", NULL, 0);
    const uint32_t yours =
        plumb_check_configurations_operation(f, 5, "unlock", NULL, 0);
    const plumb_check_configuration_set locked =
        run_alone(f, start, lock, "ok");
    assert_int_not_equal(locked, start);
    assert_int_equal(run_alone(f, locked, lock, "ok"),
                     PLUMB_CONFIGURATIONS_NONE);
    assert_int_equal(run_alone(f, locked, yours, "not-yours"), locked);
    assert_int_equal(run_alone(f, locked, yours, "NOT_YOURS"), locked);
    assert_int_equal(run_alone(f, locked, yours, "done"),
                     PLUMB_CONFIGURATIONS_NONE);
    assert_int_equal(run_alone(f, locked, mine, "done"), start);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

static void texts_are_equal_by_their_bytes(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f = open_lock(&spec);
    const char again[] = "ada";
    const struct plumb_check_configurations_word ada = { plumb_str(7), "ada" };
    const struct plumb_check_configurations_word same = { plumb_str(9), again };
    const struct plumb_check_configurations_word bob = { plumb_str(7), "bob" };
    const struct plumb_check_configurations_word nil = { plumb_nil(), NULL };
    const uint32_t to_ada =
        plumb_check_configurations_operation(f, 0, "rename", &ada, 1);
    assert_int_equal(
        plumb_check_configurations_operation(f, 0, "rename", &same, 1), to_ada);
    const uint32_t to_bob =
        plumb_check_configurations_operation(f, 0, "rename", &bob, 1);
    assert_int_not_equal(to_bob, to_ada);
    assert_int_not_equal(
        plumb_check_configurations_operation(f, 1, "rename", &ada, 1), to_ada);
    plumb_check_configuration_set front = plumb_check_configurations_start(f);
    front = plumb_check_configurations_call(f, front, to_ada);
    front = plumb_check_configurations_return(
        f, front, to_ada,
        plumb_check_configurations_answer(f, to_ada, "ok", &nil, 1));
    front = plumb_check_configurations_call(f, front, to_bob);
    const uint32_t was_ada =
        plumb_check_configurations_answer(f, to_bob, "ok", &same, 1);
    const uint32_t was_bob =
        plumb_check_configurations_answer(f, to_bob, "ok", &bob, 1);
    assert_true(plumb_check_configurations_return(f, front, to_bob, was_ada) <
                PLUMB_CONFIGURATIONS_FAILED);
    assert_int_equal(
        plumb_check_configurations_return(f, front, to_bob, was_bob),
        PLUMB_CONFIGURATIONS_NONE);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* A name that is refused makes the table of texts grow: the terms that were
 * there before are still known. */
static void a_refused_name_leaves_the_terms_alone(void **state)
{
    static char name[100000];
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f = open_lock(&spec);
    const uint32_t lock =
        plumb_check_configurations_operation(f, 0, "lock", NULL, 0);
    const uint32_t mine =
        plumb_check_configurations_operation(f, 0, "unlock", NULL, 0);
    const uint32_t ok =
        plumb_check_configurations_answer(f, lock, "ok", NULL, 0);
    const uint32_t done =
        plumb_check_configurations_answer(f, mine, "done", NULL, 0);
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(plumb_check_configurations_operation(f, 0, name, NULL, 0),
                     UINT32_MAX);
    const plumb_check_configuration_set start =
        plumb_check_configurations_start(f);
    plumb_check_configuration_set front =
        plumb_check_configurations_call(f, start, lock);
    front = plumb_check_configurations_return(f, front, lock, ok);
    front = plumb_check_configurations_call(f, front, mine);
    assert_int_equal(plumb_check_configurations_return(f, front, mine, done),
                     start);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* ---- particular fronts ---- */

static plumb_check_configuration_set insert_alone(
    struct plumb_check_configurations *f, plumb_check_configuration_set front,
    unsigned thread, int64_t value)
{
    const struct plumb_check_configurations_word item = { plumb_int(value),
                                                          NULL };
    return run_alone(
        f, front,
        plumb_check_configurations_operation(f, thread, "insert", &item, 1),
        "ok");
}

/* Each value is smaller than those before it, and has its place all the same;
 * the fronts from before it was met have kept their numbers. */
static void values_that_come_late_find_their_place(void **state)
{
    enum { VALUES = 9 };
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f =
        open_frontier("priority-queue", &spec, NULL);
    plumb_check_configuration_set at[VALUES + 1] = {
        plumb_check_configurations_start(f)
    };
    const uint32_t delmin =
        plumb_check_configurations_operation(f, 0, "delmin", NULL, 0);
    for (unsigned i = 0; i < VALUES; i++) {
        at[i + 1] = insert_alone(f, at[i], 0, VALUES - i);
        assert_true(at[i + 1] < PLUMB_CONFIGURATIONS_FAILED);
    }
    for (unsigned i = VALUES; i > 0; i--) {
        const struct plumb_check_configurations_word least = {
            plumb_int(VALUES + 1 - i), NULL
        };
        const struct plumb_check_configurations_word next = {
            plumb_int(VALUES + 2 - i), NULL
        };
        const plumb_check_configuration_set open =
            plumb_check_configurations_call(f, at[i], delmin);
        assert_int_equal(
            plumb_check_configurations_return(
                f, open, delmin,
                plumb_check_configurations_answer(f, delmin, "ok", &next, 1)),
            PLUMB_CONFIGURATIONS_NONE);
        assert_int_equal(
            plumb_check_configurations_return(
                f, open, delmin,
                plumb_check_configurations_answer(f, delmin, "ok", &least, 1)),
            at[i - 1]);
        assert_int_equal(insert_alone(f, at[i - 1], 1, VALUES + 1 - i), at[i]);
    }
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* Both enqueues overlap, so either may be first, whichever returns first. */
static void equal_fronts_have_equal_numbers(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f =
        open_frontier("queue", &spec, NULL);
    uint32_t op[3], done[3];
    for (unsigned t = 0; t < 3; t++) {
        const struct plumb_check_configurations_word item = { plumb_int(t),
                                                              NULL };
        op[t] = plumb_check_configurations_operation(f, t, "enq", &item, 1);
        done[t] = plumb_check_configurations_answer(f, op[t], "ok", NULL, 0);
    }
    static const unsigned order[6][3] = {
        { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
        { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
    };
    plumb_check_configuration_set end[6];
    for (unsigned i = 0; i < 6; i++) {
        end[i] = plumb_check_configurations_start(f);
        for (unsigned t = 0; t < 3; t++)
            end[i] =
                plumb_check_configurations_call(f, end[i], op[order[5 - i][t]]);
        for (unsigned t = 0; t < 3; t++)
            end[i] = plumb_check_configurations_return(
                f, end[i], op[order[i][t]], done[order[i][t]]);
        assert_int_equal(end[i], end[0]);
    }
    assert_true(end[0] < PLUMB_CONFIGURATIONS_FAILED);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* The parameter is a text that no operation has had yet. */
static void a_parameter_may_be_a_text(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f =
        open_frontier("register:init=abc", &spec, NULL);
    const struct plumb_check_configurations_word abc = { plumb_str(0), "abc" };
    const struct plumb_check_configurations_word abd = { plumb_str(0), "abd" };
    const plumb_check_configuration_set start =
        plumb_check_configurations_start(f);
    const uint32_t read =
        plumb_check_configurations_operation(f, 0, "read", NULL, 0);
    const plumb_check_configuration_set open =
        plumb_check_configurations_call(f, start, read);
    const uint32_t wrong =
        plumb_check_configurations_answer(f, read, "ok", &abd, 1);
    const uint32_t right =
        plumb_check_configurations_answer(f, read, "ok", &abc, 1);
    assert_int_equal(plumb_check_configurations_return(f, open, read, wrong),
                     PLUMB_CONFIGURATIONS_NONE);
    assert_int_equal(plumb_check_configurations_return(f, open, read, right),
                     start);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* What an operation that is open did to the state is there; where its answer
 * says nothing about it, how it was before is not. */
static void the_past_is_forgotten(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f =
        open_frontier("register", &spec, NULL);
    const struct plumb_check_configurations_word value[] = {
        { plumb_int(1), NULL }, { plumb_int(2), NULL }
    };
    const uint32_t open =
        plumb_check_configurations_operation(f, 0, "write", value, 1);
    const uint32_t two =
        plumb_check_configurations_operation(f, 1, "write", value + 1, 1);
    const uint32_t read =
        plumb_check_configurations_operation(f, 1, "read", NULL, 0);
    const uint32_t one =
        plumb_check_configurations_answer(f, read, "ok", value, 1);
    const plumb_check_configuration_set start =
        plumb_check_configurations_start(f);
    plumb_check_configuration_set front[2] = { start,
                                               run_alone(f, start, two, "ok") };
    assert_int_not_equal(front[0], front[1]);
    for (unsigned i = 0; i < 2; i++) {
        front[i] = plumb_check_configurations_call(f, front[i], open);
        front[i] = plumb_check_configurations_call(f, front[i], read);
        front[i] = plumb_check_configurations_return(f, front[i], read, one);
    }
    assert_true(front[0] < PLUMB_CONFIGURATIONS_FAILED);
    assert_int_equal(front[0], front[1]);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

/* ---- mistakes ---- */

static void assert_refused(struct plumb_check_configurations *f, uint32_t got,
                           uint32_t failed, const char *why)
{
    assert_int_equal(got, failed);
    assert_int_equal(plumb_check_configurations_error(f)->status, PLUMB_EINPUT);
    if (!strstr(plumb_check_configurations_error(f)->message, why))
        fail_msg("%s", plumb_check_configurations_error(f)->message);
}

static void mistakes_are_told_and_change_nothing(void **state)
{
    (void)state;
    struct plumb_spec *spec;
    struct plumb_check_configurations *const f =
        open_frontier("queue", &spec, NULL);
    const struct plumb_check_configurations_word one = { plumb_int(1), NULL };
    const plumb_check_configuration_set start =
        plumb_check_configurations_start(f);
    assert_refused(f,
                   plumb_check_configurations_operation(f, 0, "jump", NULL, 0),
                   UINT32_MAX, "unknown operation \"jump\"");
    assert_refused(f,
                   plumb_check_configurations_operation(f, 0, "enq", NULL, 0),
                   UINT32_MAX, "enq takes 1 argument");
    assert_refused(f, plumb_check_configurations_answer(f, 0, "ok", NULL, 0),
                   UINT32_MAX, "no such operation");
    const uint32_t enq =
        plumb_check_configurations_operation(f, 0, "enq", &one, 1);
    const uint32_t deq =
        plumb_check_configurations_operation(f, 0, "deq", NULL, 0);
    assert_refused(f,
                   plumb_check_configurations_answer(f, enq, "none", NULL, 0),
                   UINT32_MAX, "no result \"none\"");
    const uint32_t done =
        plumb_check_configurations_answer(f, enq, "ok", NULL, 0);
    const plumb_check_configuration_set open =
        plumb_check_configurations_call(f, start, enq);
    assert_refused(f, plumb_check_configurations_call(f, open, deq),
                   PLUMB_CONFIGURATIONS_FAILED, "a thread calls");
    assert_refused(f, plumb_check_configurations_call(f, start, done),
                   PLUMB_CONFIGURATIONS_FAILED, "no such operation");
    assert_refused(f, plumb_check_configurations_call(f, 1000, enq),
                   PLUMB_CONFIGURATIONS_FAILED,
                   "no such set of configurations");
    assert_refused(f, plumb_check_configurations_return(f, start, enq, done),
                   PLUMB_CONFIGURATIONS_FAILED, "not open");
    assert_refused(f, plumb_check_configurations_return(f, open, deq, done),
                   PLUMB_CONFIGURATIONS_FAILED, "no such result");
    assert_true(plumb_check_configurations_return(f, open, enq, done) <
                PLUMB_CONFIGURATIONS_FAILED);
    assert_int_equal(
        plumb_check_configurations_call(f, PLUMB_CONFIGURATIONS_NONE, enq),
        PLUMB_CONFIGURATIONS_NONE);
    assert_int_equal(plumb_check_configurations_return(
                         f, PLUMB_CONFIGURATIONS_FAILED, enq, done),
                     PLUMB_CONFIGURATIONS_FAILED);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

static void a_run_that_is_stopped_says_so(void **state)
{
    (void)state;
    static const char *const ops[] = { "enq/1",  "put/1",  "deq/0", "poll/0",
                                       "take/0", "peek/0", NULL };
    static const struct plumb_user_spec user = {
        .version = PLUMB_SPEC_VERSION,
        .name = "items",
        .state_size = sizeof(struct items),
        .ops = ops,
        .step = items_step,
    };
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_spec *spec;
    struct plumb_error err;
    assert_int_equal(plumb_spec_from_user(&user, &spec, &err), PLUMB_OK);
    struct plumb_check_configurations *const f =
        plumb_check_configurations_open(spec, budget);
    plumb_check_configuration_set front = plumb_check_configurations_start(f);
    for (unsigned t = 0; t < 8 && front != PLUMB_CONFIGURATIONS_FAILED; t++) {
        const struct plumb_check_configurations_word item = { plumb_int(t),
                                                              NULL };
        const uint32_t op =
            plumb_check_configurations_operation(f, t, "enq", &item, 1);
        front = plumb_check_configurations_call(f, front, op);
    }
    const uint32_t deq =
        plumb_check_configurations_operation(f, 8, "deq", NULL, 0);
    const struct plumb_check_configurations_word last = { plumb_int(7), NULL };
    const uint32_t answer =
        plumb_check_configurations_answer(f, deq, "ok", &last, 1);
    front = plumb_check_configurations_call(f, front, deq);
    assert_true(front < PLUMB_CONFIGURATIONS_FAILED);
    plumb_budget_stop(budget);
    assert_int_equal(plumb_check_configurations_return(f, front, deq, answer),
                     PLUMB_CONFIGURATIONS_FAILED);
    assert_int_equal(plumb_check_configurations_error(f)->status, PLUMB_ESTOP);
    assert_int_equal(plumb_check_configurations_operation(f, 9, "deq", NULL, 0),
                     UINT32_MAX);
    assert_string_equal(plumb_check_configurations_error(f)->message,
                        "interrupted");
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
    plumb_budget_free(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_histories_of_two_operations),
        cmocka_unit_test(all_histories_of_three_operations),
        cmocka_unit_test(all_histories_of_four_operations),
        cmocka_unit_test(random_histories_of_every_type),
        cmocka_unit_test(longer_histories_as_the_decider_has_it),
        cmocka_unit_test(fronts_do_not_depend_on_what_was_met_first),
        cmocka_unit_test(memory_that_is_refused_is_survived),
        cmocka_unit_test(a_specification_in_c_is_followed),
        cmocka_unit_test(threads_and_terms_are_the_users),
        cmocka_unit_test(texts_are_equal_by_their_bytes),
        cmocka_unit_test(a_refused_name_leaves_the_terms_alone),
        cmocka_unit_test(values_that_come_late_find_their_place),
        cmocka_unit_test(equal_fronts_have_equal_numbers),
        cmocka_unit_test(a_parameter_may_be_a_text),
        cmocka_unit_test(the_past_is_forgotten),
        cmocka_unit_test(mistakes_are_told_and_change_nothing),
        cmocka_unit_test(a_run_that_is_stopped_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
