/* test_model_bisimulation.c - partitions against the definition.
 *
 * On a few states all partitions are looked at: those that are branching
 * bisimulations by definition, and the coarsest of them.  On larger graphs the
 * partition must be a bisimulation, and its quotient cannot be made smaller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "little_graphs.h"
#include "refine/accept/accept_partition.h"
#include "refine/engines/refine.h"
#include "refine/minimise/bisimulation.h"
#include <stdlib.h>

static uint64_t running; /* the seed in use, until it went well */

static int say_seed(void **state)
{
    (void)state;
    if (running)
        print_error("with seed %llu\n", (unsigned long long)running);
    running = 0;
    return 0;
}

/* ---- by definition, on a few states ---- */

static uint32_t class_of(const uint32_t *block, uint32_t states, uint32_t s)
{
    uint32_t set = 0;
    for (uint32_t t = 0; t < states; t++)
        if (block[t] == block[s])
            set |= 1u << t;
    return set;
}

/* All that t reaches by taus through states of `class`. */
static uint32_t inside(const struct little *g, uint32_t t, uint32_t class)
{
    uint32_t set = 1u << t;
    for (uint32_t all;; set = all) {
        all = set | (little_step(g, set, PLUMB_TAU) & class);
        if (all == set)
            return all;
    }
}

static bool matches(const struct little *g, const uint32_t *block, uint32_t s,
                    struct plumb_csp_edge edge, uint32_t t)
{
    if (edge.event == PLUMB_TAU && block[edge.target] == block[t])
        return true;
    const uint32_t from = inside(g, t, class_of(block, g->states, s));
    return little_step(g, from, edge.event) &
           class_of(block, g->states, edge.target);
}

/* Can s go on by taus for ever in its class?  With so few states, so many
 * steps are for ever. */
static bool goes_on(const struct little *g, const uint32_t *block, uint32_t s)
{
    const uint32_t class = class_of(block, g->states, s);
    uint32_t set = 1u << s;
    for (uint32_t i = 0; i <= g->states; i++)
        set = little_step(g, set, PLUMB_TAU) & class;
    return set;
}

static bool is_bisimulation(const struct little *g, const uint32_t *block,
                            bool divergence)
{
    for (uint32_t s = 0; s < g->states; s++)
        for (uint32_t t = 0; t < g->states; t++) {
            if (block[s] != block[t])
                continue;
            for (uint64_t i = g->first[s]; i < g->first[s + 1]; i++)
                if (!matches(g, block, s, g->edge[i], t))
                    return false;
            if (divergence && goes_on(g, block, s) && !goes_on(g, block, t))
                return false;
        }
    return true;
}

/* The next partition of n states, as numbers that grow by at most one. */
static bool next_partition(uint32_t *block, uint32_t n)
{
    for (uint32_t i = n; i-- > 1;) {
        uint32_t most = 0;
        for (uint32_t k = 0; k < i; k++)
            most = block[k] > most ? block[k] : most;
        if (block[i] <= most) {
            block[i]++;
            memset(block + i + 1, 0, (n - i - 1) * sizeof *block);
            return true;
        }
    }
    return false;
}

static uint32_t blocks_in(const uint32_t *block, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = block[i] > most ? block[i] : most;
    return most + 1;
}

static void find_coarsest(const struct little *g, bool divergence,
                          uint32_t *coarsest)
{
    uint32_t block[LITTLE_STATES] = { 0 }, fewest = UINT32_MAX;
    do {
        const uint32_t blocks = blocks_in(block, g->states);
        if (blocks < fewest && is_bisimulation(g, block, divergence)) {
            fewest = blocks;
            memcpy(coarsest, block, g->states * sizeof *block);
        }
    } while (next_partition(block, g->states));
}

static void the_coarsest_branching_bisimulation_is_found(void **state)
{
    (void)state;
    const char *const many = getenv("PLUMB_RANDOM_GRAPHS");
    const uint64_t rounds = many ? strtoull(many, NULL, 10) : 4000;
    uint64_t smaller = 0, finer = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct plumb_base_rng rng;
        struct plumb_error err;
        struct little g;
        uint32_t blocks[2];
        running = seed;
        plumb_base_rng_seed(&rng, seed);
        little_random(&g, &rng);
        for (unsigned divergence = 0; divergence < 2; divergence++) {
            uint32_t coarsest[LITTLE_STATES];
            struct plumb_refine_partition p;
            find_coarsest(&g, divergence, coarsest);
            assert_int_equal(
                plumb_refine_bisimulation(&g.lts, divergence, NULL, &p, &err),
                PLUMB_OK);
            assert_int_equal(p.states, g.states);
            assert_int_equal(p.blocks, blocks_in(coarsest, g.states));
            assert_memory_equal(p.block, coarsest, g.states * sizeof *coarsest);
            blocks[divergence] = p.blocks;
            smaller += p.blocks < g.states;
            plumb_refine_partition_release(&p, NULL);
        }
        finer += blocks[1] > blocks[0];
    }
    running = 0;
    assert_true(smaller > rounds / 4 && finer > rounds / 50);
}

/* ---- quotients ---- */

static bool refines(struct plumb_csp_lts *a, struct plumb_csp_lts *b,
                    enum plumb_refine_semantics semantics)
{
    const struct plumb_csp_graph_source one = plumb_csp_lts_source(a),
                                        two = plumb_csp_lts_source(b);
    const struct plumb_refine_options options = {
        .semantics = semantics, .engine = PLUMB_ENGINE_PRODUCT, .threads = 1
    };
    struct plumb_csp_graph *g, *h;
    struct plumb_base_arena arena;
    struct plumb_refinement r;
    struct plumb_error err;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(plumb_csp_graph_open(&g, &one, NULL, &err), PLUMB_OK);
    assert_int_equal(plumb_csp_graph_open(&h, &two, NULL, &err), PLUMB_OK);
    assert_int_equal(plumb_refine(g, h, &options, &arena, &r, &err), PLUMB_OK);
    plumb_csp_graph_free(g);
    plumb_csp_graph_free(h);
    plumb_base_arena_release(&arena);
    return r.refines;
}

static void check_shape(const struct plumb_refine_quotient *q, bool divergence)
{
    for (uint32_t b = 0; b < q->lts.states; b++)
        for (uint64_t i = q->first[b]; i < q->first[b + 1]; i++) {
            assert_true(q->edge[i].target < q->lts.states);
            if (!divergence && q->edge[i].event == PLUMB_TAU)
                assert_true(q->edge[i].target != b);
            for (uint64_t k = q->first[b]; k < i; k++)
                assert_false(q->edge[k].event == q->edge[i].event &&
                             q->edge[k].target == q->edge[i].target);
        }
}

static void a_quotient_does_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct plumb_base_rng rng;
        struct plumb_error err;
        struct little g;
        running = seed;
        plumb_base_rng_seed(&rng, seed);
        little_random(&g, &rng);
        for (unsigned divergence = 0; divergence < 2; divergence++) {
            struct plumb_refine_partition p;
            struct plumb_refine_quotient q;
            assert_int_equal(
                plumb_refine_bisimulation(&g.lts, divergence, NULL, &p, &err),
                PLUMB_OK);
            assert_int_equal(
                plumb_refine_quotient(&g.lts, &p, divergence, NULL, &q, &err),
                PLUMB_OK);
            assert_int_equal(q.lts.states, p.blocks);
            check_shape(&q, divergence);
            for (int i = PLUMB_TRACES;
                 i <= (divergence ? PLUMB_FAILURES_DIVERGENCES : PLUMB_TRACES);
                 i++) {
                assert_true(
                    refines(&q.lts, &g.lts, (enum plumb_refine_semantics)i));
                assert_true(
                    refines(&g.lts, &q.lts, (enum plumb_refine_semantics)i));
            }
            plumb_refine_quotient_release(&q, NULL);
            plumb_refine_partition_release(&p, NULL);
        }
    }
    running = 0;
}

/* ---- larger graphs ---- */

struct large {
    struct plumb_csp_lts lts;
    uint64_t *first;
    struct plumb_csp_edge *edge;
};

/* Structured: copies of a little one with taus between them, so that there is
 * something to find. */
static void make_large(struct large *g, uint32_t states,
                       struct plumb_base_rng *rng)
{
    const uint32_t pattern = 2 + plumb_base_rng_below(rng, 20);
    const uint32_t taus = plumb_base_rng_below(rng, 80);
    uint64_t n = 0;
    g->first = calloc(states + 1, sizeof *g->first);
    g->edge = calloc(states * 4, sizeof *g->edge);
    for (uint32_t s = 0; s < states; s++) {
        g->first[s] = n;
        for (uint32_t i = plumb_base_rng_below(rng, 4); i--;) {
            const uint32_t event = plumb_base_rng_chance(rng, taus)
                                       ? PLUMB_TAU
                                       : 2 + (s % pattern + i) % 3;
            const uint32_t target =
                (s + pattern * plumb_base_rng_below(rng, 7) +
                 plumb_base_rng_below(rng, 2)) %
                states;
            g->edge[n++] = (struct plumb_csp_edge){ event, target };
        }
    }
    g->first[states] = n;
    g->lts = (struct plumb_csp_lts){ states, g->first, g->edge };
}

static void free_large(struct large *g)
{
    free(g->first);
    free(g->edge);
}

/* Whether t, by taus inside its block, comes to an edge like this one. */
static bool finds(const struct large *g, const struct plumb_refine_partition *p,
                  uint32_t t, struct plumb_csp_edge edge, bool *seen)
{
    if (seen[t])
        return false;
    seen[t] = true;
    for (uint64_t i = g->first[t]; i < g->first[t + 1]; i++) {
        const struct plumb_csp_edge e = g->edge[i];
        if (e.event == edge.event &&
            p->block[e.target] == p->block[edge.target])
            return true;
        if (e.event == PLUMB_TAU && p->block[e.target] == p->block[t] &&
            finds(g, p, e.target, edge, seen))
            return true;
    }
    return false;
}

static void check_large(const struct large *g,
                        const struct plumb_refine_partition *p)
{
    bool *const seen = calloc(g->lts.states, sizeof *seen);
    for (uint32_t s = 0; s < g->lts.states; s++)
        for (uint32_t t = 0; t < g->lts.states; t++) {
            if (p->block[s] != p->block[t])
                continue;
            for (uint64_t i = g->first[s]; i < g->first[s + 1]; i++) {
                if (g->edge[i].event == PLUMB_TAU &&
                    p->block[g->edge[i].target] == p->block[t])
                    continue;
                memset(seen, 0, g->lts.states * sizeof *seen);
                assert_true(finds(g, p, t, g->edge[i], seen));
            }
        }
    free(seen);
}

static void quotients_of_larger_graphs_are_minimal(void **state)
{
    (void)state;
    uint32_t smaller = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        struct plumb_base_rng rng;
        struct plumb_error err;
        struct large g;
        running = seed;
        plumb_base_rng_seed(&rng, seed);
        make_large(&g, 50 + plumb_base_rng_below(&rng, 250), &rng);
        for (unsigned divergence = 0; divergence < 2; divergence++) {
            struct plumb_refine_partition p, again;
            struct plumb_refine_quotient q;
            assert_int_equal(
                plumb_refine_bisimulation(&g.lts, divergence, NULL, &p, &err),
                PLUMB_OK);
            check_large(&g, &p);
            assert_int_equal(
                plumb_refine_quotient(&g.lts, &p, divergence, NULL, &q, &err),
                PLUMB_OK);
            assert_int_equal(plumb_refine_bisimulation(&q.lts, divergence, NULL,
                                                       &again, &err),
                             PLUMB_OK);
            assert_int_equal(again.blocks, p.blocks);
            smaller += p.blocks < g.lts.states;
            plumb_refine_partition_release(&p, NULL);
            plumb_refine_partition_release(&again, NULL);
            plumb_refine_quotient_release(&q, NULL);
        }
        free_large(&g);
    }
    running = 0;
    assert_true(smaller > 60);
}

/* ---- knots with many edges ---- */

enum { WIDE = 20000 };

/* As few edges of a state as there are, in order of states. */
static void add_edge(struct large *g, uint32_t state, uint32_t event,
                     uint32_t target)
{
    for (; g->lts.states <= state; g->lts.states++)
        g->first[g->lts.states + 1] = g->first[g->lts.states];
    g->edge[g->first[state + 1]++] = (struct plumb_csp_edge){ event, target };
}

static void begin_wide(struct large *g)
{
    g->first = calloc(3 * WIDE + 2, sizeof *g->first);
    g->edge = calloc(7 * WIDE, sizeof *g->edge);
    g->lts = (struct plumb_csp_lts){ 0, g->first, g->edge };
}

/* States 1 .. WIDE are all different: each has an event of its own, or they
 * are a chain. */
static void add_targets(struct large *g, bool chain)
{
    add_edge(g, 0, 2, 0);
    for (uint32_t i = 0; i < WIDE; i++)
        add_edge(g, 1 + i, chain ? 3 : 10 + i, chain ? i : 0);
}

static void add_circle(struct large *g, uint32_t first)
{
    for (uint32_t i = 0; i < WIDE; i++) {
        add_edge(g, first + i, PLUMB_TAU, first + (i + 1) % WIDE);
        add_edge(g, first + i, 4, 1 + i);
    }
}

static void check_wide(struct large *g, uint32_t blocks)
{
    struct plumb_refine_partition p;
    struct plumb_error err;
    bool yes = false;
    assert_int_equal(plumb_refine_bisimulation(&g->lts, false, NULL, &p, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_refine_accept_partition(
                         &(struct plumb_refine_pieces){ &g->lts, NULL }, &p,
                         false, NULL, NULL, &yes, &err),
                     PLUMB_OK);
    assert_true(yes);
    assert_int_equal(p.blocks, blocks);
    plumb_refine_partition_release(&p, NULL);
    free_large(g);
}

/* States that lead into a circle by taus and have some of its events: all of
 * them can do as much as it can. */
static void what_leads_into_a_wide_circle_is_like_it(void **state)
{
    (void)state;
    for (int chain = 0; chain < 2; chain++) {
        struct large g;
        begin_wide(&g);
        add_targets(&g, chain);
        add_circle(&g, WIDE + 1);
        for (uint32_t i = 0; i < WIDE; i++) {
            add_edge(&g, 2 * WIDE + 1 + i, PLUMB_TAU, WIDE + 1 + i);
            add_edge(&g, 2 * WIDE + 1 + i, 4, 1 + i);
        }
        check_wide(&g, WIDE + 2);
    }
}

/* The states they lead to are told apart one after the other. */
static void wide_circles_wait_for_what_they_lead_to(void **state)
{
    struct large g;
    (void)state;
    begin_wide(&g);
    add_targets(&g, true);
    add_circle(&g, WIDE + 1);
    add_circle(&g, 2 * WIDE + 1);
    check_wide(&g, WIDE + 2);
}

/* Each can do what the one before it can, and one thing more. */
static void a_staircase_of_taus_has_short_signatures(void **state)
{
    struct large g;
    (void)state;
    begin_wide(&g);
    add_targets(&g, false);
    for (uint32_t i = 0; i < WIDE; i++) {
        if (i)
            add_edge(&g, WIDE + 1 + i, PLUMB_TAU, WIDE + i);
        add_edge(&g, WIDE + 1 + i, 4, 1 + i);
    }
    check_wide(&g, 2 * WIDE + 1);
}

static void refused_memory_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct plumb_base_rng rng;
        struct large g;
        plumb_base_rng_seed(&rng, seed);
        make_large(&g, 60, &rng);
        for (size_t nth = 1;; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct plumb_refine_partition p = { .block = NULL };
            struct plumb_refine_quotient q = { .edges = 0 };
            struct plumb_error err;
            plumb_base_budget_fail_at(budget, nth);
            enum plumb_status status =
                plumb_refine_bisimulation(&g.lts, seed % 2, budget, &p, &err);
            if (status == PLUMB_OK)
                status = plumb_refine_quotient(&g.lts, &p, seed % 2, budget, &q,
                                               &err);
            const bool failed = plumb_base_budget_has_failed(budget);
            assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            plumb_refine_partition_release(&p, budget);
            plumb_refine_quotient_release(&q, budget);
            assert_int_equal(plumb_budget_used(budget), 0);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
        free_large(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_coarsest_branching_bisimulation_is_found,
                                  say_seed),
        cmocka_unit_test_teardown(a_quotient_does_the_same, say_seed),
        cmocka_unit_test_teardown(quotients_of_larger_graphs_are_minimal,
                                  say_seed),
        cmocka_unit_test(what_leads_into_a_wide_circle_is_like_it),
        cmocka_unit_test(wide_circles_wait_for_what_they_lead_to),
        cmocka_unit_test(a_staircase_of_taus_has_short_signatures),
        cmocka_unit_test(refused_memory_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
