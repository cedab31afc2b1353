/* matrix_search.c - see matrix_search.h. */
#include "matrix_search.h"

#include "app/console/say.h"
#include "app/explore/driver/explore_samples.h"
#include "matrices.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 100, OPERATIONS = 3, MOST_SMALL = 200 };

static enum console_status no_memory(void)
{
    console_say("plumb explore: out of memory");
    return STATUS_ERROR;
}

/* ---- AutoCheck ---- */

static bool next_test(void *context, char test[JOB_TEXT])
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    const bool made =
        explore_matrices_next(context, &text) && text.size < JOB_TEXT;
    if (made)
        memcpy(test, plumb_base_text_string(&text), text.size + 1);
    plumb_base_text_release(&text);
    return made;
}

static enum console_status check_all(struct exploration *e,
                                     struct explore_matrices *m)
{
    const struct exploration_tests tests = { .count = UINT_MAX - 1,
                                             .next = next_test,
                                             .context = m };
    return exploration_search_tests(e, &tests);
}

/* ---- RandomCheck ---- */

/* Small tests, then matrices that were drawn, then what else there is. */
struct tests {
    const char **test, **init;
    unsigned count;
};

static void add_test(struct tests *t, const char *test, const char *init)
{
    t->test[t->count] = test;
    t->init[t->count++] = init;
}

static enum console_status check_tests(struct exploration *e, char **drawn,
                                       unsigned count,
                                       const struct explore_samples *others)
{
    const size_t room = (size_t)others->count + count + 1;
    struct tests t = { calloc(room, sizeof *t.test),
                       calloc(room, sizeof *t.init), 0 };
    enum console_status status = STATUS_ERROR;
    const bool own_init = e->with->init || *e->what.init;
    const bool memory = t.test && t.init;
    for (unsigned i = 0; memory && i < others->small; i++)
        add_test(&t, others->test[i], others->init[i]);
    for (unsigned i = 0; memory && i < count; i++)
        add_test(&t, drawn[i], "");
    for (unsigned i = others->small; memory && i < others->count; i++)
        add_test(&t, others->test[i], others->init[i]);
    const struct exploration_tests tests = { .test = t.test,
                                             .init = own_init ? NULL : t.init,
                                             .count = t.count,
                                             .sure = others->small,
                                             .sure_end = t.count };
    if (!memory)
        status = no_memory();
    else if (t.count)
        status = exploration_search_tests(e, &tests);
    else
        console_say("%s: nothing to test: the object has no operation that a "
                    "thread may invoke, or the tests would be too long",
                    e->target->given);
    free(t.test);
    free(t.init);
    return status;
}

/* Besides `drawn` matrices: none, if so many were asked for; else small tests,
 * and where there are not enough matrices, tests that begin with some
 * operations. */
static bool find_others(const struct exploration *e, unsigned drawn,
                        struct explore_samples *s)
{
    const bool own_init = e->with->init || *e->what.init;
    const struct explore_samples_wanted wanted = {
        .threads = e->with->threads,
        .ops = OPERATIONS,
        .small = MOST_SMALL,
        .count = own_init || drawn >= SAMPLES ? 0 : SAMPLES - drawn,
        .init = own_init ? 0 : OPERATIONS,
        .seed = e->with->seed
    };
    *s = (struct explore_samples){ .count = 0 };
    return e->with->samples || explore_samples_draw(s, &e->object, &wanted);
}

static enum console_status check_some(struct exploration *e,
                                      const struct explore_matrices *m)
{
    const unsigned samples = e->with->samples ? e->with->samples : SAMPLES;
    const unsigned ops = e->with->own_ops ? e->with->ops : OPERATIONS;
    char **const drawn = calloc(samples, sizeof *drawn);
    struct explore_samples others;
    unsigned count = 0;
    enum console_status status = STATUS_ERROR;
    if (e->with->threads * ops > JOB_OPERATIONS)
        console_say("%u threads with %u operations each are more than %d "
                    "operations",
                    e->with->threads, ops, JOB_OPERATIONS);
    else if (!drawn ||
             !explore_matrices_draw(m, e->with->threads, ops, samples,
                                    e->with->seed, drawn, &count) ||
             !find_others(e, count, &others))
        status = no_memory();
    else {
        status = check_tests(e, drawn, count, &others);
        if (!e->with->samples)
            explore_samples_release(&others);
    }
    for (unsigned i = 0; i < count; i++)
        free(drawn[i]);
    free(drawn);
    return status;
}

/* Those of the harness, and then those of the command line. */
static bool add_sequences(const struct exploration *e,
                          struct explore_matrices *m)
{
    const char *const given = e->with->sequences;
    struct plumb_error err = { 0 };
    if (explore_matrices_add(m, e->what.sequences, &err) != PLUMB_OK) {
        console_say("%s: .sequences: %s", e->target->given, err.message);
        return false;
    }
    if (given && explore_matrices_add(m, given, &err) != PLUMB_OK) {
        console_say("plumb explore: --sequence %s: %s", given, err.message);
        return false;
    }
    return true;
}

enum console_status explore_search_matrices(struct exploration *e)
{
    struct explore_matrices *const m = explore_matrices_open(&e->object);
    if (!m)
        return no_memory();
    enum console_status status = STATUS_ERROR;
    if (add_sequences(e, m))
        status = e->with->automatic ? check_all(e, m) : check_some(e, m);
    explore_matrices_close(m);
    return status;
}
