/* test_model_equivalence.c - what tells small graphs apart, and what the
 * verifier accepts of it.
 *
 * tests/models/equivalence.py compares verdicts with brute force.  Here claims
 * are bent: a formula is accepted exactly if it still holds in one initial
 * state alone, by another evaluation, and the path is still one of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "effort.h"
#include "graph_toys.h"
#include "refine/accept/accept.h"
#include "refine/engines/refine.h"
#include "refine/equivalence/equivalent.h"

enum { MOST_FORMULAS = 64 };

struct asked {
    struct toy_graph toy[2];
    struct plumb_csp_graph_source source[2];
    struct plumb_csp_graph *g[2];
    struct plumb_base_arena arena;
    struct plumb_refine_equivalence e;
    struct plumb_error err;
};

/* Sometimes the second is the first with one edge that leads elsewhere. */
static void draw(struct asked *a, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    const uint32_t events = 2 + plumb_base_rng_below(&rng, 3);
    for (unsigned i = 0; i < 2; i++)
        toy_random(&a->toy[i], &rng, 1 + plumb_base_rng_below(&rng, TOY_STATES),
                   1 + plumb_base_rng_below(&rng, TOY_DEGREE), events);
    struct toy_graph *const t = &a->toy[1];
    if (plumb_base_rng_below(&rng, 4)) {
        *t = a->toy[0];
        t->lts.first = t->first;
        t->lts.edge = t->edge;
        const uint32_t edges = (uint32_t)t->first[t->lts.states];
        if (edges && plumb_base_rng_below(&rng, 2))
            t->edge[plumb_base_rng_below(&rng, edges)].target =
                plumb_base_rng_below(&rng, t->lts.states);
    }
}

static enum plumb_status ask(struct asked *a, uint64_t seed,
                             struct plumb_budget *budget)
{
    memset(a, 0, sizeof *a);
    draw(a, seed);
    plumb_base_arena_init(&a->arena, budget);
    for (unsigned i = 0; i < 2; i++) {
        a->source[i] = plumb_csp_lts_source(&a->toy[i].lts);
        const enum plumb_status status =
            plumb_csp_graph_open(&a->g[i], &a->source[i], budget, &a->err);
        if (status != PLUMB_OK)
            return status;
        if (plumb_csp_graph_complete(a->g[i], 0, &a->err) != PLUMB_OK)
            return a->err.status;
    }
    return plumb_refine_equivalent(a->g[0], a->g[1], 1, &a->arena, &a->e,
                                   &a->err);
}

static void release(struct asked *a)
{
    plumb_csp_graph_free(a->g[0]);
    plumb_csp_graph_free(a->g[1]);
    plumb_base_arena_release(&a->arena);
}

static bool accepts(struct asked *a, const struct plumb_refine_equivalence *e)
{
    bool yes = false;
    assert_int_equal(plumb_refine_accept_equivalence(a->g[0], a->g[1], e, NULL,
                                                     &yes, &a->err),
                     PLUMB_OK);
    return yes;
}

static bool refines(struct asked *a, unsigned impl,
                    enum plumb_refine_semantics semantics)
{
    const struct plumb_refine_options options = {
        .semantics = semantics, .engine = PLUMB_ENGINE_PRODUCT, .threads = 1
    };
    struct plumb_refinement r;
    assert_int_equal(plumb_refine(a->g[impl], a->g[1 - impl], &options,
                                  &a->arena, &r, &a->err),
                     PLUMB_OK);
    return r.refines;
}

static void answers_are_accepted_and_agree_with_refinement(void **state)
{
    uint32_t equal = 0, only_both_ways = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SOME_OF(40000); seed++) {
        struct asked a;
        assert_int_equal(ask(&a, seed, NULL), PLUMB_OK);
        if (!accepts(&a, &a.e))
            fail_msg("seed %ju", (uintmax_t)seed);
        const bool both = refines(&a, 0, PLUMB_FAILURES_DIVERGENCES) &&
                          refines(&a, 1, PLUMB_FAILURES_DIVERGENCES);
        if (a.e.equal && (!both || !refines(&a, 0, PLUMB_TRACES)))
            fail_msg("seed %ju is equal", (uintmax_t)seed);
        equal += a.e.equal;
        only_both_ways += both && !a.e.equal;
        release(&a);
    }
    assert_in_range(equal, SOME_OF(4000), SOME_OF(36000));
    assert_true(only_both_ways > SOME_OF(200));
}

/* ---- formulas, once more ---- */

/* Which formulas hold where; parts are settled before what they are parts of.
 */
struct reading {
    const struct toy_graph *t;
    const struct plumb_refine_equivalence *e;
    bool holds[MOST_FORMULAS][TOY_STATES];
};

/* Do hidden steps through states with f->left lead to what counts?  If so, as
 * many as there are states are enough; so many go round. */
static bool comes_to(const struct reading *r,
                     const struct plumb_refine_modal *f, uint32_t s,
                     uint32_t steps)
{
    const bool diverges = f->kind == PLUMB_MODAL_DIVERGE;
    if (!diverges && f->event == PLUMB_TAU && r->holds[f->right][s])
        return true;
    if (!r->holds[f->left][s])
        return false;
    if (steps == 0)
        return diverges;
    for (uint32_t i = 0; i < toy_degree(r->t, s); i++) {
        const struct plumb_csp_edge e = toy_edges(r->t, s)[i];
        if (!diverges && f->event != PLUMB_TAU && e.event == f->event &&
            r->holds[f->right][e.target])
            return true;
        if (e.event == PLUMB_TAU && comes_to(r, f, e.target, steps - 1))
            return true;
    }
    return false;
}

static bool is_true(const struct reading *r, const struct plumb_refine_modal *f,
                    uint32_t s)
{
    switch (f->kind) {
    case PLUMB_MODAL_TRUE:
        return true;
    case PLUMB_MODAL_NOT:
        return !r->holds[f->left][s];
    case PLUMB_MODAL_AND:
        return r->holds[f->left][s] && r->holds[f->right][s];
    default:
        return comes_to(r, f, s, r->t->lts.states);
    }
}

static void read_all(struct reading *r)
{
    for (uint32_t i = 0; i < r->e->formulas; i++)
        for (uint32_t s = 0; s < r->t->lts.states; s++)
            r->holds[i][s] = is_true(r, r->e->formula + i, s);
}

/* Is there a way to take the steps from the i-th on from `s`, with `formula`
 * to be shown there, so that `rest` of it is left? */
static bool is_path(const struct reading *r, uint32_t i, uint32_t s,
                    uint32_t formula)
{
    const struct plumb_refine_equivalence *const e = r->e;
    const struct plumb_refine_modal *const f = e->formula + formula;
    if (i == e->length && formula == e->rest)
        return r->holds[formula][s];
    if (f->kind == PLUMB_MODAL_STEP && f->event == PLUMB_TAU &&
        is_path(r, i, s, f->right))
        return true;
    if (i == e->length || e->path[i].state != s ||
        e->path[i].index >= toy_degree(r->t, s))
        return false;
    const struct plumb_csp_edge edge = toy_edges(r->t, s)[e->path[i].index];
    if (edge.event == PLUMB_TAU)
        return is_path(r, i + 1, edge.target, formula);
    return f->kind == PLUMB_MODAL_STEP && f->event == edge.event &&
           is_path(r, i + 1, edge.target, f->right);
}

static bool is_list(const struct plumb_refine_equivalence *e)
{
    for (uint32_t i = 0; i < e->formulas; i++) {
        const struct plumb_refine_modal *const f = e->formula + i;
        const bool two =
            f->kind == PLUMB_MODAL_AND || f->kind == PLUMB_MODAL_STEP;
        if ((f->kind != PLUMB_MODAL_TRUE && f->left >= i) ||
            (two && f->right >= i))
            return false;
    }
    return true;
}

static bool is_right(const struct asked *a,
                     const struct plumb_refine_equivalence *e)
{
    struct reading r[2] = { { .t = &a->toy[0], .e = e },
                            { .t = &a->toy[1], .e = e } };
    const uint32_t last = e->formulas - 1;
    if (!is_list(e))
        return false;
    read_all(&r[0]);
    read_all(&r[1]);
    return r[e->second].holds[last][0] && !r[!e->second].holds[last][0] &&
           is_path(&r[e->second], 0, 0, last);
}

/* ---- claims that are bent ---- */

static void bend(struct plumb_refine_equivalence *e,
                 struct plumb_refine_modal *formula,
                 struct plumb_refine_hop *path, struct plumb_base_rng *rng)
{
    memcpy(formula, e->formula, e->formulas * sizeof *formula);
    if (e->length)
        memcpy(path, e->path, e->length * sizeof *path);
    struct plumb_refine_modal *const f =
        formula + plumb_base_rng_below(rng, e->formulas);
    struct plumb_refine_hop *const hop =
        path + plumb_base_rng_below(rng, e->length + 1);
    e->formula = formula;
    e->path = path;
    switch (plumb_base_rng_below(rng, 8)) {
    case 0:
        e->second = !e->second;
        break;
    case 1:
        f->event = plumb_base_rng_below(rng, 4);
        break;
    case 2:
        f->kind = (enum plumb_refine_modal_kind)plumb_base_rng_below(rng, 5);
        break;
    case 3:
        f->left = plumb_base_rng_below(rng, e->formulas);
        break;
    case 4:
        f->right = plumb_base_rng_below(rng, e->formulas);
        break;
    case 5:
        hop->index = plumb_base_rng_below(rng, TOY_DEGREE);
        break;
    case 6:
        hop->state = plumb_base_rng_below(rng, TOY_STATES);
        break;
    default:
        e->length -= e->length > 0;
        e->rest = plumb_base_rng_below(rng, e->formulas);
    }
}

static void a_bent_formula_is_accepted_if_it_still_tells(void **state)
{
    struct plumb_base_rng rng;
    uint32_t right = 0, wrong = 0;
    (void)state;
    plumb_base_rng_seed(&rng, 7);
    for (uint64_t seed = 1; seed <= SOME_OF(100000); seed++) {
        struct plumb_refine_modal formula[MOST_FORMULAS];
        struct plumb_refine_hop path[MOST_FORMULAS];
        struct asked a;
        assert_int_equal(ask(&a, seed, NULL), PLUMB_OK);
        struct plumb_refine_equivalence e = a.e;
        if (!e.equal && e.formulas <= MOST_FORMULAS &&
            e.length < MOST_FORMULAS) {
            if (!is_right(&a, &e))
                fail_msg("seed %ju as it is", (uintmax_t)seed);
            bend(&e, formula, path, &rng);
            const bool good = is_right(&a, &e);
            if (accepts(&a, &e) != good)
                fail_msg("seed %ju", (uintmax_t)seed);
            right += good;
            wrong += !good;
        }
        release(&a);
    }
    assert_true(right > SOME_OF(2000) && wrong > SOME_OF(2000));
}

/* All states in one block; or in those of the other graph. */
static void a_false_partition_is_rejected(void **state)
{
    uint32_t tried = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SOME_OF(10000); seed++) {
        struct asked a;
        assert_int_equal(ask(&a, seed, NULL), PLUMB_OK);
        struct plumb_refine_equivalence e = a.e;
        uint32_t block[2 * TOY_STATES] = { 0 };
        const struct plumb_refine_partition one = {
            block, a.toy[0].lts.states + a.toy[1].lts.states, 1
        };
        if (!e.equal) {
            e.equal = true;
            e.both = &one;
            assert_false(accepts(&a, &e));
            e = a.e;
            const struct plumb_refine_partition first = {
                block, a.toy[e.second].lts.states, 1
            };
            if (e.blocks[e.second] > 1) {
                e.side[e.second] = &first;
                assert_false(accepts(&a, &e));
                tried++;
            }
        }
        release(&a);
    }
    assert_true(tried > SOME_OF(1000));
}

static void refused_memory_is_survived(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (size_t nth = 1;; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct asked a;
            bool yes = false;
            plumb_base_budget_fail_at(budget, nth);
            enum plumb_status status = ask(&a, seed, budget);
            if (status == PLUMB_OK)
                status = plumb_refine_accept_equivalence(a.g[0], a.g[1], &a.e,
                                                         budget, &yes, &a.err);
            const bool failed = plumb_base_budget_has_failed(budget);
            assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            assert_true(failed || yes);
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
        cmocka_unit_test(answers_are_accepted_and_agree_with_refinement),
        cmocka_unit_test(a_bent_formula_is_accepted_if_it_still_tells),
        cmocka_unit_test(a_false_partition_is_rejected),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
