/* test_model_engines.c - the engines against each other, on graphs of some
 * hundred states: too many for the definitions, enough for every structure to
 * grow.  Counterexamples are walked; certificates are checked here as accept.h
 * says, without its code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "refine/accept/accept.h"
#include "refine/engines/refine.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 400, EVENTS = 6 };

struct medium {
    uint32_t states;
    uint64_t first[MOST_STATES + 1];
    struct plumb_csp_edge edge[MOST_STATES * 8];
    struct plumb_csp_lts lts;
};

static uint64_t running; /* the seed in use, until it went well */

static int say_seed(void **state)
{
    (void)state;
    if (running)
        print_error("with seed %llu\n", (unsigned long long)running);
    running = 0;
    return 0;
}

/* ---- graphs ---- */

struct draft {
    uint32_t states, edges;
    uint32_t source[MOST_STATES * 8];
    struct plumb_csp_edge edge[MOST_STATES * 8];
};

static void finish(const struct draft *d, struct medium *g)
{
    uint64_t n = 0;
    g->states = d->states;
    for (uint32_t s = 0; s < d->states; s++) {
        g->first[s] = n;
        for (uint32_t i = 0; i < d->edges; i++)
            if (d->source[i] == s)
                g->edge[n++] = d->edge[i];
    }
    g->first[d->states] = n;
    g->lts = (struct plumb_csp_lts){ g->states, g->first, g->edge };
}

static void add(struct draft *d, uint32_t source, uint32_t event,
                uint32_t target)
{
    if (d->edges == MOST_STATES * 8)
        return;
    d->source[d->edges] = source;
    d->edge[d->edges++] = (struct plumb_csp_edge){ event, target };
}

static void draw_spec(struct draft *d, struct plumb_base_rng *rng)
{
    const uint32_t n = 10 + plumb_base_rng_below(rng, MOST_STATES / 2 - 10);
    const uint32_t near = 2 + plumb_base_rng_below(rng, 20);
    const uint32_t taus = plumb_base_rng_below(rng, 40);
    d->states = n;
    d->edges = 0;
    for (uint32_t s = 0; s < n; s++) {
        add(d, s, 2 + s % EVENTS, (s + 1) % n);
        for (uint32_t i = plumb_base_rng_below(rng, 3); i--;)
            add(d, s,
                plumb_base_rng_chance(rng, taus)
                    ? PLUMB_TAU
                    : 2 + plumb_base_rng_below(rng, EVENTS),
                (s + plumb_base_rng_below(rng, near)) % n);
    }
}

/* Mostly the same events, with taus in between; sometimes something new. */
static void draw_impl(const struct draft *spec, struct draft *d,
                      struct plumb_base_rng *rng)
{
    *d = *spec;
    for (uint32_t i = 0; i < spec->edges && d->states < MOST_STATES; i++)
        if (plumb_base_rng_chance(rng, 30)) {
            add(d, d->states, d->edge[i].event, d->edge[i].target);
            d->edge[i] = (struct plumb_csp_edge){ PLUMB_TAU, d->states++ };
        }
    for (uint32_t i = 0; i < d->edges; i++)
        if (plumb_base_rng_chance(rng, 5))
            d->edge[i--] = d->edge[--d->edges],
            d->source[i + 1] = d->source[d->edges];
    if (plumb_base_rng_chance(rng, 40))
        add(d, plumb_base_rng_below(rng, d->states),
            2 + plumb_base_rng_below(rng, EVENTS),
            plumb_base_rng_below(rng, d->states));
}

/* ---- sets of states, a byte for each ---- */

static void close_set(const struct medium *g, bool *set)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t s = 0; s < g->states; s++)
            for (uint64_t i = g->first[s]; set[s] && i < g->first[s + 1]; i++)
                if (g->edge[i].event == PLUMB_TAU && !set[g->edge[i].target])
                    set[g->edge[i].target] = more = true;
    }
}

static bool set_after(const struct medium *g, bool *set, uint32_t event)
{
    bool next[MOST_STATES] = { false }, any = false;
    for (uint32_t s = 0; s < g->states; s++)
        for (uint64_t i = g->first[s]; set[s] && i < g->first[s + 1]; i++)
            if (g->edge[i].event == event)
                next[g->edge[i].target] = any = true;
    close_set(g, next);
    memcpy(set, next, sizeof next);
    return any;
}

static void walk(const struct medium *impl, const struct medium *spec,
                 const struct plumb_refinement *r)
{
    bool set[MOST_STATES] = { true };
    bool possible = true;
    uint32_t at = 0;
    close_set(spec, set);
    for (uint32_t i = 0; i < r->length; i++) {
        assert_int_equal(r->path[i].state, at);
        const uint64_t k = impl->first[at] + r->path[i].index;
        assert_true(k < impl->first[at + 1] && possible);
        at = impl->edge[k].target;
        if (impl->edge[k].event != PLUMB_TAU)
            possible = set_after(spec, set, impl->edge[k].event);
    }
    assert_int_equal(possible, r->offence != PLUMB_OFFENCE_EVENT);
}

/* ---- certificates ---- */

static bool is_covered(const struct plumb_refine_relation *relation,
                       uint32_t state, const bool *set)
{
    for (uint32_t i = 0; i < relation->pairs; i++) {
        bool all = relation->impl[i] == state;
        const uint64_t *const first = relation->first + relation->set[i];
        for (uint64_t k = first[0]; all && k < first[1]; k++)
            all = set[relation->member[k]];
        if (all)
            return true;
    }
    return false;
}

/* For traces. */
static void check_relation(const struct medium *impl, const struct medium *spec,
                           const struct plumb_refine_relation *relation)
{
    bool set[MOST_STATES] = { true };
    close_set(spec, set);
    assert_true(is_covered(relation, 0, set));
    for (uint32_t i = 0; i < relation->pairs; i++) {
        const uint32_t s = relation->impl[i];
        for (uint64_t e = impl->first[s]; e < impl->first[s + 1]; e++) {
            memset(set, 0, sizeof set);
            const uint64_t *const first = relation->first + relation->set[i];
            for (uint64_t k = first[0]; k < first[1]; k++)
                set[relation->member[k]] = true;
            if (impl->edge[e].event != PLUMB_TAU)
                assert_true(set_after(spec, set, impl->edge[e].event));
            assert_true(is_covered(relation, impl->edge[e].target, set));
        }
    }
}

/* The graph of the blocks, as large as it is. */
static void divide(const struct medium *g,
                   const struct plumb_refine_partition *p, struct medium *q)
{
    uint64_t n = 0;
    assert_int_equal(p->states, g->states);
    q->states = p->blocks;
    for (uint32_t b = 0; b < p->blocks; b++) {
        q->first[b] = n;
        for (uint32_t s = 0; s < g->states; s++)
            for (uint64_t i = g->first[s];
                 p->block[s] == b && i < g->first[s + 1]; i++)
                q->edge[n++] =
                    (struct plumb_csp_edge){ g->edge[i].event,
                                             p->block[g->edge[i].target] };
    }
    q->first[p->blocks] = n;
}

static void check_certificate(const struct medium *impl,
                              const struct medium *spec,
                              const struct plumb_refinement *r)
{
    static struct medium small_impl, small_spec;
    const struct plumb_refine_certificate *const c = &r->certificate;
    if (r->both_ways) {
        assert_non_null(c->both);
        assert_int_equal(c->both->states, impl->states + spec->states);
        assert_int_equal(c->both->block[0], c->both->block[impl->states]);
        return;
    }
    assert_non_null(c->relation);
    if (!c->impl) {
        check_relation(impl, spec, c->relation);
        return;
    }
    divide(impl, c->impl, &small_impl);
    divide(spec, c->spec, &small_spec);
    check_relation(&small_impl, &small_spec, c->relation);
}

/* ---- comparing ---- */

static bool ask(struct medium *impl, struct medium *spec,
                const struct plumb_refine_options *options, bool check)
{
    const struct plumb_csp_graph_source one = plumb_csp_lts_source(&impl->lts),
                                        two = plumb_csp_lts_source(&spec->lts);
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_csp_graph *g, *h;
    struct plumb_base_arena arena;
    struct plumb_refinement r;
    struct plumb_error err;
    plumb_base_arena_init(&arena, budget);
    assert_int_equal(plumb_csp_graph_open(&g, &one, budget, &err), PLUMB_OK);
    assert_int_equal(plumb_csp_graph_open(&h, &two, budget, &err), PLUMB_OK);
    assert_int_equal(plumb_refine(g, h, options, &arena, &r, &err), PLUMB_OK);
    if (!r.refines)
        walk(impl, spec, &r);
    else if (check && options->semantics == PLUMB_TRACES && r.pairs < 3000)
        check_certificate(impl, spec, &r);
    plumb_csp_graph_free(g);
    plumb_csp_graph_free(h);
    plumb_base_arena_release(&arena);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
    return r.refines;
}

static void all_engines_agree_and_can_say_why(void **state)
{
    (void)state;
    static struct draft of_impl, of_spec;
    static struct medium impl, spec;
    const char *const many = getenv("PLUMB_RANDOM_GRAPHS");
    const uint64_t rounds = many ? strtoull(many, NULL, 10) : 150;
    uint32_t yes = 0, no = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct plumb_base_rng rng;
        running = seed;
        plumb_base_rng_seed(&rng, seed);
        draw_spec(&of_spec, &rng);
        draw_impl(&of_spec, &of_impl, &rng);
        finish(&of_impl, &impl);
        finish(&of_spec, &spec);
        for (unsigned semantics = 0; semantics < 3; semantics++) {
            int answer = -1;
            for (unsigned k = 0; k < 8; k++) {
                const struct plumb_refine_options options = {
                    .semantics = (enum plumb_refine_semantics)semantics,
                    .engine = (enum plumb_refine_engine)(k % 4),
                    .threads = 1 + k / 4,
                    .most_pairs = k / 4 ? 5 : 0,
                    .certificate = true,
                    .pat3_counts = k == 6
                };
                const bool refines = ask(&impl, &spec, &options, seed % 5 == 0);
                assert_true(answer == -1 || answer == refines);
                answer = refines;
            }
            yes += answer == 1;
            no += answer == 0;
        }
    }
    running = 0;
    assert_true(yes * 10 > no && no * 10 > yes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(all_engines_agree_and_can_say_why, say_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
