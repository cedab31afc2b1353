/* test_model_accept_run.c - what the verifier of temporal formulas accepts.
 *
 * Runs of small graphs, those that are shown and others, right ones and ones
 * with a step, a round or a fairness that is not so: a run is accepted exactly
 * if it is one, is fair and breaks the formula. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "ltl_toys.h"
#include "refine/accept/accept.h"
#include "refine/engines/refine.h"
#include <stdio.h>

static enum plumb_status toy_holds(void *context, uint32_t atom, uint32_t event,
                                   uint32_t state, bool *yes,
                                   struct plumb_error *err)
{
    (void)err;
    *yes = atom_holds(context, atom, event, state);
    return PLUMB_OK;
}

static enum plumb_status toy_actors(void *context, uint32_t state,
                                    uint32_t index, uint64_t *mask,
                                    struct plumb_error *err)
{
    (void)err;
    *mask = edge_actors(context, state, index);
    return PLUMB_OK;
}

struct trial {
    struct plumb_base_rng rng;
    struct toy_graph t;
    struct toy_labels l;
    struct toy_formula nodes;
    struct plumb_refine_formula formula;
    struct plumb_refine_labels labels;
    enum plumb_refine_fairness fairness;
    struct plumb_csp_graph_source source;
    struct plumb_csp_graph *g;
    struct plumb_budget *budget;
};

static void open_trial(struct trial *x, uint64_t seed, size_t refuse)
{
    struct plumb_error err;
    memset(x, 0, sizeof *x);
    plumb_base_rng_seed(&x->rng, seed);
    const uint32_t events = 2 + plumb_base_rng_below(&x->rng, 3);
    toy_random(&x->t, &x->rng, 1 + plumb_base_rng_below(&x->rng, 6),
               1 + plumb_base_rng_below(&x->rng, 3), events);
    random_labels(&x->l, &x->t, &x->rng, events);
    x->formula.root = random_formula(&x->nodes, &x->rng,
                                     1 + (int)plumb_base_rng_below(&x->rng, 4));
    x->formula.atoms = ATOMS;
    x->labels = (struct plumb_refine_labels){ &x->l, toy_holds, toy_actors,
                                              x->l.processes };
    x->fairness = (enum plumb_refine_fairness)plumb_base_rng_below(&x->rng, 3);
    x->source = plumb_csp_lts_source(&x->t.lts);
    x->budget = plumb_budget_new(0, 0);
    assert_int_equal(plumb_csp_graph_open(&x->g, &x->source, NULL, &err),
                     PLUMB_OK);
    if (refuse)
        plumb_base_budget_fail_at(x->budget, refuse);
}

static void close_trial(struct trial *x)
{
    plumb_csp_graph_free(x->g);
    assert_int_equal(plumb_budget_used(x->budget), 0);
    plumb_budget_free(x->budget);
}

static void complain(const struct trial *x, uint64_t seed, const char *what)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    formula_text(x->formula.root, 0, &text);
    print_error("seed %ju, fairness %d, %s: %s\n", (uintmax_t)seed,
                (int)x->fairness, plumb_base_text_string(&text), what);
    plumb_base_text_release(&text);
    fail();
}

static bool accepts(struct trial *x, const struct plumb_refine_run *run)
{
    struct plumb_error err;
    bool yes = false;
    assert_int_equal(plumb_refine_accept_run(x->g, &x->formula, &x->labels,
                                             x->fairness, run, x->budget, &yes,
                                             &err),
                     PLUMB_OK);
    return yes;
}

/* ---- by definition ---- */

static bool is_run(const struct toy_graph *t, const struct toy_run *r)
{
    uint32_t at = 0, begin = 0;
    for (uint32_t i = 0; i < r->length; i++) {
        if (r->hop[i].state != at || r->hop[i].index >= toy_degree(t, at))
            return false;
        if (i == r->cycle)
            begin = at;
        at = toy_edges(t, at)[r->hop[i].index].target;
    }
    if (r->cycle == r->length)
        return toy_degree(t, at) == 0;
    return r->cycle < r->length && at == begin;
}

static bool is_right(const struct trial *x, const struct toy_run *r)
{
    return is_run(&x->t, r) && run_is_fair(r, &x->l, x->fairness) &&
           run_breaks(r, &x->l, x->formula.root);
}

static bool accepts_toy(struct trial *x, const struct toy_run *r)
{
    const struct plumb_refine_run run = { .path = r->hop,
                                          .length = r->length,
                                          .cycle = r->cycle };
    return accepts(x, &run);
}

/* ---- runs that were shown ---- */

static bool show(struct trial *x, struct toy_run *r)
{
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    struct plumb_error err;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(plumb_refine_ltl_check(x->g, &x->formula, &x->labels,
                                            x->fairness, &arena, &run, &err),
                     PLUMB_OK);
    assert_true(run.length <= LONGEST);
    r->length = run.length;
    r->cycle = run.cycle;
    for (uint32_t i = 0; i < run.length; i++)
        r->hop[i] = run.path[i];
    plumb_base_arena_release(&arena);
    return !run.holds;
}

/* One thing is not as it was. */
static void spoil(struct trial *x, struct toy_run *r)
{
    struct plumb_refine_hop *const hop =
        r->hop + (r->length ? plumb_base_rng_below(&x->rng, r->length) : 0);
    switch (plumb_base_rng_below(&x->rng, 5)) {
    case 0:
        hop->index = plumb_base_rng_below(&x->rng, TOY_DEGREE);
        break;
    case 1:
        hop->state = plumb_base_rng_below(&x->rng, x->t.lts.states);
        break;
    case 2:
        r->cycle = plumb_base_rng_below(&x->rng, r->length + 2);
        break;
    case 3:
        r->length = plumb_base_rng_below(&x->rng, r->length + 1);
        break;
    case 4:
        x->fairness =
            (enum plumb_refine_fairness)plumb_base_rng_below(&x->rng, 3);
        break;
    }
}

static void shown_runs_are_accepted_and_spoilt_ones_are_not(void **state)
{
    unsigned shown = 0, rejected = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 8000; seed++) {
        struct trial x;
        struct toy_run r = { .length = 0 };
        open_trial(&x, seed, 0);
        if (show(&x, &r)) {
            shown++;
            if (!accepts_toy(&x, &r))
                complain(&x, seed, "the run is rejected");
            spoil(&x, &r);
            if (accepts_toy(&x, &r) != is_right(&x, &r))
                complain(&x, seed, "a spoilt run");
            rejected += !accepts_toy(&x, &r);
        }
        close_trial(&x);
    }
    print_message("%u runs, %u rejected\n", shown, rejected);
    assert_true(shown > 2000 && rejected > 1000);
}

/* ---- runs from anywhere ---- */

/* A walk that ends where it has been, or cannot go on, or at some length. */
static void walk_about(struct trial *x, struct toy_run *r)
{
    uint32_t at = 0;
    while (r->length < 12 && toy_degree(&x->t, at)) {
        const uint32_t i = plumb_base_rng_below(&x->rng, toy_degree(&x->t, at));
        r->hop[r->length++] = (struct plumb_refine_hop){ at, i };
        at = toy_edges(&x->t, at)[i].target;
        for (uint32_t k = 0; k < r->length; k++)
            if (r->hop[k].state == at && plumb_base_rng_chance(&x->rng, 30)) {
                r->cycle = k;
                return;
            }
    }
    r->cycle = r->length;
}

static void runs_are_accepted_if_they_are_right(void **state)
{
    unsigned right = 0, unfair = 0, kept = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct trial x;
        struct toy_run r = { .length = 0 };
        open_trial(&x, seed, 0);
        walk_about(&x, &r);
        const bool wanted = is_right(&x, &r);
        if (accepts_toy(&x, &r) != wanted)
            complain(&x, seed, wanted ? "is rejected" : "is accepted");
        right += wanted;
        if (is_run(&x.t, &r)) {
            unfair += !run_is_fair(&r, &x.l, x.fairness);
            kept += !run_breaks(&r, &x.l, x.formula.root);
        }
        close_trial(&x);
    }
    print_message("%u right, %u unfair, %u keep the formula\n", right, unfair,
                  kept);
    assert_true(right > 1000 && unfair > 300 && kept > 1000);
}

/* ---- formulas that hold ---- */

static enum plumb_status accept_formula(struct trial *x, bool *yes)
{
    const struct plumb_refine_run run = { .holds = true };
    struct plumb_error err;
    return plumb_refine_accept_formula(x->g, &x->formula, &x->labels,
                                       x->fairness, &run, x->budget, yes, &err);
}

/* Whatever the formula, whoever says so. */
static void formulas_are_accepted_if_they_hold(void **state)
{
    unsigned holds[3] = { 0, 0, 0 }, broken[3] = { 0, 0, 0 }, too_large = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 12000; seed++) {
        struct trial x;
        struct toy_run r = { .length = 0 };
        bool yes = false;
        open_trial(&x, seed, 0);
        const bool wanted = !show(&x, &r);
        const enum plumb_status status = accept_formula(&x, &yes);
        if (status == PLUMB_END)
            too_large++;
        else
            assert_int_equal(status, PLUMB_OK);
        if (status == PLUMB_OK && yes != wanted)
            complain(&x, seed, yes ? "is accepted" : "is rejected");
        holds[x.fairness] += status == PLUMB_OK && yes;
        broken[x.fairness] += status == PLUMB_OK && !yes;
        close_trial(&x);
    }
    for (int f = 0; f < 3; f++) {
        print_message("fairness %d: %u hold, %u do not\n", f, holds[f],
                      broken[f]);
        assert_true(holds[f] > 500 && broken[f] > 500);
    }
    assert_true(too_large < 20);
}

/* X X ... X true: the verifier says that it is too much, and nothing else. */
static void what_is_too_much_is_not_accepted(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth < 20; depth++) {
        struct trial x;
        bool yes = false;
        open_trial(&x, 1, 0);
        x.nodes.node[0] = (struct plumb_refine_ltl){ .kind = PLUMB_LTL_TRUE };
        for (uint32_t i = 1; i <= depth; i++)
            x.nodes.node[i] =
                (struct plumb_refine_ltl){ .kind = PLUMB_LTL_NEXT,
                                           .left = x.nodes.node + i - 1 };
        x.formula.root = x.nodes.node + depth;
        const bool few = depth <= 12;
        assert_int_equal(accept_formula(&x, &yes), few ? PLUMB_OK : PLUMB_END);
        assert_int_equal(yes, few);
        close_trial(&x);
    }
}

static void refused_memory_makes_nothing_hold(void **state)
{
    struct toy_run r = { .length = 0 };
    struct trial x;
    uint64_t seed = 0;
    size_t nth = 1;
    (void)state;
    for (bool found = false; !found; seed++) {
        open_trial(&x, seed, 0);
        found = x.nodes.nodes > 8 && x.fairness && x.t.first[1] > 1 &&
                !show(&x, &r);
        close_trial(&x);
    }
    for (bool failed = true; failed; nth++) {
        bool yes = false;
        open_trial(&x, seed - 1, nth);
        const enum plumb_status status = accept_formula(&x, &yes);
        failed = plumb_base_budget_has_failed(x.budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        assert_int_equal(yes, !failed);
        close_trial(&x);
    }
    assert_true(nth > 8);
}

static void refused_memory_is_survived(void **state)
{
    struct toy_run r = { .length = 0 };
    struct trial x;
    uint64_t seed = 0;
    size_t nth = 1;
    (void)state;
    for (bool found = false; !found; seed++) {
        open_trial(&x, seed, 0);
        found = x.nodes.nodes > 8 && show(&x, &r);
        close_trial(&x);
    }
    for (bool failed = true; failed; nth++) {
        const struct plumb_refine_run run = { .path = r.hop,
                                              .length = r.length,
                                              .cycle = r.cycle };
        struct plumb_error err;
        bool yes = false;
        open_trial(&x, seed - 1, nth);
        const enum plumb_status status = plumb_refine_accept_run(
            x.g, &x.formula, &x.labels, x.fairness, &run, x.budget, &yes, &err);
        failed = plumb_base_budget_has_failed(x.budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        close_trial(&x);
    }
    assert_true(nth > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_runs_are_accepted_and_spoilt_ones_are_not),
        cmocka_unit_test(runs_are_accepted_if_they_are_right),
        cmocka_unit_test(refused_memory_is_survived),
        cmocka_unit_test(formulas_are_accepted_if_they_hold),
        cmocka_unit_test(what_is_too_much_is_not_accepted),
        cmocka_unit_test(refused_memory_makes_nothing_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
