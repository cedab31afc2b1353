/* test_monitors.c - whatever monitors decide, the search decides as well.
 *
 * Random histories of every type that has a monitor, some of several objects
 * and with operations that fail or never return.  Each answer has been verified
 * by src/proof before it gets here. */
#include "base/memory.h"
#include "cases.h"
#include "effort.h"

#include <stdio.h>
#include <stdlib.h>

struct kind {
    const char *spec;
    const char *calls[16];
    const char *answers[16][8];
    unsigned ops;
};

#define DONE                                                                   \
    {                                                                          \
        "ok"                                                                   \
    }
#define TRUTH                                                                  \
    {                                                                          \
        "ok true", "ok false"                                                  \
    }
#define FILLS                                                                  \
    {                                                                          \
        "ok", "full"                                                           \
    }
#define ITEMS                                                                  \
    {                                                                          \
        "ok 1", "ok 2", "ok 3", "ok 4", "empty"                                \
    }

static const struct kind kinds[] = {
    { "queue",
      { "enq 1", "enq 2", "enq 3", "enq 4", "deq", "deq", "deq", "peek" },
      { DONE, DONE, DONE, DONE, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "queue:cap=1",
      { "enq 1", "enq 2", "enq 3", "enq 4", "deq", "deq", "deq", "deq" },
      { FILLS, FILLS, FILLS, FILLS, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "queue:cap=2",
      { "enq 1", "enq 2", "enq 3", "enq 4", "deq", "deq", "deq", "deq" },
      { FILLS, FILLS, FILLS, FILLS, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "queue:weak",
      { "enq 1", "enq 2", "enq 3", "enq 4", "deq", "deq", "deq", "deq" },
      { FILLS, FILLS, FILLS, FILLS, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "queue:cap=2,weak",
      { "enq 1", "enq 2", "enq 3", "enq 4", "deq", "deq", "deq", "deq" },
      { FILLS, FILLS, FILLS, FILLS, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "queue:cap=2,weak=claim",
      { "enq 1", "enq 2", "enq 3", "enq 4", "deq", "deq", "deq", "deq" },
      { FILLS, FILLS, FILLS, FILLS, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "stack",
      { "push 1", "push 2", "push 3", "push 4", "pop", "pop", "pop", "peek" },
      { DONE, DONE, DONE, DONE, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "priority-queue",
      { "insert 1", "insert 2", "insert 3", "insert 4", "delmin", "delmin",
        "delmin", "min" },
      { DONE, DONE, DONE, DONE, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "priority-queue:max",
      { "insert 1", "insert 2", "insert 3", "insert 4", "delmin", "delmin",
        "delmin", "min" },
      { DONE, DONE, DONE, DONE, ITEMS, ITEMS, ITEMS, ITEMS },
      8 },
    { "set",
      { "insert 1", "delete 1", "member 1", "insert 2", "delete 2",
        "member 2" },
      { TRUTH, TRUTH, TRUTH, TRUTH, TRUTH, TRUTH },
      12 },
    { "multiset",
      { "insert 1", "delete 1", "member 1", "count 1", "insert 2", "count 2" },
      { DONE,
        TRUTH,
        TRUTH,
        { "ok 0", "ok 1", "ok 2", "ok 3" },
        DONE,
        { "ok 0", "ok 1" } },
      12 },
    { "register",
      { "write 1", "write 2", "write 3", "read", "read", "read" },
      { DONE,
        DONE,
        DONE,
        { "ok 1", "ok 2", "ok 3", "ok nil" },
        { "ok 1", "ok 2", "ok 3" },
        { "ok 1", "ok 2" } },
      9 },
    { "register:init=2",
      { "write 1", "write 4", "write 3", "read", "read", "cas 1 3", "swap 5" },
      { DONE,
        DONE,
        DONE,
        { "ok 1", "ok 2", "ok 3", "ok 4" },
        { "ok 2", "ok 4" },
        TRUTH,
        { "ok 1", "ok 2", "ok 3" } },
      8 },
    { "map",
      { "put 1 7", "put 1 8", "get 1", "remove 1", "insert 1 9", "member 1",
        "put 2 7", "get 2", "append 3 x" },
      { DONE,
        DONE,
        { "ok 7", "ok 8", "ok 9", "none" },
        { "ok 7", "ok 8", "ok 9", "none" },
        TRUTH,
        TRUTH,
        DONE,
        { "ok 7", "none" },
        DONE },
      12 },
    { "map:init=8",
      { "put 1 7", "put 1 9", "get 1", "remove 1", "insert 1 6", "member 1",
        "get 2" },
      { DONE,
        DONE,
        { "ok 7", "ok 8", "ok 9", "none" },
        { "ok 7", "ok 8", "ok 9", "none" },
        TRUTH,
        TRUTH,
        { "ok 8", "none" } },
      12 },
};
enum { KINDS = sizeof kinds / sizeof *kinds, RINGS = 5 };

static struct plumb_history any_history(const struct kind *k,
                                        struct plumb_base_rng *rng)
{
    const char *const *answers[16];
    for (unsigned i = 0; i < 16; i++)
        answers[i] = k->answers[i];
    const struct babble b = { k->calls, answers,
                              1 + plumb_base_rng_below(rng, k->ops),
                              1 + plumb_base_rng_below(rng, 4) };
    return babbled(rng, &b);
}

static struct plumb_answer ask(const struct plumb_history *h,
                               const struct plumb_spec *spec,
                               enum plumb_algorithm algorithm)
{
    const struct plumb_check_options o = { .algorithm = algorithm,
                                           .whole = true };
    struct plumb_answer a;
    struct plumb_error err;
    if (plumb_check(h, spec, &o, &a, &err) != PLUMB_OK)
        fail_msg("%s", err.message);
    return a;
}

struct tally {
    unsigned monitored, declined, good, bad;
};

/* Until they fail they may have taken effect: then it is not known exactly. */
static bool has_failures(const struct plumb_history *h)
{
    for (uint32_t i = 0; i < h->count; i++)
        if (h->op[i].outcome == PLUMB_OUTCOME_FAIL)
            return true;
    return false;
}

static void compare(const struct plumb_history *h,
                    const struct plumb_spec *spec, struct tally *t)
{
    struct plumb_answer mine = ask(h, spec, PLUMB_ALGORITHM_AUTO);
    struct plumb_answer other = ask(h, spec, PLUMB_ALGORITHM_SEARCH);
    assert_int_equal(mine.verdict, other.verdict);
    const bool bad = mine.verdict == PLUMB_NOT_LINEARIZABLE;
    if (bad) {
        assert_true(mine.maybe <= mine.sure);
        assert_true(other.maybe == other.sure || has_failures(h));
        assert_in_range(other.sure, mine.maybe, mine.sure);
    }
    t->monitored += mine.algorithm == PLUMB_ALGORITHM_MONITOR;
    t->declined += mine.algorithm != PLUMB_ALGORITHM_MONITOR;
    t->good += !bad;
    t->bad += bad;
    plumb_answer_release(&mine);
    plumb_answer_release(&other);
}

static void monitors_agree_with_the_search(void **state)
{
    (void)state;
    const char *const rounds = getenv("PLUMB_ROUNDS");
    const unsigned long many =
        rounds ? strtoul(rounds, NULL, 10) : SOME_OF(3000);
    for (unsigned k = 0; k < KINDS; k++) {
        struct plumb_base_rng rng;
        struct plumb_error err;
        struct plumb_spec *spec;
        struct tally t = { 0 };
        assert_int_equal(plumb_spec_parse(kinds[k].spec, &spec, &err),
                         PLUMB_OK);
        plumb_base_rng_seed(&rng, k + 1);
        for (unsigned long i = 0; i < many; i++) {
            struct plumb_history h = any_history(&kinds[k], &rng);
            compare(&h, spec, &t);
            plumb_history_release(&h);
        }
        printf("%s: %u by monitor, %u by search; %u linearizable, %u not\n",
               kinds[k].spec, t.monitored, t.declined, t.good, t.bad);
        assert_true(t.good > many / 50 && t.bad > many / 50);
        assert_true(t.monitored > many / 50);
        plumb_spec_free(spec);
    }
}

/* Whichever allocation fails: no other verdict, and a search may still decide. */
static void memory_that_is_used_up_changes_no_verdict(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    unsigned undecided = 0;
    plumb_base_rng_seed(&rng, 1);
    for (unsigned k = 1; k <= RINGS; k++) {
        struct plumb_error err;
        struct plumb_spec *spec;
        assert_int_equal(plumb_spec_parse(kinds[k].spec, &spec, &err),
                         PLUMB_OK);
        struct plumb_history h = any_history(&kinds[k], &rng);
        struct plumb_answer right = ask(&h, spec, PLUMB_ALGORITHM_AUTO);
        bool failed = true;
        for (size_t nth = 1; failed; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            const struct plumb_check_options o = { .budget = budget };
            struct plumb_answer a;
            plumb_base_budget_fail_at(budget, nth);
            assert_int_equal(plumb_check(&h, spec, &o, &a, &err), PLUMB_OK);
            failed = plumb_base_budget_has_failed(budget);
            assert_true(a.verdict == right.verdict ||
                        (failed && a.verdict == PLUMB_UNDECIDED));
            undecided += a.verdict == PLUMB_UNDECIDED;
            plumb_answer_release(&a);
            plumb_budget_free(budget);
        }
        plumb_answer_release(&right);
        plumb_history_release(&h);
        plumb_spec_free(spec);
    }
    assert_true(undecided > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monitors_agree_with_the_search),
        cmocka_unit_test(memory_that_is_used_up_changes_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
