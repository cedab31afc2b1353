/* test_model_trouble.c - the way to where a model goes wrong, on small graphs
 * in which some states cannot be looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/fail.h"
#include "base/memory.h"
#include "graph_toys.h"
#include "refine/engines/error_path.h"

#define FAR 1000u

struct broken {
    struct toy_graph toy;
    uint32_t bad; /* states, a bit each */
};

static enum plumb_status edges_of(void *context, uint32_t state,
                                  struct plumb_csp_edges *out,
                                  struct plumb_error *err)
{
    const struct broken *const b = context;
    if (b->bad >> state & 1)
        return plumb_base_fail(err, PLUMB_EINPUT, state + 1, 1, "bad");
    for (uint32_t i = 0; i < toy_degree(&b->toy, state); i++) {
        const struct plumb_csp_edge e = toy_edges(&b->toy, state)[i];
        if (!plumb_csp_edges_add(out, e.event, e.target))
            return plumb_base_fail_memory(err);
    }
    return PLUMB_OK;
}

static uint32_t states_of(const void *context)
{
    const struct broken *const b = context;
    return b->toy.lts.states;
}

/* Steps to the nearest bad state, through states that are not. */
static uint32_t nearest(const struct broken *b)
{
    uint32_t far[TOY_STATES], best = FAR;
    for (uint32_t s = 0; s < TOY_STATES; s++)
        far[s] = s ? FAR : 0;
    for (uint32_t round = 0; round < TOY_STATES; round++)
        for (uint32_t s = 0; s < b->toy.lts.states; s++)
            for (uint32_t i = 0; i < toy_degree(&b->toy, s); i++) {
                const uint32_t to = toy_edges(&b->toy, s)[i].target;
                if (!(b->bad >> s & 1) && far[s] + 1 < far[to])
                    far[to] = far[s] + 1;
            }
    for (uint32_t s = 0; s < b->toy.lts.states; s++)
        if (b->bad >> s & 1 && far[s] < best)
            best = far[s];
    return best;
}

struct asked {
    struct plumb_base_arena arena;
    struct plumb_csp_graph *graph;
    const struct plumb_refine_hop *path;
    uint32_t length;
    struct plumb_error err;
    bool found;
};

static void ask(struct asked *a, struct broken *b, struct plumb_budget *budget)
{
    const struct plumb_csp_graph_source source = { b, edges_of, states_of, 0 };
    *a = (struct asked){ .err = { .status = PLUMB_EINPUT, .line = 99 } };
    plumb_base_arena_init(&a->arena, budget);
    if (plumb_csp_graph_open(&a->graph, &source, budget, &a->err) == PLUMB_OK)
        a->found = plumb_refine_error_path_find(a->graph, 0, budget, &a->arena,
                                                &a->path, &a->length, &a->err);
}

static void release(struct asked *a)
{
    plumb_csp_graph_free(a->graph);
    plumb_base_arena_release(&a->arena);
}

static void draw(struct broken *b, struct plumb_base_rng *rng)
{
    toy_random(&b->toy, rng, 1 + plumb_base_rng_below(rng, TOY_STATES),
               TOY_DEGREE, 3);
    b->bad = plumb_base_rng_below(rng, 1u << TOY_STATES) &
             plumb_base_rng_below(rng, 1u << TOY_STATES) &
             ((1u << b->toy.lts.states) - 1);
}

/* Where the path ends, if each hop is an edge of where the last one ended. */
static uint32_t end_of(const struct broken *b, const struct asked *a)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < a->length; i++) {
        assert_int_equal(a->path[i].state, at);
        assert_true(a->path[i].index < toy_degree(&b->toy, at));
        at = toy_edges(&b->toy, at)[a->path[i].index].target;
    }
    return at;
}

static void the_nearest_is_found_with_its_way(void **state)
{
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 5);
    for (int n = 0; n < 20000; n++) {
        struct broken b;
        struct asked a;
        draw(&b, &rng);
        ask(&a, &b, NULL);
        const uint32_t distance = nearest(&b);
        assert_int_equal(a.found, distance != FAR);
        if (a.found) {
            assert_int_equal(a.length, distance);
            assert_int_equal(a.err.line, end_of(&b, &a) + 1);
        } else {
            assert_int_equal(a.err.line, 99);
        }
        release(&a);
    }
}

static void refused_memory_finds_nothing(void **state)
{
    struct broken b;
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 1);
    do
        draw(&b, &rng);
    while (nearest(&b) < 2 || nearest(&b) == FAR);
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct asked a;
        plumb_base_budget_fail_at(budget, nth);
        ask(&a, &b, budget);
        const bool failed = plumb_base_budget_has_failed(budget);
        assert_int_equal(a.found, !failed);
        release(&a);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_found_with_its_way),
        cmocka_unit_test(refused_memory_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
