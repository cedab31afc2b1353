/* test_verify_report.c - answers, and what is told of them, without memory.
 *
 * Memory is refused at each allocation in turn.  Where the search was through
 * by then, the report says what it found; where it was not, nothing of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/verify/verify_report.h"
#include "base/memory.h"
#include "model_texts.h"
#include <plumb/budget.h>

struct seen {
    unsigned unverified, others;
};

static void check_words(struct plumb_refine_judgement *j,
                        const struct plumb_error *err, bool holds,
                        struct seen *seen)
{
    const struct verify_settings settings = { .memory = (size_t)1 << 20 };
    struct plumb_base_text text, json;
    plumb_base_text_init(&text, NULL);
    plumb_base_text_init(&json, NULL);
    struct verify_resources used;
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    verify_resources_begin(&used, budget);
    verify_report(&settings, "m", j, err, &text);
    verify_report_json("m", "m.csp", "m.csp", "", j, err, &used, &json);
    plumb_budget_free(budget);
    const char *const told = plumb_base_text_string(&text);
    assert_non_null(strstr(told, "try --memory"));
    assert_true(!strstr(told, "so far") == j->unverified);
    assert_true(!strstr(told, "no memory was left to verify") != j->unverified);
    assert_true(!strstr(told, holds ? "found that the assertion holds"
                                    : "found that the assertion is violated") !=
                j->unverified);
    assert_true(!strstr(plumb_base_text_string(&json),
                        holds ? "\"found\":\"holds\""
                              : "\"found\":\"violated\"") != j->unverified);
    plumb_base_text_release(&text);
    plumb_base_text_release(&json);
    *(j->unverified ? &seen->unverified : &seen->others) += 1;
}

/* False if the nth allocation is not needed. */
static bool try_without(const struct plumb_csp_model *model,
                        struct plumb_refine_judging how, size_t nth, bool holds,
                        struct seen *seen)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_refine_judgement j;
    struct plumb_error err = { .status = PLUMB_OK };
    how.threads = 1;
    how.budget = budget;
    plumb_base_budget_fail_at(budget, nth);
    const enum plumb_status status =
        plumb_refine_judge(&j, model, 0, &how, &err);
    const bool failed = plumb_base_budget_has_failed(budget);
    if (status == PLUMB_OK && (j.holds != holds || j.unverified))
        fail_msg("%s: it %s, without allocation %zu", j.assertion->text,
                 j.holds ? "holds" : "is violated", nth);
    else if (status != PLUMB_OK)
        check_words(&j, &err, holds, seen);
    plumb_refine_judgement_free(&j);
    plumb_budget_free(budget);
    return failed;
}

static struct seen try_so(const char *text, struct plumb_refine_judging how,
                          bool holds)
{
    const struct plumb_csp_reading reading = reading_of(text);
    struct plumb_csp_model *const model = model_of(&reading);
    struct seen seen = { 0 };
    for (size_t nth = 1; try_without(model, how, nth, holds, &seen); nth++)
        continue;
    plumb_csp_model_free(model);
    return seen;
}

static void try_model(const char *text, bool holds)
{
    const struct seen seen =
        try_so(text, (struct plumb_refine_judging){ 0 }, holds);
    assert_true(seen.unverified > 0);
    assert_true(seen.others > 0);
}

#define MODEL                                                                  \
    "var x = 0; #define two (x == 2);"                                         \
    "P() = a{x = 1} -> b{x = 0} -> P(); Q() = a -> b -> Q();"                  \
    "R() = a -> a -> R();"

static void what_was_found_and_not_verified_is_told(void **state)
{
    (void)state;
    try_model(MODEL "#assert P() deadlockfree;", true);
    try_model(MODEL "#assert P() reaches two;", false);
    try_model(MODEL "#assert P() |= []<> b;", true);
    try_model(MODEL "#assert P() |= <>[] two;", false);
    try_model(MODEL "#assert P() refines Q();", true);
    try_model(MODEL "#assert P() refines R();", false);
}

#define CLIENTS                                                                \
    "var own = -1; var done[2];"                                               \
    "Client(i) = get.i -> [own == -1] tau{own = i} -> put.i{done[i] = 1} ->"   \
    "            tau{own = -1} -> done.i{done[i] = 0} -> Client(i);"           \
    "System() = ||| i:{0..1} @ Client(i);"                                     \
    "Free(i) = get.i -> put.i -> done.i -> Free(i);"                           \
    "All() = ||| i:{0..1} @ Free(i);"                                          \
    "Few(i) = get.i -> put.i -> Few(i); Less() = ||| i:{0..1} @ Few(i);"

#define CHANNELS                                                               \
    "channel c 1; channel d 0;"                                                \
    "S() = c!1 -> d!2 -> S(); T() = c?x -> d?y -> got.x.y -> T();"             \
    "U() = S() ||| T(); V() = (e -> V()) \\ {e}; W() = |||{2} @ (a -> Skip);"

/* Whichever allocation is refused: the answer is right, or there is none. */
static void refused_memory_changes_no_verdict(void **state)
{
    static const struct {
        const char *text;
        bool holds;
    } model[] = {
        { CLIENTS "#assert System() refines All();", true },
        { CLIENTS "#assert System() refines Less();", false },
        { CLIENTS "#assert All() refines<F> System();", true },
        { CLIENTS "#assert System() refines<FD> System();", true },
        { CLIENTS "#assert System() deadlockfree;", true },
        { CLIENTS "#assert System() deterministic;", false },
        { CLIENTS "#assert System() divergencefree;", true },
        { CLIENTS "#assert System() |= [](get.0 -> <> put.0);", false },
        { CLIENTS "#assert System() |= [](get.0 -> X (put.0 R !get.0));",
          true },
        { CHANNELS "#assert U() |= []<> got.1.2;", true },
        { CHANNELS "#assert U() |= []<> \"d.2\";", true },
        { CHANNELS "#assert V() divergencefree;", false },
        { CHANNELS "#assert W() deadlockfree;", true },
        { CHANNELS "#assert W() nonterminating;", false },
    };
    static const enum plumb_refine_engine engine[] = { PLUMB_ENGINE_AUTO,
                                                       PLUMB_ENGINE_PRODUCT,
                                                       PLUMB_ENGINE_ANTICHAIN,
                                                       PLUMB_ENGINE_BISIMILAR };
    (void)state;
    for (size_t i = 0; i < sizeof model / sizeof *model; i++)
        for (size_t e = 0; e < sizeof engine / sizeof *engine; e++) {
            struct plumb_refine_judging how = { .engine = engine[e] };
            try_so(model[i].text, how, model[i].holds);
            how.symmetry = PLUMB_SYMMETRY_ON;
            how.reduction = PLUMB_REDUCE_LOCAL;
            how.fairness = PLUMB_WEAK_FAIRNESS;
            if (!strstr(model[i].text, "get.0 ->"))
                try_so(model[i].text, how, model[i].holds);
            if (!strstr(model[i].text, "refines"))
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_found_and_not_verified_is_told),
        cmocka_unit_test(refused_memory_changes_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
