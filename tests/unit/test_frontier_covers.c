/* test_frontier_covers.c - a front that covers another has all its violations.
 *
 * Fronts of random histories of a small queue are compared pair by pair: what
 * is a violation after the wider one must be one after the narrower, whatever
 * the next three events are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "check/search/live_configurations.h"

enum { THREADS = 3, CALLS = 3, ANSWERS = 4, EVENTS = 7, MOMENTS = 400 };

struct moment {
    plumb_check_configuration_set front;
    int open[THREADS]; /* number of the call, or -1 */
};

static struct plumb_check_configurations *f;
static uint32_t operation[THREADS][CALLS], answer[THREADS][CALLS][ANSWERS];

/* enq(1), enq(2) and deq(), which answers empty, 1 or 2. */
static void number_all(void)
{
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned c = 0; c < CALLS; c++) {
            const struct plumb_check_configurations_word item = {
                plumb_int(c + 1), NULL
            };
            operation[t][c] = plumb_check_configurations_operation(
                f, t, c < 2 ? "enq" : "deq", &item, c < 2);
            for (unsigned a = 0; a < ANSWERS; a++) {
                const struct plumb_check_configurations_word out = {
                    plumb_int(a), NULL
                };
                const bool empty = c == 2 && a == 0;
                answer[t][c][a] = plumb_check_configurations_answer(
                    f, operation[t][c], empty ? "empty" : "ok", &out,
                    c == 2 && !empty);
            }
        }
}

static plumb_check_configuration_set after(const struct moment *m,
                                           unsigned thread, unsigned what)
{
    const int c = m->open[thread];
    return c < 0 ? plumb_check_configurations_call(f, m->front,
                                                   operation[thread][what])
                 : plumb_check_configurations_return(f, m->front,
                                                     operation[thread][c],
                                                     answer[thread][c][what]);
}

static unsigned choices(const struct moment *m, unsigned thread)
{
    const int c = m->open[thread];
    return c < 0 ? CALLS : c < 2 ? 1 : ANSWERS - 1;
}

static struct moment take(const struct moment *m, unsigned thread,
                          unsigned what)
{
    struct moment next = *m;
    next.front = after(m, thread, what);
    next.open[thread] = m->open[thread] < 0 ? (int)what : -1;
    return next;
}

static void compare(const struct moment *narrow, const struct moment *wide,
                    unsigned depth)
{
    for (unsigned t = 0; t < THREADS && depth; t++)
        for (unsigned what = 0; what < choices(narrow, t); what++) {
            const struct moment n = take(narrow, t, what),
                                w = take(wide, t, what);
            if (w.front == PLUMB_CONFIGURATIONS_NONE)
                assert_int_equal(n.front, PLUMB_CONFIGURATIONS_NONE);
            else if (n.front != PLUMB_CONFIGURATIONS_NONE)
                compare(&n, &w, depth - 1);
        }
}

static struct moment draw(struct plumb_base_rng *rng)
{
    struct moment m = { plumb_check_configurations_start(f), { -1, -1, -1 } };
    const unsigned events = 1 + plumb_base_rng_below(rng, EVENTS);
    for (unsigned i = 0; i < events; i++) {
        const unsigned t = plumb_base_rng_below(rng, THREADS);
        const struct moment next =
            take(&m, t, plumb_base_rng_below(rng, choices(&m, t)));
        if (next.front != PLUMB_CONFIGURATIONS_NONE)
            m = next;
    }
    return m;
}

static bool same_calls(const struct moment *a, const struct moment *b)
{
    return a->open[0] == b->open[0] && a->open[1] == b->open[1] &&
           a->open[2] == b->open[2];
}

static void what_follows_from_the_wider_follows_from_the_narrower(void **state)
{
    (void)state;
    static struct moment moment[MOMENTS];
    struct plumb_spec *spec;
    struct plumb_error err;
    struct plumb_base_rng rng;
    unsigned covered = 0, apart = 0;
    assert_int_equal(plumb_spec_parse("queue", &spec, &err), PLUMB_OK);
    f = plumb_check_configurations_open(spec, NULL);
    assert_non_null(f);
    number_all();
    plumb_base_rng_seed(&rng, 7);
    for (unsigned i = 0; i < MOMENTS; i++)
        moment[i] = draw(&rng);
    for (unsigned i = 0; i < MOMENTS; i++)
        for (unsigned j = 0; j < MOMENTS; j++) {
            const struct moment *const a = &moment[i], *const b = &moment[j];
            if (a->front == b->front || !same_calls(a, b))
                continue;
            const bool covers =
                plumb_check_configurations_covers(f, a->front, b->front);
            covered += covers;
            apart += !covers;
            if (covers)
                compare(a, b, 3);
        }
    assert_true(covered > 50 && apart > 50);
    plumb_check_configurations_free(f);
    plumb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_from_the_wider_follows_from_the_narrower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
