/* choose_tests.c - which tests are run: the one that was given, or small ones
 * first and then drawn ones.  Options without effect are refused here. */
#include "app/console/say.h"
#include "app/explore/infer/likeness.h"
#include "app/explore/infer/matrix_search.h"
#include "app/explore/round_up/round_up_tests.h"
#include "app/objects/described_object.h"
#include "explore_samples.h"
#include "unseen_code.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BEFORE = 4, /* operations that come before those of the threads */
    MOST_SMALL = 200 /* tests that are not drawn, and come first         */
};

/* It may be what the user wants to see, but not unawares. */
static void note_misuse(const struct exploration *e,
                        const struct explore_scenario *s)
{
    unsigned thread;
    const struct plumb_operation *const o =
        explore_scenario_misuse(s, &e->object, &thread);
    if (o)
        console_note("%s: --test calls %s in thread %u, but its .by reserves "
                     "the operation for %s (see testing-an-object.md)",
                     e->target->given, o->name, thread + 1,
                     o->by == PLUMB_BY_FIRST    ? "the first thread"
                     : o->by == PLUMB_BY_SECOND ? "the second thread"
                                                : "all but the first thread");
}

static bool is_too_long(const char *text)
{
    return text && strlen(text) >= JOB_TEXT;
}

static bool test_is_good(const struct exploration *e, const char *test)
{
    struct explore_scenario s;
    struct plumb_error err;
    if (is_too_long(test) || is_too_long(e->with->init) ||
        is_too_long(e->with->final)) {
        console_say("%s: --test, --init or --final is longer than %d bytes",
                    e->target->given, JOB_TEXT - 1);
        return false;
    }
    exploration_scenario(e, test, NULL, &s);
    if (explore_scenario_check(&s, &e->object, &err) != PLUMB_OK) {
        console_say("%s: %s", e->target->given, err.message);
        return false;
    }
    note_misuse(e, &s);
    return true;
}

static enum console_status search_one(struct exploration *e, const char *test)
{
    const struct exploration_tests tests = { .test = &test,
                                             .count = 1,
                                             .sure_end = 1 };
    return exploration_search_tests(e, &tests);
}

/* For Round-Up: tests that are not well-formed are completed. */
static enum console_status search_completed(struct exploration *e,
                                            const struct explore_samples *s,
                                            struct exploration_tests tests)
{
    enum console_status status = STATUS_ERROR;
    char **const text = calloc(2 * (size_t)s->count, sizeof *text);
    char **const init = text, **const final = text + s->count;
    bool whole = text;
    for (unsigned i = 0; whole && i < s->count; i++)
        whole = explore_round_up_complete(e,
                                          tests.init      ? tests.init[i]
                                          : e->with->init ? e->with->init
                                                          : e->what.init,
                                          tests.test[i], &init[i], &final[i]);
    tests.init = (const char *const *)init;
    tests.final = (const char *const *) final;
    if (whole)
        status = exploration_search_tests(e, &tests);
    else
        console_say("plumb explore: out of memory");
    for (size_t i = 0; text && i < 2 * (size_t)s->count; i++)
        free(text[i]);
    free(text);
    return status;
}

/* Of those that are drawn, DEFAULT_SAMPLES are run, come what may. */
static enum console_status search_drawn(struct exploration *e,
                                        const struct explore_samples *s,
                                        bool own_init)
{
    const unsigned drawn = e->with->samples ? s->count : DEFAULT_SAMPLES;
    const struct exploration_tests tests = {
        .test = s->test,
        .init = own_init ? NULL : s->init,
        .count = s->count,
        .sure = s->small,
        .sure_end = s->small + drawn < s->count ? s->small + drawn : s->count,
    };
    return e->with->algorithm == EXPLORE_ROUND_UP
               ? search_completed(e, s, tests)
               : exploration_search_tests(e, &tests);
}

static enum console_status search_samples(struct exploration *e)
{
    const struct explore_settings *const with = e->with;
    const bool own_init = with->init || *e->what.init;
    const struct explore_samples_wanted wanted = {
        .threads = with->threads,
        .ops = with->ops,
        .small = with->samples && with->samples < MOST_SMALL ? with->samples
                                                             : MOST_SMALL,
        .count = with->samples ? with->samples : DEFAULT_SAMPLES,
        .more = with->samples ? 0 : MORE_SAMPLES,
        .init = own_init ? 0 : MOST_BEFORE,
        .unequal = with->algorithm != EXPLORE_ROUND_UP &&
                   with->threads * (with->ops + 1) <= JOB_OPERATIONS,
        .seed = with->seed
    };
    struct explore_samples samples;
    if (!explore_samples_draw(&samples, &e->object, &wanted)) {
        console_say("plumb explore: out of memory");
        return STATUS_ERROR;
    }
    enum console_status status = STATUS_ERROR;
    if (samples.count == 0)
        console_say("%s: nothing to test: the object has no operation that a "
                    "thread may invoke",
                    e->target->given);
    else if (test_is_good(e, samples.test[samples.count - 1]))
        status = search_drawn(e, &samples, own_init);
    explore_samples_release(&samples);
    return status;
}

/* Options that only an inferred specification has a use for. */
static bool options_have_effect(const struct exploration *e)
{
    const struct explore_settings *const with = e->with;
    const char *const option = e->infers            ? NULL
                               : with->automatic    ? "--auto"
                               : with->sequences    ? "--sequence"
                               : with->observations ? "--observations"
                               : with->write_spec   ? "--write-spec"
                               : with->nondet       ? "--nondet"
                               : with->async        ? "--async"
                               : with->names        ? "--names"
                                                    : NULL;
    if (option)
        console_say("plumb explore: %s has no effect without --spec infer",
                    option);
    else if (e->program && with->also)
        console_say("%s: --also serializability needs an object with "
                    "operations; this is a program",
                    e->target->given);
    else
        return true;
    return false;
}

/* Is this the name of an operation? */
static bool names_operation(const struct exploration *e, const char *option,
                            const char *list, size_t length)
{
    const struct plumb_operation *o = e->object.operations;
    while (o->name &&
           (strlen(o->name) != length || memcmp(o->name, list, length) != 0))
        o++;
    if (!o->name)
        console_say("%s: %s %.*s: the object has no operation of this name",
                    e->target->given, option, (int)length, list);
    return o->name;
}

static bool async_is_good(const struct exploration *e)
{
    const char *at = e->with->async;
    if (is_too_long(at)) {
        console_say("plumb explore: --async is longer than %d bytes",
                    JOB_TEXT - 1);
        return false;
    }
    for (bool more = at; more; more = *at++ == ',') {
        const size_t length = strcspn(at, ",");
        if (!names_operation(e, "--async", at, length))
            return false;
        at += length;
    }
    return true;
}

static bool names_are_good(const struct exploration *e)
{
    const char *at = e->with->names;
    for (bool more = at; more; more = *at++ == ',') {
        const size_t length = strcspn(at, ","), name = strcspn(at, "=,");
        if (name + 1 >= length || length - name > EXPLORE_LIKENESS_NAME) {
            console_say("%s: --names %.*s: expected OPERATION=NAME, with a "
                        "NAME of at most %d bytes",
                        e->target->given, (int)length, at,
                        EXPLORE_LIKENESS_NAME - 1);
            return false;
        }
        if (!names_operation(e, "--names", at, name))
            return false;
        at += length;
    }
    return true;
}

/* With no more threads than the object says that it is for. */
static enum console_status search_generated(struct exploration *e)
{
    const struct explore_settings *const with = e->with;
    struct explore_settings fewer = *with;
    if (e->object.threads && e->object.threads < fewer.threads)
        fewer.threads = e->object.threads;
    e->with = &fewer;
    const enum console_status status =
        e->infers ? explore_search_matrices(e) : search_samples(e);
    e->with = with;
    return status;
}

enum console_status exploration_search(struct exploration *e)
{
    if (!options_have_effect(e))
        return STATUS_ERROR;
    explore_unseen_code_find(e);
    if (e->program)
        return search_one(e, "");
    if (!objects_described_object(&e->what, &e->object)) {
        console_say("%s: cannot read its PLUMB_OBJECT", e->target->given);
        return STATUS_ERROR;
    }
    if (!async_is_good(e) || !names_are_good(e))
        return STATUS_ERROR;
    if (!e->with->test)
        return search_generated(e);
    return test_is_good(e, e->with->test) ? search_one(e, e->with->test)
                                          : STATUS_ERROR;
}
