/* test_model_accept.c - what the verifier of refinements accepts.
 *
 * On graphs of a few states: everything the engines give is accepted; what is
 * accepted is true, however it came about; a partition is accepted exactly if
 * the definition says so.  Each kind of change to a real certificate is shown
 * to be noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "little_graphs.h"
#include "refine/accept/accept.h"
#include "refine/accept/accept_partition.h"
#include "refine/engines/refine.h"
#include "refine/ltl/ltl.h"
#include "refine/minimise/bisimulation.h"
#include "refine/properties/examine.h"
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

/* ---- by definition ---- */

static bool bad_pair(const struct little *impl, const struct little *spec,
                     enum plumb_refine_semantics semantics, uint32_t s,
                     uint32_t set)
{
    if (semantics == PLUMB_FAILURES_DIVERGENCES && little_diverges(impl, s))
        return true;
    if (semantics == PLUMB_TRACES || !little_is_stable(impl, s))
        return false;
    const uint32_t all = (1u << LITTLE_EVENTS) - 1;
    return !little_can_refuse(spec, set, all & ~little_offers(impl, s));
}

static bool brute_refines(const struct little *impl, const struct little *spec,
                          enum plumb_refine_semantics semantics)
{
    static bool seen[LITTLE_STATES][1 << LITTLE_STATES];
    uint32_t queue[LITTLE_STATES << LITTLE_STATES][2], count = 1;
    memset(seen, 0, sizeof seen);
    queue[0][0] = 0;
    queue[0][1] = little_by_taus(spec, 1);
    seen[0][queue[0][1]] = true;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t s = queue[i][0], set = queue[i][1];
        if (semantics == PLUMB_FAILURES_DIVERGENCES &&
            little_any_diverges(spec, set))
            continue;
        if (bad_pair(impl, spec, semantics, s, set))
            return false;
        for (uint32_t k = 0; k < impl->edges; k++) {
            const struct plumb_csp_edge e = impl->edge[k];
            if (impl->source[k] != s)
                continue;
            const uint32_t next =
                e.event == PLUMB_TAU ? set : little_after(spec, set, e.event);
            if (!next)
                return false;
            if (!seen[e.target][next]) {
                seen[e.target][next] = true;
                queue[count][0] = e.target;
                queue[count++][1] = next;
            }
        }
    }
    return true;
}

/* Can t go by taus inside its block, and then by the event to the block? */
static bool can_match(const struct little *g, const uint32_t *block, uint32_t t,
                      uint32_t event, uint32_t to)
{
    uint32_t met = 1u << t;
    for (uint32_t before = 0; before != met;) {
        before = met;
        for (uint32_t i = 0; i < g->edges; i++)
            if ((met >> g->source[i] & 1) && g->edge[i].event == PLUMB_TAU &&
                block[g->edge[i].target] == block[t])
                met |= 1u << g->edge[i].target;
    }
    for (uint32_t i = 0; i < g->edges; i++)
        if ((met >> g->source[i] & 1) && g->edge[i].event == event &&
            block[g->edge[i].target] == to)
            return true;
    return false;
}

/* Can t go on for ever inside its block? */
static bool stays_for_ever(const struct little *g, const uint32_t *block,
                           uint32_t t)
{
    uint32_t at = 1u << t;
    for (uint32_t n = 0; n <= g->states; n++) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < g->edges; i++)
            if ((at >> g->source[i] & 1) && g->edge[i].event == PLUMB_TAU &&
                block[g->edge[i].target] == block[t])
                next |= 1u << g->edge[i].target;
        at = next;
    }
    return at != 0;
}

static bool brute_bisimulation(const struct little *g, const uint32_t *block,
                               bool divergence)
{
    for (uint32_t t = 0; t < g->states; t++) {
        for (uint32_t i = 0; i < g->edges; i++) {
            const uint32_t s = g->source[i], to = block[g->edge[i].target];
            const bool inert = g->edge[i].event == PLUMB_TAU && to == block[s];
            if (block[s] == block[t] && !inert &&
                !can_match(g, block, t, g->edge[i].event, to))
                return false;
        }
        for (uint32_t s = 0; divergence && s < g->states; s++)
            if (block[s] == block[t] &&
                stays_for_ever(g, block, s) != stays_for_ever(g, block, t))
                return false;
    }
    return true;
}

/* ---- asking ---- */

struct case_of {
    struct little impl, spec;
    struct plumb_csp_graph_source one, two;
    struct plumb_budget *budget;
    struct plumb_csp_graph *g, *h;
    struct plumb_base_arena arena;
    struct plumb_refinement r;
    enum plumb_refine_semantics semantics;
};

static void open_case(struct case_of *c, uint64_t seed)
{
    struct plumb_base_rng rng;
    struct plumb_error err;
    running = seed;
    plumb_base_rng_seed(&rng, seed);
    little_random(&c->spec, &rng);
    if (plumb_base_rng_chance(&rng, 75)) {
        c->impl = c->spec;
        c->impl.lts = (struct plumb_csp_lts){ c->impl.states, c->impl.first,
                                              c->impl.edge };
        for (uint32_t n = plumb_base_rng_below(&rng, 3); n; n--)
            little_mutate(&c->impl, &rng);
    } else {
        little_random(&c->impl, &rng);
    }
    little_close(&c->impl);
    c->budget = plumb_budget_new(0, 0);
    plumb_base_arena_init(&c->arena, c->budget);
    c->one = plumb_csp_lts_source(&c->impl.lts);
    c->two = plumb_csp_lts_source(&c->spec.lts);
    assert_int_equal(plumb_csp_graph_open(&c->g, &c->one, c->budget, &err), 0);
    assert_int_equal(plumb_csp_graph_open(&c->h, &c->two, c->budget, &err), 0);
}

static void close_case(struct case_of *c)
{
    plumb_csp_graph_free(c->g);
    plumb_csp_graph_free(c->h);
    plumb_base_arena_release(&c->arena);
    assert_int_equal(plumb_budget_used(c->budget), 0);
    plumb_budget_free(c->budget);
    running = 0;
}

static void decide(struct case_of *c, unsigned engine, unsigned semantics)
{
    static const enum plumb_refine_engine engines[] = {
        PLUMB_ENGINE_PRODUCT, PLUMB_ENGINE_ANTICHAIN, PLUMB_ENGINE_BISIMILAR
    };
    const struct plumb_refine_options options = {
        .semantics = c->semantics = (enum plumb_refine_semantics)semantics,
        .engine = engines[engine],
        .threads = 1,
        .certificate = true
    };
    struct plumb_error err;
    assert_int_equal(plumb_refine(c->g, c->h, &options, &c->arena, &c->r, &err),
                     PLUMB_OK);
}

static bool accepts(struct case_of *c)
{
    struct plumb_error err;
    bool yes = false;
    assert_int_equal(plumb_refine_accept_refinement(c->g, c->h, c->semantics,
                                                    &c->r, c->budget, &yes,
                                                    &err),
                     PLUMB_OK);
    return yes;
}

static void what_the_engines_find_is_accepted(void **state)
{
    (void)state;
    unsigned kinds[3] = { 0, 0, 0 };
    for (uint64_t seed = 1; seed <= 1500; seed++)
        for (unsigned i = 0; i < 9; i++) {
            struct case_of c;
            open_case(&c, seed);
            decide(&c, i / 3, i % 3);
            assert_int_equal(c.r.refines,
                             brute_refines(&c.impl, &c.spec, c.semantics));
            assert_true(accepts(&c));
            kinds[!c.r.refines ? 0 : c.r.certificate.relation ? 1 : 2]++;
            close_case(&c);
        }
    for (unsigned k = 0; k < 3; k++)
        assert_true(kinds[k] > 100);
}

/* ---- changes ---- */

static const struct plumb_refine_relation *change_relation(
    struct case_of *c, struct plumb_refine_relation *copy, unsigned how,
    struct plumb_base_rng *rng)
{
    const struct plumb_refine_relation *const r = c->r.certificate.relation;
    const size_t pairs = r->pairs * sizeof *r->impl;
    const size_t members = (size_t)r->first[r->sets] * sizeof *r->member;
    uint32_t *const impl = plumb_base_arena_copy(&c->arena, r->impl, pairs);
    uint32_t *const set = plumb_base_arena_copy(&c->arena, r->set, pairs);
    uint32_t *const member =
        plumb_base_arena_copy(&c->arena, r->member, members);
    const uint32_t at = plumb_base_rng_below(rng, r->pairs);
    *copy = *r;
    copy->impl = impl;
    copy->set = set;
    copy->member = member;
    switch (how) {
    case 0: /* a pair less */
        copy->pairs--;
        impl[at] = impl[copy->pairs];
        set[at] = set[copy->pairs];
        break;
    case 1: /* of another state */
        impl[at] = plumb_base_rng_below(rng, c->impl.states + 1);
        break;
    case 2: /* with another set */
        set[at] = plumb_base_rng_below(rng, r->sets + 1);
        break;
    default: /* another state in a set */
        member[plumb_base_rng_below(rng, (uint32_t)r->first[r->sets])] =
            plumb_base_rng_below(rng, c->spec.states + 1);
        break;
    }
    return copy;
}

static void a_changed_relation_is_accepted_only_where_it_holds(void **state)
{
    (void)state;
    unsigned rejected[4] = { 0, 0, 0, 0 };
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct case_of c;
        struct plumb_base_rng rng;
        struct plumb_refine_relation changed;
        open_case(&c, seed);
        plumb_base_rng_seed(&rng, seed ^ 77);
        decide(&c, (unsigned)(seed / 3 % 2), (unsigned)(seed % 3));
        if (c.r.refines) {
            const unsigned how = plumb_base_rng_below(&rng, 4);
            c.r.certificate.relation = change_relation(&c, &changed, how, &rng);
            rejected[how] += !accepts(&c);
        }
        close_case(&c);
    }
    for (unsigned how = 0; how < 4; how++)
        assert_true(rejected[how] > 20);
}

/* The relation of another question: nothing it says may be believed that is
 * not so. */
static void no_relation_makes_a_violation_hold(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        struct case_of c;
        struct plumb_base_rng rng;
        open_case(&c, seed);
        plumb_base_rng_seed(&rng, seed ^ 99);
        decide(&c, 0, (unsigned)(seed % 3));
        if (!c.r.refines) {
            uint32_t impl[24], set[24], member[24 * LITTLE_STATES];
            uint64_t first[25] = { 0 };
            for (uint32_t i = 0; i < 24; i++) {
                const uint32_t mask =
                    i ? little_by_taus(&c.spec, plumb_base_rng_below(
                                                    &rng, 1u << c.spec.states))
                      : little_by_taus(&c.spec, 1);
                impl[i] = i ? plumb_base_rng_below(&rng, c.impl.states) : 0;
                set[i] = i;
                first[i + 1] = first[i];
                for (uint32_t s = 0; s < c.spec.states; s++)
                    if (mask >> s & 1)
                        member[first[i + 1]++] = s;
                if (first[i + 1] == first[i])
                    member[first[i + 1]++] = 0;
            }
            const struct plumb_refine_relation relation = {
                24, 24, impl, set, member, first
            };
            c.r.refines = true;
            c.r.certificate.relation = &relation;
            assert_false(accepts(&c));
            tried++;
        }
        close_case(&c);
    }
    assert_true(tried > 500);
}

static void change_path(struct case_of *c, unsigned how,
                        struct plumb_base_rng *rng)
{
    struct plumb_refine_hop *const path = plumb_base_arena_copy(
        &c->arena, c->r.path, c->r.length * sizeof *c->r.path);
    const uint32_t at =
        c->r.length ? plumb_base_rng_below(rng, c->r.length) : 0;
    c->r.path = path;
    switch (how) {
    case 0:
        c->r.length -= c->r.length > 0;
        break;
    case 1:
        if (c->r.length)
            path[at].state = plumb_base_rng_below(rng, c->impl.states);
        break;
    case 2:
        if (c->r.length)
            path[at].index = plumb_base_rng_below(rng, 4);
        break;
    case 3:
        c->r.offence = (enum plumb_refine_offence)plumb_base_rng_below(rng, 4);
        break;
    default:
        c->r.cycle = plumb_base_rng_below(rng, c->r.length + 2);
        break;
    }
}

static void a_changed_counterexample_is_noticed(void **state)
{
    (void)state;
    unsigned rejected[5] = { 0, 0, 0, 0, 0 };
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        struct case_of c;
        struct plumb_base_rng rng;
        open_case(&c, seed);
        plumb_base_rng_seed(&rng, seed ^ 55);
        decide(&c, (unsigned)(seed / 3 % 3), (unsigned)(seed % 3));
        if (!c.r.refines) {
            const unsigned how = plumb_base_rng_below(&rng, 5);
            change_path(&c, how, &rng);
            rejected[how] += !accepts(&c);
        }
        close_case(&c);
    }
    for (unsigned how = 0; how < 5; how++)
        assert_true(rejected[how] > 10);
}

/* Any walk at all, said to be a counterexample where there is none. */
static void no_walk_makes_a_refinement_fail(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        struct case_of c;
        struct plumb_base_rng rng;
        open_case(&c, seed);
        plumb_base_rng_seed(&rng, seed ^ 33);
        decide(&c, 0, (unsigned)(seed % 3));
        if (c.r.refines) {
            struct plumb_refine_hop path[6];
            uint32_t at = 0, n = 0;
            for (; n < 6; n++) {
                const uint32_t degree =
                    (uint32_t)(c.impl.first[at + 1] - c.impl.first[at]);
                if (!degree || plumb_base_rng_chance(&rng, 15))
                    break;
                path[n] = (struct plumb_refine_hop){ at, plumb_base_rng_below(
                                                             &rng, degree) };
                at = c.impl.edge[c.impl.first[at] + path[n].index].target;
            }
            c.r.refines = false;
            c.r.path = path;
            c.r.length = n;
            c.r.offence =
                (enum plumb_refine_offence)(1 + plumb_base_rng_below(&rng, 3));
            c.r.cycle = plumb_base_rng_below(&rng, n + 1);
            assert_false(accepts(&c));
            tried++;
        }
        close_case(&c);
    }
    assert_true(tried > 500);
}

/* ---- partitions ---- */

static bool accepts_partition(const struct little *g, uint32_t *block,
                              bool divergence)
{
    const struct plumb_refine_partition p = { block, g->states, g->states };
    struct plumb_error err;
    bool yes = false;
    assert_int_equal(plumb_refine_accept_partition(
                         &(struct plumb_refine_pieces){ &g->lts, NULL }, &p,
                         divergence, NULL, NULL, &yes, &err),
                     PLUMB_OK);
    return yes;
}

static void a_partition_is_accepted_as_the_definition_says(void **state)
{
    (void)state;
    unsigned yes = 0, no = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        struct plumb_base_rng rng;
        struct little g;
        running = seed;
        plumb_base_rng_seed(&rng, seed);
        little_random(&g, &rng);
        for (unsigned n = 0; n < 6; n++) {
            uint32_t block[LITTLE_STATES];
            const uint32_t blocks = 1 + plumb_base_rng_below(&rng, g.states);
            const bool divergence = n & 1;
            struct plumb_refine_partition p = { .block = NULL };
            struct plumb_error err;
            for (uint32_t s = 0; s < g.states; s++)
                block[s] = plumb_base_rng_below(&rng, blocks);
            if (n >= 2) { /* a real one, and one with a state moved */
                assert_int_equal(plumb_refine_bisimulation(&g.lts, divergence,
                                                           NULL, &p, &err),
                                 0);
                memcpy(block, p.block, g.states * sizeof *block);
                plumb_refine_partition_release(&p, NULL);
                if (n >= 4)
                    block[plumb_base_rng_below(&rng, g.states)] =
                        plumb_base_rng_below(&rng, g.states);
            }
            const bool truth = brute_bisimulation(&g, block, divergence);
            assert_int_equal(accepts_partition(&g, block, divergence), truth);
            assert_true(truth || n < 2 || n >= 4);
            yes += truth;
            no += !truth;
        }
        running = 0;
    }
    assert_true(yes > 1000 && no > 1000);
}

static void blocks_out_of_range_are_no_partition(void **state)
{
    (void)state;
    uint64_t first[] = { 0, 0, 0 };
    const struct plumb_csp_lts lts = { 2, first, NULL };
    uint32_t block[] = { 0, 7 };
    const struct plumb_refine_partition wild = { block, 2, 1 },
                                        few = { block, 1, 1 };
    struct plumb_error err;
    bool yes = true;
    plumb_refine_accept_partition(&(struct plumb_refine_pieces){ &lts, NULL },
                                  &wild, false, NULL, NULL, &yes, &err);
    assert_false(yes);
    yes = true;
    plumb_refine_accept_partition(&(struct plumb_refine_pieces){ &lts, NULL },
                                  &few, false, NULL, NULL, &yes, &err);
    assert_false(yes);
}

/* ---- memory ---- */

static void refused_memory_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (unsigned i = 0; i < 9; i++) {
            struct case_of c;
            open_case(&c, seed);
            decide(&c, i / 3, i % 3);
            for (size_t nth = 1;; nth++) {
                struct plumb_error err;
                bool yes = false;
                plumb_base_budget_fail_at(c.budget, nth);
                const enum plumb_status status = plumb_refine_accept_refinement(
                    c.g, c.h, c.semantics, &c.r, c.budget, &yes, &err);
                assert_true(status == PLUMB_OK ? yes : status == PLUMB_EMEMORY);
                failures += status != PLUMB_OK;
                if (!plumb_base_budget_has_failed(c.budget))
                    break;
            }
            close_case(&c);
        }
    assert_true(failures > 1000);
}

static void without_reasons_nothing_holds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct case_of c;
        struct plumb_error err;
        bool yes = false;
        open_case(&c, seed);
        decide(&c, 2, 0);
        c.r.certificate = (struct plumb_refine_certificate){ .both = NULL };
        if (c.r.refines)
            assert_int_equal(
                plumb_refine_accept_refinement(c.g, c.h, c.semantics, &c.r,
                                               c.budget, &yes, &err),
                PLUMB_EMEMORY);
        assert_true(!c.r.refines || !yes);
        close_case(&c);
    }
}

/* ---- one graph ---- */

static bool examine(struct case_of *c, enum plumb_refine_question question,
                    struct plumb_refine_examination *x)
{
    struct plumb_error err;
    assert_int_equal(
        plumb_refine_examine(c->g, question, NULL, &c->arena, x, &err),
        PLUMB_OK);
    return x->holds;
}

static bool accepts_finding(struct case_of *c,
                            enum plumb_refine_question question,
                            const struct plumb_refine_examination *x)
{
    struct plumb_error err;
    bool yes = false;
    assert_int_equal(plumb_refine_accept_examination(c->g, question, NULL, x,
                                                     c->budget, &yes, &err),
                     PLUMB_OK);
    return yes;
}

/* Another state to end in, another step, one step less, other edges. */
static void change_finding(struct case_of *c,
                           struct plumb_refine_examination *x,
                           struct plumb_base_rng *rng)
{
    struct plumb_refine_hop *const path =
        plumb_base_arena_copy(&c->arena, x->path, x->length * sizeof *x->path);
    x->path = path;
    if (x->length && plumb_base_rng_chance(rng, 40))
        path[plumb_base_rng_below(rng, x->length)].index += 1;
    else if (x->length && plumb_base_rng_chance(rng, 50))
        x->cycle = --x->length;
    else
        x->edge[0] = x->edge[1] = plumb_base_rng_below(rng, 3);
}

static void what_is_found_in_a_graph_is_accepted_and_changes_are_noticed(
    void **state)
{
    (void)state;
    unsigned found[4] = { 0, 0, 0, 0 }, rejected = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++)
        for (unsigned q = 0; q < 4; q++) {
            struct case_of c;
            struct plumb_base_rng rng;
            struct plumb_refine_examination x;
            const enum plumb_refine_question question =
                (enum plumb_refine_question)q;
            open_case(&c, seed);
            plumb_base_rng_seed(&rng, seed);
            found[q] += !examine(&c, question, &x);
            assert_true(accepts_finding(&c, question, &x));
            if (!x.holds) {
                change_finding(&c, &x, &rng);
                rejected += !accepts_finding(&c, question, &x);
            }
            close_case(&c);
        }
    for (unsigned q = 0; q < 4; q++)
        assert_true(found[q] > 100);
    assert_true(rejected > 500);
}

/* Whatever is found is then said not to be there. */
static void nothing_is_accepted_where_there_is_something(void **state)
{
    unsigned denied = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++)
        for (unsigned q = 0; q < 4; q++) {
            struct case_of c;
            struct plumb_refine_examination x;
            const enum plumb_refine_question question =
                (enum plumb_refine_question)q;
            open_case(&c, seed);
            if (!examine(&c, question, &x)) {
                x.holds = true;
                assert_false(accepts_finding(&c, question, &x));
                denied++;
            }
            close_case(&c);
        }
    assert_true(denied > 1000);
}

/* ---- goals ---- */

struct wish {
    uint32_t good;
    int64_t value[LITTLE_STATES];
};

static enum plumb_status is_good(void *context, uint32_t state, bool *yes,
                                 int64_t *value, struct plumb_error *err)
{
    const struct wish *const w = context;
    (void)err;
    *yes = w->good >> state & 1;
    *value = w->value[state];
    return PLUMB_OK;
}

static bool accepts_goal(struct case_of *c,
                         const struct plumb_refine_goal *goal,
                         const struct plumb_refine_examination *x)
{
    struct plumb_error err;
    bool yes = false;
    assert_int_equal(plumb_refine_accept_examination(c->g, PLUMB_REACHES, goal,
                                                     x, c->budget, &yes, &err),
                     PLUMB_OK);
    return yes;
}

/* None is reached; another value is the best; another state is the goal. */
static void deny_goal(struct case_of *c, const struct plumb_refine_goal *goal,
                      struct wish *w, const struct plumb_refine_examination *x)
{
    struct plumb_refine_examination other = *x;
    other.holds = false;
    assert_false(accepts_goal(c, goal, &other));
    other = *x;
    other.best++;
    assert_int_equal(accepts_goal(c, goal, &other), !goal->optimise);
    if (goal->optimise && w->value[0] * goal->optimise < 0) {
        /* The initial state is a goal, and not the best. */
        w->good |= 1;
        other = *x;
        other.length = other.cycle = other.final = 0;
        other.best = w->value[0];
        if (x->best * goal->optimise > w->value[0] * goal->optimise)
            assert_false(accepts_goal(c, goal, &other));
    }
    w->good &= ~(1u << x->final);
    assert_false(accepts_goal(c, goal, x));
}

static void goals_are_accepted_if_they_are_there_and_the_best(void **state)
{
    unsigned reached[3] = { 0, 0, 0 }, missed = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct case_of c;
        struct plumb_base_rng rng;
        struct wish w;
        struct plumb_error err;
        struct plumb_refine_examination x;
        plumb_base_rng_seed(&rng, seed);
        w.good = plumb_base_rng_below(&rng, 1u << LITTLE_STATES) &
                 plumb_base_rng_below(&rng, 1u << LITTLE_STATES);
        for (uint32_t s = 0; s < LITTLE_STATES; s++)
            w.value[s] = (int64_t)plumb_base_rng_below(&rng, 5) - 2;
        const int optimise = (int)plumb_base_rng_below(&rng, 3) - 1;
        const struct plumb_refine_goal goal = { is_good, &w, optimise };
        open_case(&c, seed);
        assert_int_equal(
            plumb_refine_examine(c.g, PLUMB_REACHES, &goal, &c.arena, &x, &err),
            PLUMB_OK);
        assert_true(accepts_goal(&c, &goal, &x));
        if (x.holds)
            deny_goal(&c, &goal, &w, &x);
        reached[optimise + 1] += x.holds;
        missed += !x.holds;
        close_case(&c);
    }
    assert_true(missed > 100);
    for (int i = 0; i < 3; i++)
        assert_true(reached[i] > 100);
}

/* 0 -> 1 -> 2 ... without an end; a state is known when an edge leads there. */
static enum plumb_status endless_edges(void *context, uint32_t state,
                                       struct plumb_csp_edges *out,
                                       struct plumb_error *err)
{
    uint32_t *const known = context;
    (void)err;
    if (*known < state + 2)
        *known = state + 2;
    return plumb_csp_edges_add(out, 2, state + 1) ? PLUMB_OK : PLUMB_EMEMORY;
}

static uint32_t endless_states(const void *context)
{
    return *(const uint32_t *)context;
}

static void who_has_not_looked_everywhere_is_not_believed(void **state)
{
    uint32_t known = 1;
    const struct plumb_csp_graph_source source = { &known, endless_edges,
                                                   endless_states, 0 };
    const struct plumb_refine_examination x = { .holds = true };
    struct plumb_csp_graph *g;
    struct plumb_error err;
    bool yes = true;
    (void)state;
    assert_int_equal(plumb_csp_graph_open(&g, &source, NULL, &err), PLUMB_OK);
    for (uint32_t s = 0; s < 10; s++)
        assert_int_equal(plumb_csp_graph_edges(g, s, &err).status, PLUMB_OK);
    assert_int_equal(plumb_refine_accept_examination(
                         g, PLUMB_DEADLOCKFREE, NULL, &x, NULL, &yes, &err),
                     PLUMB_OK);
    assert_false(yes);
    plumb_csp_graph_free(g);
}

static void refused_memory_does_not_deny_anything(void **state)
{
    (void)state;
    for (unsigned q = 0; q < 4; q++)
        for (size_t nth = 1;; nth++) {
            struct case_of c;
            struct plumb_error err;
            struct plumb_refine_examination x;
            bool yes = false;
            uint64_t seed = 0;
            do {
                if (seed++)
                    close_case(&c);
                open_case(&c, seed);
            } while (!examine(&c, (enum plumb_refine_question)q, &x) ||
                     c.impl.edges < 6);
            plumb_base_budget_fail_at(c.budget, nth);
            const enum plumb_status status = plumb_refine_accept_examination(
                c.g, (enum plumb_refine_question)q, NULL, &x, c.budget, &yes,
                &err);
            const bool failed = plumb_base_budget_has_failed(c.budget);
            assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            close_case(&c);
            if (!failed)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_the_engines_find_is_accepted, say_seed),
        cmocka_unit_test_teardown(
            a_changed_relation_is_accepted_only_where_it_holds, say_seed),
        cmocka_unit_test_teardown(no_relation_makes_a_violation_hold, say_seed),
        cmocka_unit_test_teardown(a_changed_counterexample_is_noticed,
                                  say_seed),
        cmocka_unit_test_teardown(no_walk_makes_a_refinement_fail, say_seed),
        cmocka_unit_test_teardown(
            a_partition_is_accepted_as_the_definition_says, say_seed),
        cmocka_unit_test(blocks_out_of_range_are_no_partition),
        cmocka_unit_test_teardown(refused_memory_is_an_error_and_leaks_nothing,
                                  say_seed),
        cmocka_unit_test(without_reasons_nothing_holds),
        cmocka_unit_test_teardown(
            what_is_found_in_a_graph_is_accepted_and_changes_are_noticed,
            say_seed),
        cmocka_unit_test_teardown(nothing_is_accepted_where_there_is_something,
                                  say_seed),
        cmocka_unit_test_teardown(
            goals_are_accepted_if_they_are_there_and_the_best, say_seed),
        cmocka_unit_test(who_has_not_looked_everywhere_is_not_believed),
        cmocka_unit_test_teardown(refused_memory_does_not_deny_anything,
                                  say_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
