/* test_limits_of_models.c - whatever is asserted, however it is decided: the
 * budget is asked often, and a stop is obeyed at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counted_blocks.h"
#include "csp/language/model.h"
#include "refine/accept/accept_partition.h"
#include "refine/engines/refine.h"
#include "refine/judge.h"
#include "refine/minimise/bisimulation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Some milliseconds; what passes over a large graph without a question has more
 * blocks. */
enum { OFTEN = 2000000 };

/* How many processes and items. */
#define LARGE  "#define N 3;\n#define SIZE 4;\n"
#define MEDIUM "#define N 3;\n#define SIZE 2;\n"
#define NARROW "#define N 2;\n#define SIZE 12;\n"

/* Treiber's stack as in models/stack.csp, and questions about it. */
static const char stack[] =
    "var H = 0;\n"
    "var HL[N];\n"
    "PushLoop(i) = tau{HL[i] = H;} -> ifa (HL[i] == H) {\n"
    "    tau{if (H < SIZE) { H = H + 1; } HL[i] = H;} -> tau ->\n"
    "    push_res.i.HL[i] -> Skip } else { PushLoop(i) };\n"
    "PopLoop(i) = tau{HL[i] = H;} ->\n"
    "    if (HL[i] == 0) { pop_res.i.0 -> Skip } else {\n"
    "    ifa (HL[i] == H) { tau{H = H - 1; HL[i] = H;} -> tau ->\n"
    "    pop_res.i.(HL[i] + 1) -> Skip } else { PopLoop(i) } };\n"
    "Process(i) = (push_inv.i -> PushLoop(i) [] pop_inv.i -> PopLoop(i));\n"
    "    Process(i);\n"
    "Stack() = ||| i:{0..N-1} @ Process(i);\n"
    "var A = 0;\n"
    "var AL[N];\n"
    "PushA(i) = push_inv.i -> tau{if (A < SIZE) { A = A + 1; } AL[i] = A;}\n"
    "    -> push_res.i.AL[i] -> Skip;\n"
    "PopA(i) = pop_inv.i -> ifa (A == 0) { tau -> pop_res.i.0 -> Skip }\n"
    "    else { tau{A = A - 1; AL[i] = A;} -> pop_res.i.(AL[i] + 1)\n"
    "    -> Skip };\n"
    "ProcessA(i) = (PushA(i) [] PopA(i)); ProcessA(i);\n"
    "StackA() = ||| i:{0..N-1} @ ProcessA(i);\n"
    "#define high H > SIZE;\n"
    "#define low H < SIZE + 1;\n"
    "#assert Stack() refines StackA();\n"
    "#assert Stack() refines<F> StackA();\n"
    "#assert Stack() refines<FD> StackA();\n"
    "#assert StackA() refines Stack();\n"
    "#assert Stack() deadlockfree;\n"
    "#assert Stack() divergencefree;\n"
    "#assert Stack() nonterminating;\n"
    "#assert Stack() reaches high;\n"
    "#assert Stack() |= [] (push_inv.0 -> <> low);\n"
    "#assert Stack() |= [] <> low && ([] <> low -> <> [] low);\n";

enum assertion {
    TRACES,
    FAILURES,
    DIVERGENCES,
    BACKWARDS,
    DEADLOCKFREE,
    DIVERGENCEFREE,
    NONTERMINATING,
    REACHES,
    RESPONDS,
    RETURNS,
    ASSERTIONS
};

struct way {
    enum assertion assertion;
    enum plumb_refine_engine engine;
    enum plumb_refine_fairness fairness;
    enum plumb_refine_symmetry_use symmetry;
};

static const struct way way[] = {
    { TRACES, PLUMB_ENGINE_BISIMILAR, 0, PLUMB_SYMMETRY_OFF },
    { TRACES, PLUMB_ENGINE_ANTICHAIN, 0, PLUMB_SYMMETRY_OFF },
    { TRACES, PLUMB_ENGINE_AUTO, 0, PLUMB_SYMMETRY_ON },
    { FAILURES, PLUMB_ENGINE_AUTO, 0, PLUMB_SYMMETRY_OFF },
    { DIVERGENCES, PLUMB_ENGINE_BISIMILAR, 0, PLUMB_SYMMETRY_OFF },
    { DIVERGENCES, PLUMB_ENGINE_ANTICHAIN, 0, PLUMB_SYMMETRY_OFF },
    { BACKWARDS, PLUMB_ENGINE_ANTICHAIN, 0, PLUMB_SYMMETRY_OFF },
    { DEADLOCKFREE, 0, 0, PLUMB_SYMMETRY_OFF },
    { DIVERGENCEFREE, 0, 0, PLUMB_SYMMETRY_OFF },
    { NONTERMINATING, 0, 0, PLUMB_SYMMETRY_OFF },
    { REACHES, 0, 0, PLUMB_SYMMETRY_OFF },
    { RESPONDS, 0, PLUMB_WEAK_FAIRNESS, PLUMB_SYMMETRY_OFF },
    { RETURNS, 0, PLUMB_UNFAIR, PLUMB_SYMMETRY_OFF },
    { RETURNS, 0, PLUMB_STRONG_FAIRNESS, PLUMB_SYMMETRY_OFF },
};
enum { WAYS = sizeof way / sizeof *way };

static struct plumb_csp_model *read_model(const char *sizes, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", sizes, rest);
    const struct plumb_csp_reading reading = { .name = "m.csp",
                                               .text = text,
                                               .size = strlen(text) };
    struct plumb_csp_model *model = NULL;
    struct plumb_error err = { .status = PLUMB_OK };
    if (plumb_csp_model_read(&reading, &model, &err) != PLUMB_OK)
        fail_msg("%d:%d: %s", (int)err.line, (int)err.column, err.message);
    return model;
}

static enum plumb_status decide(const struct plumb_csp_model *model,
                                const struct way *w,
                                struct plumb_budget *budget)
{
    const struct plumb_refine_judging how = { .engine = w->engine,
                                              .fairness = w->fairness,
                                              .symmetry = w->symmetry,
                                              .threads = 1,
                                              .budget = budget };
    struct plumb_refine_judgement j;
    struct plumb_error err;
    const enum plumb_status status =
        plumb_refine_judge(&j, model, w->assertion, &how, &err);
    plumb_refine_judgement_free(&j);
    return status;
}

static void assert_asked_often(const char *sizes, const struct way *w)
{
    struct plumb_csp_model *const model = read_model(sizes, stack);
    assert_int_equal(model->assertions, ASSERTIONS);
    blocks_begin();
    assert_int_equal(decide(model, w, NULL), PLUMB_OK);
    if (blocks_most() > OFTEN)
        fail_msg("assertion %d, engine %d: %llu blocks without a question",
                 w->assertion, w->engine, (unsigned long long)blocks_most());
    plumb_csp_model_free(model);
}

static void the_budget_is_asked_often(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++)
        assert_asked_often(
            way[i].engine == PLUMB_ENGINE_ANTICHAIN ? MEDIUM : LARGE, way + i);
}

/* There would be too many pairs of more processes. */
static void pairs_are_asked_about_often(void **state)
{
    const struct way by_product = { .assertion = TRACES,
                                    .engine = PLUMB_ENGINE_PRODUCT,
                                    .symmetry = PLUMB_SYMMETRY_OFF };
    const struct way with_failures = { .assertion = FAILURES,
                                       .engine = PLUMB_ENGINE_PRODUCT,
                                       .symmetry = PLUMB_SYMMETRY_OFF };
    (void)state;
    assert_asked_often(NARROW, &by_product);
    assert_asked_often(NARROW, &with_failures);
}

/* At moments that divide the whole evenly. */
static void a_stop_is_obeyed_at_once(void **state)
{
    enum { MOMENTS = 6 };
    struct plumb_csp_model *const model = read_model(MEDIUM, stack);
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        blocks_begin();
        assert_int_equal(decide(model, way + i, NULL), PLUMB_OK);
        const uint64_t all = blocks_questions();
        for (unsigned k = 1; k < MOMENTS; k++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            blocks_begin_to_stop(budget, all * k / MOMENTS);
            assert_int_equal(decide(model, way + i, budget), PLUMB_ESTOP);
            if (blocks_since_stop() > OFTEN)
                fail_msg("way %u, moment %u: %llu blocks after the stop", i, k,
                         (unsigned long long)blocks_since_stop());
            plumb_budget_free(budget);
        }
    }
    plumb_csp_model_free(model);
}

/* Many components: states are wide, and each has many successors. */
static void wide_states_ask_often(void **state)
{
    static const char wide[] = "var x[N];\n"
                               "P(i) = a.i{x[i] = 1} -> Skip;\n"
                               "S() = ||| i:{0..N-1} @ P(i);\n"
                               "#assert S() deadlockfree;\n";
    const struct way w = { .assertion = 0 };
    struct plumb_csp_model *const model = read_model("#define N 800;\n", wide);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    enum { QUESTIONS = 3000 };
    (void)state;
    blocks_begin_to_stop(budget, QUESTIONS);
    assert_int_equal(decide(model, &w, budget), PLUMB_ESTOP);
    assert_in_range(blocks_most(), 1, 10 * OFTEN);
    plumb_budget_free(budget);
    plumb_csp_model_free(model);
}

/* ---- classes ---- */

enum { STATES = 500000, SELDOM = 400000 };

/* Short ways of taus, each of whose states can do something else; all such ways
 * are alike but for where they lead to. */
static void fill(uint64_t *first, struct plumb_csp_edge *edge)
{
    uint64_t n = 0;
    for (uint32_t s = 0; s < STATES; s++) {
        first[s] = n;
        if (s % 4 != 3)
            edge[n++] = (struct plumb_csp_edge){ PLUMB_TAU, s + 1 };
        edge[n++] = (struct plumb_csp_edge){ PLUMB_FIRST_EVENT + s % 4,
                                             (uint32_t)(s * 7ull % STATES) };
    }
    first[STATES] = n;
}

/* Nothing but classes is made, so that no pass over the states or edges hides
 * behind what costs more. */
static void classes_are_made_and_checked_in_time(void **state)
{
    uint64_t *const first = malloc((STATES + 1) * sizeof *first);
    struct plumb_csp_edge *const edge = malloc(2 * STATES * sizeof *edge);
    const struct plumb_csp_lts lts = { STATES, first, edge };
    struct plumb_refine_partition p;
    struct plumb_refine_quotient q;
    struct plumb_error err;
    bool yes;
    (void)state;
    fill(first, edge);
    blocks_begin();
    assert_int_equal(plumb_refine_bisimulation(&lts, true, NULL, &p, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_refine_quotient(&lts, &p, true, NULL, &q, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_refine_accept_partition(
                         &(struct plumb_refine_pieces){ &lts, NULL }, &p, true,
                         NULL, NULL, &yes, &err),
                     PLUMB_OK);
    assert_true(yes);
    assert_in_range(blocks_most(), 1, SELDOM);
    plumb_refine_quotient_release(&q, NULL);
    plumb_refine_partition_release(&p, NULL);
    free(first);
    free(edge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_is_asked_often),
        cmocka_unit_test(pairs_are_asked_about_often),
        cmocka_unit_test(a_stop_is_obeyed_at_once),
        cmocka_unit_test(wide_states_ask_often),
        cmocka_unit_test(classes_are_made_and_checked_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
