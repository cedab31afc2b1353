/* test_model_refine.c - every engine and every semantics against the
 * definitions, on random graphs of a few states.
 *
 * By definition: where both graphs can be after a trace is a pair of sets, and
 * there are finitely many such pairs, so following all traces as long as they
 * lead to new pairs follows all traces there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "effort.h"
#include "little_graphs.h"
#include "refine/engines/refine.h"
#include <stdlib.h>

enum { SETS = 1 << LITTLE_STATES };

static const enum plumb_refine_engine engines[] = { PLUMB_ENGINE_PRODUCT,
                                                    PLUMB_ENGINE_ANTICHAIN,
                                                    PLUMB_ENGINE_BISIMILAR,
                                                    PLUMB_ENGINE_AUTO };

/* The seed in use; a test that ends without saying so failed with it. */
static uint64_t running;

static int say_seed(void **state)
{
    (void)state;
    if (running)
        print_error("with seed %llu\n", (unsigned long long)running);
    running = 0;
    return 0;
}

/* ---- brute force ---- */

/* After some trace the graphs can be in these: is anything wrong there? */
static bool is_wrong(const struct little *impl, const struct little *spec,
                     uint32_t i, uint32_t s,
                     enum plumb_refine_semantics semantics)
{
    for (uint32_t e = PLUMB_TICK; e < LITTLE_EVENTS; e++)
        if (little_step(impl, i, e) && !little_step(spec, s, e))
            return true;
    if (semantics == PLUMB_TRACES)
        return false;
    for (uint32_t refused = 0; refused < 1u << LITTLE_EVENTS; refused++)
        if (little_can_refuse(impl, i, refused) &&
            !little_can_refuse(spec, s, refused))
            return true;
    return semantics == PLUMB_FAILURES_DIVERGENCES &&
           little_any_diverges(impl, i);
}

static bool brute_wrong_after(const struct little *impl,
                              const struct little *spec, uint32_t i, uint32_t s,
                              enum plumb_refine_semantics semantics,
                              bool (*seen)[SETS])
{
    if (!i || seen[i][s])
        return false;
    seen[i][s] = true;
    if (semantics == PLUMB_FAILURES_DIVERGENCES && little_any_diverges(spec, s))
        return false;
    if (is_wrong(impl, spec, i, s, semantics))
        return true;
    for (uint32_t e = PLUMB_TICK; e < LITTLE_EVENTS; e++)
        if (brute_wrong_after(impl, spec, little_after(impl, i, e),
                              little_after(spec, s, e), semantics, seen))
            return true;
    return false;
}

static bool brute_refines(const struct little *impl, const struct little *spec,
                          enum plumb_refine_semantics semantics)
{
    static bool seen[SETS][SETS];
    memset(seen, 0, sizeof seen);
    return !brute_wrong_after(impl, spec, little_by_taus(impl, 1),
                              little_by_taus(spec, 1), semantics, seen);
}

/* ---- counterexamples ---- */

/* How far it is to the nearest state of the implementation that is wrong, met
 * with the set of the specification: level by level. */
static uint32_t brute_distance(const struct little *impl,
                               const struct little *spec,
                               enum plumb_refine_semantics semantics)
{
    static bool now[LITTLE_STATES][SETS], next[LITTLE_STATES][SETS];
    memset(now, 0, sizeof now);
    now[0][little_by_taus(spec, 1)] = true;
    for (uint32_t depth = 0; depth < LITTLE_STATES * SETS; depth++) {
        memcpy(next, now, sizeof next);
        for (uint32_t i = 0; i < impl->states; i++)
            for (uint32_t s = 0; s < SETS; s++) {
                if (!now[i][s] || (semantics == PLUMB_FAILURES_DIVERGENCES &&
                                   little_any_diverges(spec, s)))
                    continue;
                if (is_wrong(impl, spec, 1u << i, s, semantics))
                    return depth;
                for (uint64_t k = impl->first[i]; k < impl->first[i + 1]; k++)
                    next[impl->edge[k].target]
                        [impl->edge[k].event == PLUMB_TAU
                             ? s
                             : little_after(spec, s, impl->edge[k].event)] =
                            true;
            }
        memcpy(now, next, sizeof now);
    }
    return UINT32_MAX;
}

/* Follow the path, and return how many steps it takes until something is
 * wrong in the way it says; fails if that is not so or it is no path. */
static uint32_t walk(const struct little *impl, const struct little *spec,
                     enum plumb_refine_semantics semantics,
                     const struct plumb_refinement *r)
{
    uint32_t at = 0, set = little_by_taus(spec, 1), wrong = UINT32_MAX;
    uint32_t start_of_circle = UINT32_MAX;
    for (uint32_t i = 0; i < r->length; i++) {
        assert_int_equal(r->path[i].state, at);
        const uint64_t k = impl->first[at] + r->path[i].index;
        assert_true(k < impl->first[at + 1]);
        const struct plumb_csp_edge edge = impl->edge[k];
        assert_true(set);
        if (semantics == PLUMB_FAILURES_DIVERGENCES)
            assert_false(little_any_diverges(spec, set));
        if (r->offence == PLUMB_OFFENCE_DIVERGENCE) {
            if (i == r->cycle)
                start_of_circle = at;
            if (i >= r->cycle)
                assert_int_equal(edge.event, PLUMB_TAU);
            if (wrong == UINT32_MAX && little_diverges(impl, at))
                wrong = i;
        }
        at = edge.target;
        if (edge.event != PLUMB_TAU)
            set = little_after(spec, set, edge.event);
    }
    switch (r->offence) {
    case PLUMB_OFFENCE_EVENT:
        assert_false(set);
        return r->length - 1;
    case PLUMB_OFFENCE_REFUSAL:
        assert_true(semantics != PLUMB_TRACES && set);
        assert_true(little_is_stable(impl, at));
        assert_false(little_can_refuse(
            spec, set, ((1u << LITTLE_EVENTS) - 1) & ~little_offers(impl, at)));
        return r->length;
    case PLUMB_OFFENCE_DIVERGENCE:
        assert_int_equal(semantics, PLUMB_FAILURES_DIVERGENCES);
        assert_int_equal(at, start_of_circle);
        return wrong;
    default:
        fail_msg("no offence");
    }
    return 0;
}

/* ---- the engines ---- */

struct asked {
    enum plumb_status status;
    struct plumb_refinement r;
    struct plumb_base_arena arena;
    struct plumb_error err;
};

static enum plumb_status ask(struct little *impl, struct little *spec,
                             const struct plumb_refine_options *options,
                             struct plumb_budget *budget, struct asked *a)
{
    struct plumb_csp_graph *g = NULL, *h = NULL;
    const struct plumb_csp_graph_source of_impl =
        plumb_csp_lts_source(&impl->lts);
    const struct plumb_csp_graph_source of_spec =
        plumb_csp_lts_source(&spec->lts);
    plumb_base_arena_init(&a->arena, budget);
    a->status = plumb_csp_graph_open(&g, &of_impl, budget, &a->err);
    if (a->status == PLUMB_OK && impl != spec)
        a->status = plumb_csp_graph_open(&h, &of_spec, budget, &a->err);
    if (a->status == PLUMB_OK)
        a->status = plumb_refine(g, impl == spec ? g : h, options, &a->arena,
                                 &a->r, &a->err);
    plumb_csp_graph_free(g);
    plumb_csp_graph_free(h);
    return a->status;
}

static void draw(struct little *impl, struct little *spec,
                 struct plumb_base_rng *rng)
{
    little_random(spec, rng);
    if (plumb_base_rng_chance(rng, 30)) {
        little_random(impl, rng);
        return;
    }
    *impl = *spec;
    little_close(impl);
    for (uint32_t i = plumb_base_rng_below(rng, 3); i--;)
        little_mutate(impl, rng);
    for (uint32_t i = plumb_base_rng_below(rng, 3); i--;)
        little_mutate(spec, rng);
}

static void compare(struct little *impl, struct little *spec,
                    enum plumb_refine_semantics semantics,
                    enum plumb_refine_engine engine, unsigned threads,
                    bool pat3)
{
    const struct plumb_refine_options options = { .semantics = semantics,
                                                  .engine = engine,
                                                  .threads = threads,
                                                  .most_pairs =
                                                      threads > 1 ? 1 : 0,
                                                  .pat3_counts = pat3 };
    struct asked a;
    const bool refines = brute_refines(impl, spec, semantics);
    assert_int_equal(ask(impl, spec, &options, NULL, &a), PLUMB_OK);
    assert_true(a.r.decided);
    assert_int_equal(a.r.refines, refines);
    if (a.r.both_ways)
        assert_true(brute_refines(spec, impl, semantics));
    if (!refines) {
        const uint32_t steps = walk(impl, spec, semantics, &a.r);
        if (engine != PLUMB_ENGINE_BISIMILAR &&
            a.r.engine != PLUMB_ENGINE_BISIMILAR && !pat3)
            assert_int_equal(steps, brute_distance(impl, spec, semantics));
    }
    plumb_base_arena_release(&a.arena);
}

static void every_engine_and_semantics_follows_the_definitions(void **state)
{
    (void)state;
    const char *const many = getenv("PLUMB_RANDOM_GRAPHS");
    const uint64_t rounds = many ? strtoull(many, NULL, 10) : SOME_OF(4000);
    uint32_t refined = 0, judged = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct plumb_base_rng rng;
        running = seed;
        struct little impl, spec;
        plumb_base_rng_seed(&rng, seed);
        draw(&impl, &spec, &rng);
        for (int semantics = PLUMB_TRACES;
             semantics <= PLUMB_FAILURES_DIVERGENCES; semantics++) {
            const bool yes = brute_refines(
                &impl, &spec, (enum plumb_refine_semantics)semantics);
            refined += yes;
            judged++;
            for (unsigned e = 0; e < 4; e++)
                for (unsigned threads = 1; threads <= 1 + (seed % 8 == 0);
                     threads++)
                    compare(&impl, &spec,
                            (enum plumb_refine_semantics)semantics, engines[e],
                            threads, false);
            compare(&impl, &spec, (enum plumb_refine_semantics)semantics,
                    PLUMB_ENGINE_ANTICHAIN, 1, true);
        }
    }
    running = 0;
    assert_true(refined > judged / 5 && refined < judged * 4 / 5);
}

static void a_graph_refines_itself(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct plumb_base_rng rng;
        struct little g;
        plumb_base_rng_seed(&rng, seed);
        little_random(&g, &rng);
        for (unsigned i = 0; i < 12; i++) {
            const struct plumb_refine_options options = {
                .semantics = (enum plumb_refine_semantics)(i % 3),
                .engine = engines[i / 3],
                .threads = 1
            };
            struct asked a;
            assert_int_equal(ask(&g, &g, &options, NULL, &a), PLUMB_OK);
            assert_true(a.r.refines);
            plumb_base_arena_release(&a.arena);
        }
    }
}

static void refused_memory_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    uint32_t failures = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct plumb_base_rng rng;
        struct little impl, spec;
        plumb_base_rng_seed(&rng, seed);
        draw(&impl, &spec, &rng);
        for (unsigned i = 0; i < 12; i++) {
            const struct plumb_refine_options options = {
                .semantics = (enum plumb_refine_semantics)(i % 3),
                .engine = engines[i / 3],
                .threads = 1,
                .most_pairs = 1,
                .certificate = true
            };
            for (size_t nth = 1;; nth++) {
                struct plumb_budget *const budget = plumb_budget_new(0, 0);
                struct asked a;
                plumb_base_budget_fail_at(budget, nth);
                ask(&impl, &spec, &options, budget, &a);
                const bool failed = plumb_base_budget_has_failed(budget);
                if (a.status == PLUMB_OK)
                    assert_int_equal(
                        a.r.refines,
                        brute_refines(&impl, &spec, options.semantics));
                else
                    assert_int_equal(a.status, PLUMB_EMEMORY);
                failures += a.status != PLUMB_OK;
                plumb_base_arena_release(&a.arena);
                assert_int_equal(plumb_budget_used(budget), 0);
                plumb_budget_free(budget);
                if (!failed)
                    break;
            }
        }
    }
    assert_true(failures > SOME_OF(1000));
}

static void a_stopped_budget_ends_the_search(void **state)
{
    (void)state;
    /* A counter of 20 bits: long enough that somebody looks at the clock. */
    enum { LONG = 1 << 16 };
    uint64_t *const first = calloc(LONG + 1, sizeof *first);
    struct plumb_csp_edge *const edge = calloc(LONG, sizeof *edge);
    for (uint32_t i = 0; i < LONG; i++) {
        first[i + 1] = i + 1;
        edge[i] = (struct plumb_csp_edge){ PLUMB_FIRST_EVENT, (i + 1) % LONG };
    }
    struct plumb_csp_lts lts = { LONG, first, edge };
    for (unsigned e = 0; e < 4; e++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        const struct plumb_csp_graph_source source = plumb_csp_lts_source(&lts);
        const struct plumb_refine_options options = { .engine = engines[e],
                                                      .threads = 1 };
        struct plumb_csp_graph *g, *h;
        struct plumb_base_arena arena;
        struct plumb_refinement r;
        struct plumb_error err;
        plumb_base_arena_init(&arena, budget);
        plumb_csp_graph_open(&g, &source, budget, &err);
        plumb_csp_graph_open(&h, &source, budget, &err);
        plumb_budget_stop(budget);
        assert_int_equal(plumb_refine(g, h, &options, &arena, &r, &err),
                         PLUMB_ESTOP);
        assert_false(r.decided);
        plumb_csp_graph_free(g);
        plumb_csp_graph_free(h);
        plumb_base_arena_release(&arena);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
    free(first);
    free(edge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(
            every_engine_and_semantics_follows_the_definitions, say_seed),
        cmocka_unit_test(a_graph_refines_itself),
        cmocka_unit_test(refused_memory_is_an_error_and_leaks_nothing),
        cmocka_unit_test(a_stopped_budget_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
