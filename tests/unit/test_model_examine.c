/* test_model_examine.c - questions about one graph, against what they mean.
 *
 * The graphs are so small that distances are worked out by going through all
 * edges again and again until nothing changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graph_toys.h"
#include "refine/properties/examine.h"

#define FAR 1000u

/* ---- what the questions mean ---- */

/* Steps from `start` to each state, over taus alone if `taus`. */
static void distances(const struct toy_graph *t, uint32_t start, bool taus,
                      uint32_t *far)
{
    for (uint32_t s = 0; s < t->lts.states; s++)
        far[s] = s == start ? 0 : FAR;
    for (uint32_t round = 0; round < t->lts.states; round++)
        for (uint32_t s = 0; s < t->lts.states; s++)
            for (uint32_t i = 0; i < toy_degree(t, s); i++) {
                const struct plumb_csp_edge e = toy_edges(t, s)[i];
                if ((!taus || e.event == PLUMB_TAU) &&
                    far[s] + 1 < far[e.target])
                    far[e.target] = far[s] + 1;
            }
}

/* How far it is to the nearest deadlock. */
static uint32_t nearest_deadlock(const struct toy_graph *t)
{
    uint32_t far[TOY_STATES], best = toy_degree(t, 0) ? FAR : 0;
    distances(t, 0, false, far);
    for (uint32_t s = 0; s < t->lts.states; s++)
        for (uint32_t i = 0; i < toy_degree(t, s); i++) {
            const struct plumb_csp_edge e = toy_edges(t, s)[i];
            if (e.event != PLUMB_TICK && !toy_degree(t, e.target) &&
                far[s] + 1 < best)
                best = far[s] + 1;
        }
    return best;
}

static uint32_t nearest_end(const struct toy_graph *t)
{
    uint32_t far[TOY_STATES], best = FAR;
    distances(t, 0, false, far);
    for (uint32_t s = 0; s < t->lts.states; s++)
        if (!toy_degree(t, s) && far[s] < best)
            best = far[s];
    return best;
}

/* How short a round of taus from `s` is. */
static uint32_t round_of(const struct toy_graph *t, uint32_t s)
{
    uint32_t best = FAR;
    for (uint32_t i = 0; i < toy_degree(t, s); i++) {
        const struct plumb_csp_edge e = toy_edges(t, s)[i];
        uint32_t far[TOY_STATES];
        distances(t, e.target, true, far);
        if (e.event == PLUMB_TAU && far[s] + 1 < best)
            best = far[s] + 1;
    }
    return best;
}

static uint32_t nearest_round(const struct toy_graph *t)
{
    uint32_t far[TOY_STATES], best = FAR;
    distances(t, 0, false, far);
    for (uint32_t s = 0; s < t->lts.states; s++)
        if (round_of(t, s) < FAR && far[s] < best)
            best = far[s];
    return best;
}

static bool disagree(const struct toy_graph *t, uint32_t s)
{
    for (uint32_t i = 0; i < toy_degree(t, s); i++)
        for (uint32_t k = 0; k < i; k++)
            if (toy_edges(t, s)[i].event == toy_edges(t, s)[k].event &&
                toy_edges(t, s)[i].target != toy_edges(t, s)[k].target)
                return true;
    return false;
}

static uint32_t nearest_disagreement(const struct toy_graph *t)
{
    uint32_t far[TOY_STATES], best = FAR;
    distances(t, 0, false, far);
    for (uint32_t s = 0; s < t->lts.states; s++)
        if (disagree(t, s) && far[s] < best)
            best = far[s];
    return best;
}

/* ---- asking ---- */

struct asked {
    struct plumb_base_arena arena;
    struct plumb_refine_examination x;
};

static enum plumb_status ask(struct asked *a, struct toy_graph *t,
                             enum plumb_refine_question question,
                             const struct plumb_refine_goal *goal,
                             struct plumb_budget *budget)
{
    const struct plumb_csp_graph_source source = plumb_csp_lts_source(&t->lts);
    struct plumb_csp_graph *g;
    struct plumb_error err;
    enum plumb_status status;
    plumb_base_arena_init(&a->arena, budget);
    status = plumb_csp_graph_open(&g, &source, budget, &err);
    if (status != PLUMB_OK)
        return status;
    status = plumb_refine_examine(g, question, goal, &a->arena, &a->x, &err);
    plumb_csp_graph_free(g);
    return status;
}

/* The path is one: returns where it ends. */
static uint32_t walk_path(const struct toy_graph *t,
                          const struct plumb_refine_examination *x)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < x->length; i++) {
        assert_int_equal(x->path[i].state, at);
        assert_true(x->path[i].index < toy_degree(t, at));
        at = toy_edges(t, at)[x->path[i].index].target;
    }
    return at;
}

static void check_found(struct toy_graph *t,
                        enum plumb_refine_question question, uint32_t nearest,
                        uint64_t seed)
{
    struct asked a;
    assert_int_equal(ask(&a, t, question, NULL, NULL), PLUMB_OK);
    if (a.x.holds != (nearest == FAR))
        fail_msg("seed %ju, question %d", (uintmax_t)seed, (int)question);
    if (!a.x.holds) {
        const uint32_t final = walk_path(t, &a.x);
        assert_int_equal(final, a.x.final);
        if (a.x.cycle != nearest)
            fail_msg("seed %ju, question %d: %u steps, wanted %u",
                     (uintmax_t)seed, (int)question, a.x.cycle, nearest);
    }
    plumb_base_arena_release(&a.arena);
}

static void check_deadlock_path(struct toy_graph *t)
{
    struct asked a;
    assert_int_equal(ask(&a, t, PLUMB_DEADLOCKFREE, NULL, NULL), PLUMB_OK);
    if (!a.x.holds && a.x.length) {
        const struct plumb_refine_hop last = a.x.path[a.x.length - 1];
        assert_int_not_equal(toy_edges(t, last.state)[last.index].event,
                             PLUMB_TICK);
    }
    if (!a.x.holds)
        assert_int_equal(toy_degree(t, a.x.final), 0);
    plumb_base_arena_release(&a.arena);
}

static void check_cycle(struct toy_graph *t)
{
    struct asked a;
    assert_int_equal(ask(&a, t, PLUMB_DIVERGENCEFREE, NULL, NULL), PLUMB_OK);
    if (!a.x.holds) {
        assert_true(a.x.cycle < a.x.length);
        assert_int_equal(a.x.path[a.x.cycle].state, a.x.final);
        assert_int_equal(a.x.length - a.x.cycle, round_of(t, a.x.final));
        for (uint32_t i = a.x.cycle; i < a.x.length; i++)
            assert_int_equal(
                toy_edges(t, a.x.path[i].state)[a.x.path[i].index].event,
                PLUMB_TAU);
    }
    plumb_base_arena_release(&a.arena);
}

static void check_disagreement(struct toy_graph *t)
{
    struct asked a;
    assert_int_equal(ask(&a, t, PLUMB_DETERMINISTIC, NULL, NULL), PLUMB_OK);
    if (!a.x.holds) {
        const struct plumb_csp_edge *const e = toy_edges(t, a.x.final);
        assert_int_equal(e[a.x.edge[0]].event, e[a.x.edge[1]].event);
        assert_int_not_equal(e[a.x.edge[0]].target, e[a.x.edge[1]].target);
    }
    plumb_base_arena_release(&a.arena);
}

static void answers_are_as_defined(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct toy_graph t;
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        toy_random(&t, &rng, 1 + plumb_base_rng_below(&rng, TOY_STATES),
                   1 + plumb_base_rng_below(&rng, TOY_DEGREE),
                   2 + plumb_base_rng_below(&rng, 6));
        check_found(&t, PLUMB_DEADLOCKFREE, nearest_deadlock(&t), seed);
        check_deadlock_path(&t);
        check_found(&t, PLUMB_NONTERMINATING, nearest_end(&t), seed);
        check_found(&t, PLUMB_DIVERGENCEFREE, nearest_round(&t), seed);
        check_cycle(&t);
        check_found(&t, PLUMB_DETERMINISTIC, nearest_disagreement(&t), seed);
        check_disagreement(&t);
    }
}

/* ---- goals ---- */

struct wish {
    bool good[TOY_STATES];
    int64_t value[TOY_STATES];
};

static enum plumb_status is_good(void *context, uint32_t state, bool *yes,
                                 int64_t *value, struct plumb_error *err)
{
    const struct wish *const w = context;
    (void)err;
    *yes = w->good[state];
    *value = w->value[state];
    return PLUMB_OK;
}

/* The best value, and the least distance at which it is; FAR if none. */
static uint32_t best_of(const struct toy_graph *t, const struct wish *w,
                        int optimise, int64_t *best)
{
    uint32_t far[TOY_STATES], nearest = FAR;
    distances(t, 0, false, far);
    for (uint32_t s = 0; s < t->lts.states; s++) {
        if (!w->good[s] || far[s] == FAR)
            continue;
        const int64_t v = optimise ? optimise * w->value[s] : 0;
        if (nearest == FAR || v > *best || (v == *best && far[s] < nearest)) {
            *best = v;
            nearest = far[s];
        }
    }
    return nearest;
}

static void check_goal(struct toy_graph *t, struct wish *w, int optimise,
                       uint64_t seed)
{
    const struct plumb_refine_goal goal = { is_good, w, optimise };
    struct asked a;
    int64_t best = 0;
    const uint32_t nearest = best_of(t, w, optimise, &best);
    assert_int_equal(ask(&a, t, PLUMB_REACHES, &goal, NULL), PLUMB_OK);
    if (a.x.holds != (nearest != FAR))
        fail_msg("seed %ju: %d", (uintmax_t)seed, a.x.holds);
    if (a.x.holds) {
        assert_int_equal(walk_path(t, &a.x), a.x.final);
        assert_true(w->good[a.x.final]);
        assert_int_equal(a.x.best, w->value[a.x.final]);
        if (optimise)
            assert_int_equal(optimise * a.x.best, best);
        assert_int_equal(a.x.length, nearest);
    }
    plumb_base_arena_release(&a.arena);
}

static void goals_are_reached_on_the_shortest_way(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        struct toy_graph t;
        struct plumb_base_rng rng;
        struct wish w;
        plumb_base_rng_seed(&rng, seed);
        toy_random(&t, &rng, 1 + plumb_base_rng_below(&rng, TOY_STATES), 3, 4);
        for (uint32_t s = 0; s < TOY_STATES; s++) {
            w.good[s] = plumb_base_rng_chance(&rng, 30);
            w.value[s] = (int64_t)plumb_base_rng_below(&rng, 5) - 2;
        }
        for (int optimise = -1; optimise <= 1; optimise++)
            check_goal(&t, &w, optimise, seed);
    }
}

/* a -> Stop [] Skip: the same state is an end and a deadlock. */
static void an_end_can_be_a_deadlock_too(void **state)
{
    struct toy_graph t = { .first = { 0, 2, 2 },
                           .edge = { { PLUMB_TICK, 1 }, { 2, 1 } } };
    struct asked a;
    (void)state;
    t.lts = (struct plumb_csp_lts){ 2, t.first, t.edge };
    assert_int_equal(ask(&a, &t, PLUMB_DEADLOCKFREE, NULL, NULL), PLUMB_OK);
    assert_false(a.x.holds);
    assert_int_equal(a.x.length, 1);
    assert_int_equal(a.x.path[0].index, 1);
    assert_int_equal(a.x.states, 2);
    plumb_base_arena_release(&a.arena);
    t.edge[1].event = PLUMB_TICK;
    assert_int_equal(ask(&a, &t, PLUMB_DEADLOCKFREE, NULL, NULL), PLUMB_OK);
    assert_true(a.x.holds);
    plumb_base_arena_release(&a.arena);
}

static void refused_memory_is_survived(void **state)
{
    struct toy_graph t;
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 3);
    toy_random(&t, &rng, TOY_STATES, TOY_DEGREE, 3);
    for (int question = 0; question < PLUMB_REACHES; question++)
        for (size_t nth = 1;; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct asked a;
            plumb_base_budget_fail_at(budget, nth);
            const enum plumb_status status =
                ask(&a, &t, (enum plumb_refine_question)question, NULL, budget);
            const bool failed = plumb_base_budget_has_failed(budget);
            assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            plumb_base_arena_release(&a.arena);
            assert_int_equal(plumb_budget_used(budget), 0);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_as_defined),
        cmocka_unit_test(goals_are_reached_on_the_shortest_way),
        cmocka_unit_test(an_end_can_be_a_deadlock_too),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
