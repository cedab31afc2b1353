/* test_setlin.c - operations that take effect in several steps: stories, proofs
 * of them, and what happens without memory.  (tests/oracle/setlin.c compares
 * the deciders with the definition.) */
#include "story.h"

#include "base/memory.h"
#include "check/search/live_configurations.h"
#include "check/search/stuck.h"

static struct plumb_spec *parse(const char *text)
{
    struct plumb_spec *spec;
    struct plumb_error err;
    if (plumb_spec_parse(text, &spec, &err) != PLUMB_OK)
        fail_msg("%s: %s", text, err.message);
    return spec;
}

static void assert_verdict(const char *spec_text, const char *text,
                           enum plumb_verdict verdict)
{
    static const enum plumb_algorithm algorithms[] = {
        PLUMB_ALGORITHM_AUTO, PLUMB_ALGORITHM_SEARCH, PLUMB_ALGORITHM_WING_GONG
    };
    struct plumb_history h = story(text);
    struct plumb_spec *const spec = parse(spec_text);
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const struct plumb_check_options options = { .algorithm =
                                                         algorithms[i] };
        struct plumb_answer a;
        struct plumb_error err;
        if (plumb_check(&h, spec, &options, &a, &err) != PLUMB_OK)
            fail_msg("%s: %s", text, err.message);
        assert_int_equal(a.verdict, verdict);
        plumb_answer_release(&a);
    }
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void holds(const char *spec, const char *text)
{
    assert_verdict(spec, text, PLUMB_LINEARIZABLE);
}

static void fails(const char *spec, const char *text)
{
    assert_verdict(spec, text, PLUMB_NOT_LINEARIZABLE);
}

static void waiting_ends_in_blocks_of_all_participants(void **state)
{
    (void)state;
    holds("setlin:barrier", "A wait; B wait; A ok; B ok");
    fails("setlin:barrier", "A wait; A ok; B wait; B ok");
    fails("setlin:barrier:n=3", "A wait; B wait; A ok; B ok");
    holds("setlin:barrier:n=3", "A wait; B wait; C wait; A ok");
    /* A goes through twice, B once. */
    fails("setlin:barrier", "B wait; A wait; A ok; A wait; A ok; B ok");
    holds("setlin:barrier",
          "B wait; A wait; A ok; A wait; B ok; B wait; A ok; B ok");
    holds("setlin:barrier:n=1", "A wait; A ok; A wait; A ok");
}

static void arrivals_are_seen_before_the_phase_ends(void **state)
{
    (void)state;
    holds("setlin:barrier", "A wait; C participants_remaining; C ok 1;"
                            "C current_phase; C ok 0; B wait; A ok; B ok");
    fails("setlin:barrier", "A wait; C participants_remaining; C ok 0;"
                            "B wait; A ok; B ok");
    fails("setlin:barrier", "C participants_remaining; C ok 1; A wait; B wait;"
                            "A ok; B ok");
    /* One fewer, so that who waits need not any longer. */
    holds("setlin:barrier",
          "A wait; B remove_participant; B ok; A ok; B phase; B ok 1");
    fails("setlin:barrier:n=1", "A remove_participant; A ok; A wait; A ok");
    holds("setlin:barrier:n=1", "A remove_participant; A ok;"
                                "A signal_and_wait; A invalid");
    fails("setlin:barrier:n=1", "A add_participant; A invalid");
}

static void who_is_canceled_takes_back_its_arrival(void **state)
{
    (void)state;
    holds("setlin:barrier", "A signal_and_wait; B participants_remaining;"
                            "B ok 1; B cancel; B ok; B participants_remaining;"
                            "B ok 2; A canceled");
    /* Called before, so it may arrive after. */
    holds("setlin:barrier", "A signal_and_wait; B signal_and_wait; C cancel;"
                            "C ok; A ok; B ok");
    fails("setlin:barrier", "C cancel; C ok; A signal_and_wait;"
                            "B signal_and_wait; A ok; B ok");
    fails("setlin:barrier", "A signal_and_wait; A canceled");
    fails("setlin:barrier", "A wait; C cancel; C ok; A ok");
}

static void who_meets_swaps(void **state)
{
    (void)state;
    holds("setlin:exchanger", "A exchange 1; B exchange 2; A ok 2; B ok 1");
    fails("setlin:exchanger", "A exchange 1; A ok 2; B exchange 2; B ok 1");
    fails("setlin:exchanger", "A exchange 1; B exchange 2; A ok 1; B ok 2");
    /* Three that swap in a ring are no pairs. */
    fails("setlin:exchanger", "A exchange 1; B exchange 2; C exchange 3;"
                              "A ok 2; B ok 3; C ok 1");
    holds("setlin:exchanger", "A try_exchange 1; B try_exchange 2;"
                              "A timeout; B timeout");
    fails("setlin:exchanger", "A try_exchange 1; B exchange 2; A timeout;"
                              "B ok 1");
    holds("setlin:exchanger", "A @x exchange 1; B @y exchange 2; C @x exchange "
                              "3; D @y exchange 4; A @x ok 3; B @y ok 4;"
                              "C @x ok 1; D @y ok 2");
}

/* The thread of an operation that nobody heard of again may go on. */
static void operations_of_one_thread_are_told_apart(void **state)
{
    (void)state;
    holds("setlin:exchanger", "A exchange 1; A !info; A exchange 2; A ok 1");
    fails("setlin:exchanger", "A exchange 1; A !info; A exchange 2; A ok 2");
    fails("setlin:barrier", "A wait; A !info; B wait; B ok; A wait; A ok");
    holds("setlin:barrier:n=3", "A wait; A !info; A wait; B wait; A ok; B ok");
}

/* ---- Definition 2 ---- */

static void assert_stuck(const char *spec_text, const char *text,
                         uint32_t culprit)
{
    struct plumb_history h = story(text);
    struct plumb_spec *const spec = parse(spec_text);
    struct plumb_error err;
    bool justified = false;
    uint32_t found = 0;
    assert_int_equal(
        plumb_check_stuck(&h, spec, NULL, &justified, NULL, &found, &err),
        PLUMB_OK);
    assert_int_equal(found, culprit);
    assert_int_equal(justified, culprit == UINT32_MAX);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void who_waits_for_one_another_is_not_looked_at_alone(void **state)
{
    (void)state;
    assert_stuck("setlin:barrier:n=3", "A wait; B wait", UINT32_MAX);
    assert_stuck("setlin:barrier", "A wait; B wait", 0);
    assert_stuck("setlin:barrier", "A wait; B wait; B ok", 0);
    assert_stuck("setlin:barrier", "A wait; B wait; B ok; B wait", 0);
    assert_stuck("setlin:barrier", "A signal_and_wait; C cancel; C ok", 0);
    assert_stuck("setlin:barrier", "A wait; C cancel; C ok", UINT32_MAX);
    assert_stuck("setlin:barrier", "A wait; B participant_count", 1);
    assert_stuck("setlin:exchanger", "A exchange 1", UINT32_MAX);
    assert_stuck("setlin:exchanger", "A try_exchange 1", 0);
    assert_stuck("setlin:exchanger", "A exchange 1; B exchange 2; C exchange 3",
                 0);
}

/* ---- proofs ---- */

static void assert_witness(const char *text, const uint32_t *order,
                           uint32_t count, const char *mistake)
{
    struct plumb_history h = story(text);
    struct plumb_error err = { .status = PLUMB_OK };
    const enum plumb_status status = plumb_verify_witness(
        &h, (struct plumb_spec_ref){ "setlin:barrier", NULL }, order, count,
        NULL, &err);
    if (!mistake)
        assert_int_equal(status, PLUMB_OK);
    else if (status != PLUMB_EINPUT || !strstr(err.message, mistake))
        fail_msg("not %s, but %s", mistake, err.message);
    plumb_history_release(&h);
}

#define ORDER(...)                                                             \
    (const uint32_t[]){ __VA_ARGS__ },                                         \
        sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

static void a_witness_has_every_step(void **state)
{
    (void)state;
    static const char both[] = "A wait; B wait; A ok; B ok; C phase; C ok 1";
    assert_witness(both, ORDER(0, 1, 1, 0, 2), NULL);
    assert_witness(both, ORDER(0, 1, 0, 2, 1), "returned before");
    assert_witness(both, ORDER(0, 0, 1, 1, 2), "blocks");
    assert_witness(both, ORDER(0, 1, 0, 2), "often enough");
    assert_witness(both, ORDER(0, 1, 0, 0, 1, 2), "twice");
    assert_witness(both, ORDER(0, 1, 0, 1), "not in the witness");
    assert_witness("A wait; B wait; B ok", ORDER(0, 1, 1), NULL);
    assert_witness("A wait; B wait; B ok", ORDER(1, 1), "blocks");
}

/* ---- memory ---- */

static void checks_without_memory(const char *spec_text, const char *text)
{
    struct plumb_history h = story(text);
    struct plumb_spec *const spec = parse(spec_text);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_check_options options = { .budget = budget };
    size_t nth = 0;
    for (bool failed = true; failed;) {
        struct plumb_answer a;
        struct plumb_error err;
        plumb_base_budget_fail_at(budget, ++nth);
        assert_int_equal(plumb_check(&h, spec, &options, &a, &err), PLUMB_OK);
        failed = plumb_base_budget_has_failed(budget);
        assert_true(failed || a.verdict != PLUMB_UNDECIDED);
        plumb_answer_release(&a);
        bool justified;
        uint32_t culprit;
        plumb_base_budget_fail_at(budget, nth);
        plumb_check_stuck(&h, spec, budget, &justified, NULL, &culprit, &err);
        failed |= plumb_base_budget_has_failed(budget);
        assert_int_equal(plumb_budget_used(budget), 0);
    }
    assert_true(nth > 20);
    plumb_budget_free(budget);
    plumb_spec_free(spec);
    plumb_history_release(&h);
}

static void memory_that_is_refused_is_survived(void **state)
{
    (void)state;
    checks_without_memory("setlin:barrier",
                          "A signal_and_wait; B signal_and_wait; C cancel;"
                          "C ok; A ok; B ok; A wait; B wait; D wait");
    checks_without_memory("setlin:barrier",
                          "B signal_and_wait; A wait; A ok; A wait; A ok;"
                          "C cancel; B ok");
    checks_without_memory("setlin:exchanger",
                          "A exchange 1; B exchange 2; C exchange 3;"
                          "A ok 2; B ok 1; D try_exchange 4; D timeout");
    checks_without_memory("setlin:exchanger",
                          "A exchange 1; B exchange 2; C try_exchange 3;"
                          "D exchange 4; A ok 2; B ok 3; C ok 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_ends_in_blocks_of_all_participants),
        cmocka_unit_test(arrivals_are_seen_before_the_phase_ends),
        cmocka_unit_test(who_is_canceled_takes_back_its_arrival),
        cmocka_unit_test(who_meets_swaps),
        cmocka_unit_test(operations_of_one_thread_are_told_apart),
        cmocka_unit_test(who_waits_for_one_another_is_not_looked_at_alone),
        cmocka_unit_test(a_witness_has_every_step),
        cmocka_unit_test(memory_that_is_refused_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
