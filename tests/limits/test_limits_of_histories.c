/* test_limits_of_histories.c - whoever decides a long history, and whatever
 * comes out: the budget is asked often, and a stop is obeyed at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counted_blocks.h"
#include "long_history.h"
#include <plumb/plumb.h>
#include <stdio.h>

/* Each pass over so many operations has more blocks than OFTEN, which take some
 * milliseconds. */
enum { OPERATIONS = 200000, OFTEN = 2000000 };

struct way {
    const char *type;
    enum plumb_algorithm algorithm;
    uint32_t wrong_at, rest;
};

static const struct way way[] = {
    { "queue", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "queue", PLUMB_ALGORITHM_AUTO, OPERATIONS / 2, 0 },
    { "queue", PLUMB_ALGORITHM_AUTO, 0, 30000 },
    { "stack", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "stack", PLUMB_ALGORITHM_AUTO, OPERATIONS / 2, 0 },
    { "priority-queue", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "priority-queue", PLUMB_ALGORITHM_AUTO, OPERATIONS / 2, 0 },
    { "set", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "set", PLUMB_ALGORITHM_AUTO, OPERATIONS / 2, 0 },
    { "multiset", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "register", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "map", PLUMB_ALGORITHM_AUTO, 0, 0 },
    { "map", PLUMB_ALGORITHM_SEARCH, 0, 0 },
    { "map", PLUMB_ALGORITHM_SEARCH, OPERATIONS / 2, 0 },
};
enum { WAYS = sizeof way / sizeof *way };

static void make(const struct way *w, struct plumb_history *h)
{
    const struct long_history_plan plan = { .type = w->type,
                                            .operations = OPERATIONS,
                                            .threads = 4,
                                            .seed = 1,
                                            .wrong_at = w->wrong_at,
                                            .rest = w->rest };
    assert_true(long_history(&plan, h));
}

static void decide(const struct way *w, struct plumb_history *h,
                   struct plumb_budget *budget, struct plumb_answer *answer)
{
    const struct plumb_check_options options = { .algorithm = w->algorithm,
                                                 .budget = budget,
                                                 .jobs = 1 };
    struct plumb_spec *spec;
    struct plumb_error err;
    assert_int_equal(plumb_spec_parse(w->type, &spec, &err), PLUMB_OK);
    h->valid = false; /* that is asked about as well */
    assert_int_equal(plumb_check(h, spec, &options, answer, &err), PLUMB_OK);
    plumb_spec_free(spec);
}

static void the_budget_is_asked_often(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        struct plumb_history h;
        struct plumb_answer answer;
        make(way + i, &h);
        blocks_begin();
        decide(way + i, &h, NULL, &answer);
        assert_int_equal(answer.verdict, way[i].wrong_at
                                             ? PLUMB_NOT_LINEARIZABLE
                                             : PLUMB_LINEARIZABLE);
        if (blocks_most() > OFTEN)
            fail_msg("way %u: %llu blocks without a question", i,
                     (unsigned long long)blocks_most());
        plumb_answer_release(&answer);
        plumb_history_release(&h);
    }
}

static void stop_at(const struct way *w, struct plumb_history *h,
                    uint64_t questions)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_answer answer;
    blocks_begin_to_stop(budget, questions);
    decide(w, h, budget, &answer);
    const uint64_t after = blocks_since_stop();
    if (answer.verdict == PLUMB_UNDECIDED)
        assert_int_equal(answer.why, PLUMB_ESTOP);
    if (after > OFTEN)
        fail_msg("%s: %llu blocks after the stop at question %llu", w->type,
                 (unsigned long long)after, (unsigned long long)questions);
    plumb_answer_release(&answer);
    plumb_budget_free(budget);
}

/* At moments that divide the whole evenly.  A stop may come so late that the
 * answer is known. */
static void a_stop_is_obeyed_at_once(void **state)
{
    enum { MOMENTS = 4 };
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        struct plumb_history h;
        struct plumb_answer answer;
        make(way + i, &h);
        blocks_begin();
        decide(way + i, &h, NULL, &answer);
        const uint64_t all = blocks_questions();
        plumb_answer_release(&answer);
        for (unsigned k = 1; k < MOMENTS; k++)
            stop_at(way + i, &h, all * k / MOMENTS);
        plumb_history_release(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_is_asked_often),
        cmocka_unit_test(a_stop_is_obeyed_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
