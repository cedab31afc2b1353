/* test_written_spec.c - the serial histories of several tests as one automaton,
 * and as a specification in C.
 *
 * A random object is a table.  By the definition a call is known after a
 * sequence of calls with their answers iff some test has a serial history that
 * begins so, whoever calls; two that differ only in the last outcome are a
 * contradiction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../effort.h"
#include "base/memory.h"
#include "base/rng.h"
#include "infer/written_spec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 4, CALLS = 4, THREADS = 3, OPS = 2, TESTS = 3 };
enum { MOST = 4096, LENGTH = THREADS * OPS };

/* ---- objects ---- */

struct row {
    unsigned answer, next;
    bool waits;
};

struct random_tests {
    struct row table[STATES][CALLS];
    bool by_thread; /* the third thread gets other answers */
    unsigned tests;
    struct {
        unsigned threads, ops[THREADS], call[THREADS][OPS];
    } test[TESTS];
};

/* Two operations, each with two arguments. */
static void make_entry(unsigned call, struct plumb_record_entry *e)
{
    memset(e, 0, sizeof *e);
    plumb_record_entry_begin(e, call / 2);
    plumb_record_entry_number(e, call % 2);
}

static void make_answer(unsigned call, unsigned answer,
                        struct plumb_record_entry *e)
{
    make_entry(call, e);
    e->value[e->nargs] = plumb_int(answer);
    e->nres = 1;
}

static struct row outcome(const struct random_tests *r, unsigned state,
                          unsigned thread, unsigned call)
{
    struct row row = r->table[state][call];
    if (r->by_thread && thread == THREADS - 1)
        row.answer++;
    return row;
}

static void draw(struct plumb_base_rng *rng, struct random_tests *r)
{
    const unsigned waits = plumb_base_rng_below(rng, 30);
    *r = (struct random_tests){ .by_thread = plumb_base_rng_chance(rng, 20),
                                .tests = 1 + plumb_base_rng_below(rng, TESTS) };
    for (unsigned s = 0; s < STATES; s++)
        for (unsigned c = 0; c < CALLS; c++)
            r->table[s][c] = (struct row){ plumb_base_rng_below(rng, 2),
                                           plumb_base_rng_below(rng, STATES),
                                           plumb_base_rng_chance(rng, waits) };
    for (unsigned k = 0; k < r->tests; k++) {
        r->test[k].threads = 1 + plumb_base_rng_below(rng, THREADS);
        for (unsigned t = 0; t < r->test[k].threads; t++) {
            r->test[k].ops[t] = 1 + plumb_base_rng_below(rng, OPS);
            for (unsigned i = 0; i < OPS; i++)
                r->test[k].call[t][i] = plumb_base_rng_below(rng, CALLS);
        }
    }
}

/* ---- phase 1 ---- */

struct serial {
    const struct random_tests *r;
    unsigned test;
    struct plumb_infer_answers answers;
    struct plumb_infer_seen seen[MOST];
    size_t count;
};

static uint32_t moment_of(const unsigned done[THREADS], unsigned state)
{
    uint32_t n = state;
    for (unsigned t = 0; t < THREADS; t++)
        n = n * (OPS + 1) + done[t];
    return n;
}

/* Everything that follows; what was there before is told again. */
static void run_serially(struct serial *s, const unsigned done[THREADS],
                         unsigned state)
{
    for (unsigned t = 0; t < s->r->test[s->test].threads; t++) {
        unsigned after[THREADS];
        struct plumb_record_entry e;
        if (done[t] == s->r->test[s->test].ops[t])
            continue;
        const unsigned call = s->r->test[s->test].call[t][done[t]];
        const struct row row = outcome(s->r, state, t, call);
        memcpy(after, done, sizeof after);
        after[t]++;
        make_answer(call, row.answer, &e);
        assert_true(s->count < MOST);
        s->seen[s->count++] = (struct plumb_infer_seen){
            .from = moment_of(done, state),
            .to = row.waits ? PLUMB_INFER_STUCK : moment_of(after, row.next),
            .op = t * OPS + done[t],
            .answer = plumb_infer_answer(&s->answers, &e)
        };
        if (!row.waits)
            run_serially(s, after, row.next);
    }
}

static void fill_store(const struct random_tests *r, unsigned test,
                       struct plumb_infer_store *store)
{
    static struct serial s;
    const unsigned none[THREADS] = { 0 };
    struct plumb_error err;
    s = (struct serial){ .r = r, .test = test };
    store->operations = LENGTH;
    store->init = store->final = 0;
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < OPS; i++) {
            make_entry(r->test[test].call[t][i], &store->call[t * OPS + i]);
            store->process[t * OPS + i] = (uint8_t)t;
            store->allowed[t * OPS + i] = UINT32_MAX;
        }
    plumb_infer_answers_open(&s.answers, store, NULL);
    run_serially(&s, none, 0);
    assert_int_equal(plumb_infer_store_infer(store, s.seen, s.count,
                                             STATES * 27, NULL, &err),
                     PLUMB_OK);
    plumb_infer_answers_close(&s.answers);
    assert_int_equal(store->end, PLUMB_INFER_DETERMINISTIC);
}

/* ---- by the definition ---- */

/* Calls with their outcomes: 0 waits, else 1 + the answer. */
struct sequence {
    unsigned length;
    uint8_t call[LENGTH], outcome[LENGTH];
};

struct sequences {
    struct sequence at[MOST];
    size_t count;
};

static void add_once(struct sequences *all, const struct sequence *s)
{
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(&all->at[i], s, sizeof *s) == 0)
            return;
    assert_true(all->count < MOST);
    all->at[all->count++] = *s;
}

static void list(const struct random_tests *r, unsigned test,
                 const unsigned done[THREADS], unsigned state,
                 const struct sequence *before, struct sequences *all)
{
    for (unsigned t = 0; t < r->test[test].threads; t++) {
        unsigned after[THREADS];
        struct sequence s = *before;
        if (done[t] == r->test[test].ops[t])
            continue;
        const unsigned call = r->test[test].call[t][done[t]];
        const struct row row = outcome(r, state, t, call);
        memcpy(after, done, sizeof after);
        after[t]++;
        s.call[s.length] = (uint8_t)call;
        s.outcome[s.length++] = (uint8_t)(row.waits ? 0 : 1 + row.answer);
        add_once(all, &s);
        if (!row.waits)
            list(r, test, after, row.next, &s, all);
    }
}

static bool contradict(const struct sequence *a, const struct sequence *b)
{
    const unsigned last = a->length - 1;
    return a->length == b->length && memcmp(a->call, b->call, a->length) == 0 &&
           memcmp(a->outcome, b->outcome, last) == 0 &&
           a->outcome[last] != b->outcome[last];
}

static bool has_contradiction(const struct sequences *all)
{
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < i; k++)
            if (contradict(&all->at[i], &all->at[k]))
                return true;
    return false;
}

/* ---- comparing ---- */

/* What the automaton has, as such sequences. */
static void walk(const struct plumb_infer_merged *m,
                 const struct plumb_infer_automaton *a, uint32_t position,
                 const struct sequence *before, struct sequences *all)
{
    for (uint32_t i = a->first[position]; i < a->first[position + 1]; i++) {
        const struct plumb_infer_edge *const e = &a->edge[i];
        const struct plumb_record_entry *const call = &m->calls.entry.at[e->op];
        const struct plumb_record_entry *const answer =
            &m->answers.entry.at[e->answer];
        struct sequence s = *before;
        s.call[s.length] = (uint8_t)(2 * call->operation + call->value[0].bits);
        s.outcome[s.length++] =
            (uint8_t)(e->next == PLUMB_INFER_STUCK
                          ? 0
                          : 1 + answer->value[answer->nargs].bits);
        add_once(all, &s);
        if (e->next != PLUMB_INFER_STUCK)
            walk(m, a, e->next, &s, all);
    }
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct sequence));
}

static const struct plumb_infer_about about = { .object = "table",
                                                .build = "1234",
                                                .tests = "f(0) | g(1)\n",
                                                .operations = 2,
                                                .name = { "f", "g" },
                                                .arity = { 1, 1 } };

static void merge(const struct random_tests *r, struct plumb_budget *budget,
                  struct plumb_infer_merged *m, bool *room)
{
    static struct plumb_infer_store store;
    plumb_infer_merged_init(m, budget);
    *room = true;
    for (unsigned k = 0; k < r->tests && *room; k++) {
        fill_store(r, k, &store);
        *room = plumb_infer_merged_add(m, &store);
    }
}

static void compare_sequences(uint64_t seed, const struct plumb_infer_merged *m,
                              const struct plumb_infer_automaton *a,
                              struct sequences *wanted)
{
    static struct sequences has;
    const struct sequence empty = { .length = 0 };
    has.count = 0;
    walk(m, a, 0, &empty, &has);
    qsort(has.at, has.count, sizeof *has.at, compare);
    qsort(wanted->at, wanted->count, sizeof *wanted->at, compare);
    if (has.count != wanted->count ||
        memcmp(has.at, wanted->at, has.count * sizeof *has.at) != 0)
        fail_msg("seed %llu: other sequences", (unsigned long long)seed);
}

static void what_is_known_was_seen_in_a_test(void **state)
{
    static struct sequences wanted;
    unsigned contradictions = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SOME_OF(2000); seed++) {
        const unsigned none[THREADS] = { 0 };
        const struct sequence empty = { .length = 0 };
        struct plumb_base_rng rng;
        struct random_tests r;
        struct plumb_infer_merged m;
        struct plumb_infer_automaton a;
        struct plumb_infer_conflict c;
        struct plumb_error err;
        bool room;
        plumb_base_rng_seed(&rng, seed);
        draw(&rng, &r);
        wanted.count = 0;
        for (unsigned k = 0; k < r.tests; k++)
            list(&r, k, none, 0, &empty, &wanted);
        merge(&r, NULL, &m, &room);
        assert_true(room);
        assert_int_equal(plumb_infer_merged_build(&m, &a, &c, &err), PLUMB_OK);
        assert_true(plumb_infer_is_sound(&a, (unsigned)m.calls.entry.count,
                                         (uint32_t)m.answers.entry.count));
        assert_int_equal(plumb_infer_is_conflict(&c),
                         has_contradiction(&wanted));
        contradictions += plumb_infer_is_conflict(&c);
        compare_sequences(seed, &m, &a, &wanted);
        plumb_infer_release(&a, NULL);
        plumb_infer_merged_release(&m);
    }
    assert_true(contradictions > 0);
}

static enum plumb_status write(const struct random_tests *r,
                               struct plumb_budget *budget,
                               struct plumb_base_text *out,
                               struct plumb_error *err)
{
    struct plumb_infer_merged m;
    bool room;
    merge(r, budget, &m, &room);
    const enum plumb_status status =
        room ? plumb_infer_write_spec(&m, &about, out, err) : PLUMB_EMEMORY;
    plumb_infer_merged_release(&m);
    return status;
}

static void a_contradiction_is_named(void **state)
{
    struct random_tests r = { .by_thread = true, .tests = 2 };
    struct plumb_base_text text;
    struct plumb_error err;
    (void)state;
    r.test[0].threads = 1;
    r.test[0].ops[0] = 1;
    r.test[1].threads = 3;
    for (unsigned t = 0; t < THREADS; t++) {
        r.test[1].ops[t] = 1;
        r.test[1].call[t][0] = t == 2 ? 0 : 1;
    }
    plumb_base_text_init(&text, NULL);
    assert_int_equal(write(&r, NULL, &text, &err), PLUMB_EINPUT);
    assert_string_equal(err.message,
                        "the answers depend on more than the calls before: "
                        "f(0) = ok(0), but also f(0) = ok(1)");
    assert_int_equal(text.size, 0);
    plumb_base_text_release(&text);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SOME_OF(20); seed++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_base_rng rng;
        struct random_tests r;
        size_t nth = 0;
        plumb_base_rng_seed(&rng, seed);
        draw(&rng, &r);
        r.by_thread = false;
        for (enum plumb_status status = PLUMB_EMEMORY; status != PLUMB_OK;) {
            struct plumb_base_text text;
            struct plumb_error err;
            plumb_base_budget_fail_at(budget, ++nth);
            plumb_base_text_init(&text, budget);
            status = write(&r, budget, &text, &err);
            assert_int_equal(status, plumb_base_budget_has_failed(budget)
                                         ? PLUMB_EMEMORY
                                         : PLUMB_OK);
            plumb_base_text_release(&text);
            assert_int_equal(plumb_budget_used(budget), 0);
        }
        assert_true(nth > 10);
        plumb_budget_free(budget);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_was_seen_in_a_test),
        cmocka_unit_test(a_contradiction_is_named),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
