/* test_verify_report.c - what is told of an answer that was not verified.
 *
 * Memory is refused at each allocation in turn.  Where the search was through
 * by then, the report says what it found; where it was not, nothing of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model_texts.h"
#include "verify_report.h"
#include <plumb/budget.h>

struct seen {
    unsigned unverified, others;
};

static void check_words(struct plumb_judgement *j,
                        const struct plumb_error *err, bool holds,
                        struct seen *seen)
{
    const struct verify_settings settings = { .memory = (size_t)1 << 20 };
    struct plumb_text text, json;
    plumb_text_init(&text, NULL);
    plumb_text_init(&json, NULL);
    verify_report(&settings, "m", j, err, &text);
    verify_report_json(&settings, "m", j, err, &json);
    const char *const told = plumb_text_string(&text);
    assert_non_null(strstr(told, "next: --memory"));
    assert_true(!strstr(told, "so far") == j->unverified);
    assert_true(!strstr(told, "no memory was left to verify") != j->unverified);
    assert_true(!strstr(told, holds ? "found that it holds"
                                    : "found that it is violated") !=
                j->unverified);
    assert_true(!strstr(plumb_text_string(&json),
                        holds ? "\"found\":\"holds\""
                              : "\"found\":\"violated\"") != j->unverified);
    plumb_text_release(&text);
    plumb_text_release(&json);
    *(j->unverified ? &seen->unverified : &seen->others) += 1;
}

/* False if the nth allocation is not needed. */
static bool try_without(const struct plumb_model *model, size_t nth, bool holds,
                        struct seen *seen)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    const struct plumb_judging how = { .threads = 1, .budget = budget };
    struct plumb_judgement j;
    struct plumb_error err = { .status = PLUMB_OK };
    plumb_budget_fail_at(budget, nth);
    const enum plumb_status status = plumb_judge(&j, model, 0, &how, &err);
    const bool failed = plumb_budget_has_failed(budget);
    if (status == PLUMB_OK)
        assert_true(j.holds == holds && !j.unverified);
    else
        check_words(&j, &err, holds, seen);
    plumb_judgement_free(&j);
    plumb_budget_free(budget);
    return failed;
}

static void try_model(const char *text, bool holds)
{
    const struct plumb_reading reading = reading_of(text);
    struct plumb_model *const model = model_of(&reading);
    struct seen seen = { 0 };
    for (size_t nth = 1; try_without(model, nth, holds, &seen); nth++)
        continue;
    assert_true(seen.unverified > 0);
    assert_true(seen.others > 0);
    plumb_model_free(model);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_found_and_not_verified_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
