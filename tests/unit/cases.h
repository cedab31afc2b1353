/* cases.h - histories made ready for the deciders, and random ones. */
#ifndef PLUMB_TESTS_CASES_H
#define PLUMB_TESTS_CASES_H

#include "story.h"

#include "base/rng.h"
#include "base/text.h"
#include "check/decide_parts.h"

/* A history, bound and split: what src/check works on. */
struct ready {
    struct plumb_history h;
    struct plumb_spec *spec;
    struct plumb_spec_bound bound;
    struct plumb_base_arena arena;
    struct plumb_check_case c;
};

/* The history and the specification are there: the rest. */
static inline void prepare(struct ready *r, bool whole)
{
    struct plumb_error err;
    if (plumb_spec_bind(&r->h, r->spec, NULL, &r->bound, &err) != PLUMB_OK)
        fail_msg("%s: %s", plumb_spec_text(r->spec), err.message);
    plumb_base_arena_init(&r->arena, NULL);
    r->c = (struct plumb_check_case){ .bound = &r->bound,
                                      .algorithm = PLUMB_ALGORITHM_SEARCH };
    assert_true(plumb_check_traits_make(&r->bound, &r->arena, &r->c.traits));
    assert_true(
        plumb_check_partition(&r->bound, whole, &r->arena, &r->c.parts));
}

/* `h` now belongs to `r`. */
static inline void make_ready(struct ready *r, const char *spec,
                              struct plumb_history h, bool whole)
{
    struct plumb_error err;
    r->h = h;
    if (plumb_spec_parse(spec, &r->spec, &err) != PLUMB_OK)
        fail_msg("%s: %s", spec, err.message);
    prepare(r, whole);
}

static inline void release_ready(struct ready *r)
{
    plumb_base_arena_release(&r->arena);
    plumb_spec_bound_release(&r->bound);
    plumb_spec_free(r->spec);
    plumb_history_release(&r->h);
}

/* ---- twins, as the history has them ---- */

static inline bool same_values(const struct plumb_value *a,
                               const struct plumb_value *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!plumb_value_equal(a[i], b[i]))
            return false;
    return true;
}

static inline bool same_call(const struct plumb_history *h,
                             const struct plumb_op *a, const struct plumb_op *b)
{
    return a->name == b->name && a->nargs == b->nargs &&
           same_values(plumb_op_args(h, a), plumb_op_args(h, b), a->nargs);
}

static inline bool same_answer(const struct plumb_history *h,
                               const struct plumb_op *a,
                               const struct plumb_op *b)
{
    return a->term == b->term && a->nres == b->nres &&
           same_values(plumb_op_results(h, a), plumb_op_results(h, b), a->nres);
}

/* ---- random histories ---- */

/* What threads make up as they go: any call, "enq 1", and any of its answers,
 * "ok".  Lists end with NULL.  Most such histories are violations; some threads
 * never return, and a few operations fail. */
struct babble {
    const char *const *calls;
    const char *const *const *answers; /* by call */
    unsigned ops, threads;
};

static inline unsigned words_in(const char *const *words)
{
    unsigned n = 0;
    while (words[n])
        n++;
    return n;
}

static inline struct plumb_history babbled(struct plumb_base_rng *rng,
                                           const struct babble *b)
{
    enum { FREE = -1, DEAD = -2, MOST = 32 };
    struct plumb_base_text t;
    int current[MOST];
    unsigned called = 0;
    assert_true(b->threads <= MOST);
    plumb_base_text_init(&t, NULL);
    for (unsigned i = 0; i < b->threads; i++)
        current[i] = FREE;
    for (unsigned step = 0; step < 3 * b->ops; step++) {
        const unsigned thread = plumb_base_rng_below(rng, b->threads);
        const int call = current[thread];
        if (call == FREE && called < b->ops) {
            const unsigned c = plumb_base_rng_below(rng, words_in(b->calls));
            plumb_base_text_printf(&t, "T%u %s;", thread, b->calls[c]);
            current[thread] = (int)c;
            called++;
        } else if (call >= 0 && plumb_base_rng_chance(rng, 6)) {
            current[thread] = DEAD;
        } else if (call >= 0) {
            const char *const *const answers = b->answers[call];
            plumb_base_text_printf(
                &t, "T%u %s;", thread,
                plumb_base_rng_chance(rng, 4)
                    ? "!fail"
                    : answers[plumb_base_rng_below(rng, words_in(answers))]);
            current[thread] = FREE;
        }
    }
    struct plumb_history h = story(plumb_base_text_string(&t));
    plumb_base_text_release(&t);
    return h;
}

/* Made-up histories of a queue with three values. */
static inline struct plumb_history babbled_queue(struct plumb_base_rng *rng,
                                                 unsigned ops, unsigned threads)
{
    static const char *const calls[] = { "enq 1", "enq 2", "enq 3", "deq",
                                         "deq",   "take",  "peek",  NULL };
    static const char *const done[] = { "ok", NULL };
    static const char *const items[] = { "ok 1", "ok 2", "ok 3", NULL };
    static const char *const any[] = { "ok 1", "ok 2", "ok 3", "empty", NULL };
    static const char *const *const answers[] = { done, done,  done, any,
                                                  any,  items, any };
    const struct babble b = { calls, answers, ops, threads };
    return babbled(rng, &b);
}

#endif
