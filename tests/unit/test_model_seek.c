/* test_model_seek.c - a deadlock or a goal, in every order, against distances.
 *
 * Graphs at random, and turns of a few places.  Distances are worked out by
 * going through all edges again and again until nothing changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "csp/states/graph.h"
#include "refine/search/seek.h"

#define FAR 1000u

enum { STATES = 40, DEGREE = 3, PLACES = 2 * STATES };

struct maze {
    struct plumb_csp_lts lts;
    uint64_t first[STATES + 1];
    struct plumb_csp_edge edge[STATES * DEGREE];
    bool goal[STATES], broken[STATES]; /* broken: the model goes wrong there */
    uint32_t made;
};

/* Most edges lead a little further, so that ways are long. */
static void build(struct maze *m, struct plumb_base_rng *rng)
{
    const uint32_t states = 2 + plumb_base_rng_below(rng, STATES - 1);
    const uint32_t often = plumb_base_rng_below(rng, 100);
    uint64_t at = 0;
    *m = (struct maze){ .lts = { states, m->first, m->edge } };
    for (uint32_t s = 0; s < states; s++) {
        m->first[s] = at;
        for (uint32_t n = plumb_base_rng_below(rng, DEGREE + 1) + (s % 4 == 0);
             n && at < STATES * DEGREE; n--) {
            const bool on = plumb_base_rng_chance(rng, often);
            const uint32_t to = on ? s + 1 + plumb_base_rng_below(rng, 3)
                                   : plumb_base_rng_below(rng, states);
            m->edge[at++] =
                (struct plumb_csp_edge){ plumb_base_rng_below(rng, 4),
                                         to < states ? to : s };
        }
        m->goal[s] = plumb_base_rng_chance(rng, 6);
    }
    m->first[states] = at;
}

/* A source that makes edges when it is asked, or says that the model is wrong. */
static enum plumb_status make(void *context, uint32_t state,
                              struct plumb_csp_edges *out,
                              struct plumb_error *err)
{
    struct maze *const m = context;
    if (m->broken[state]) {
        err->status = PLUMB_EINPUT;
        return PLUMB_EINPUT;
    }
    m->made++;
    for (uint64_t i = m->first[state]; i < m->first[state + 1]; i++)
        if (!plumb_csp_edges_add(out, m->edge[i].event, m->edge[i].target))
            return err->status = PLUMB_EMEMORY;
    return PLUMB_OK;
}

static uint32_t count(const void *context)
{
    const struct maze *const m = context;
    return m->lts.states;
}

static enum plumb_status is_goal(void *context, uint32_t state, bool *yes,
                                 int64_t *value, struct plumb_error *err)
{
    const struct maze *const m = context;
    (void)err;
    *yes = m->goal[state];
    *value = 0;
    return PLUMB_OK;
}

/* ---- what the questions mean ---- */

static uint32_t place_of(struct plumb_csp_edge e)
{
    return 2 * e.target + (e.event == PLUMB_TICK);
}

/* Steps to each state and how it was reached, through none that is broken. */
static void distances(const struct maze *m, uint32_t *far)
{
    for (uint32_t p = 0; p < PLACES; p++)
        far[p] = p ? FAR : 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < 2 * m->lts.states; p++)
            for (uint64_t i = m->first[p / 2];
                 far[p] < FAR && !m->broken[p / 2] && i < m->first[p / 2 + 1];
                 i++)
                if (far[p] + 1 < far[place_of(m->edge[i])]) {
                    far[place_of(m->edge[i])] = far[p] + 1;
                    more = true;
                }
    }
}

static bool is_it(const struct maze *m, enum plumb_refine_question question,
                  uint32_t place)
{
    const uint32_t state = place / 2;
    if (question == PLUMB_REACHES)
        return m->goal[state];
    return place % 2 == 0 && !m->broken[state] &&
           m->first[state] == m->first[state + 1];
}

struct wanted {
    uint32_t nearest, error; /* the state that is looked for; a broken one */
};

static struct wanted want(const struct maze *m,
                          enum plumb_refine_question question)
{
    uint32_t far[PLACES];
    struct wanted w = { FAR, FAR };
    distances(m, far);
    for (uint32_t p = 0; p < 2 * m->lts.states; p++) {
        if (is_it(m, question, p) && far[p] < w.nearest)
            w.nearest = far[p];
        if (m->broken[p / 2] && far[p] < w.error)
            w.error = far[p];
    }
    return w;
}

/* ---- asking ---- */

struct asked {
    struct plumb_base_arena arena;
    struct plumb_refine_examination x;
    struct plumb_csp_graph *g;
};

static enum plumb_status ask(struct asked *a, struct maze *m,
                             enum plumb_refine_question question,
                             enum plumb_refine_search order, uint32_t turn,
                             struct plumb_budget *budget)
{
    const struct plumb_csp_graph_source source = { m, make, count, 0 };
    const struct plumb_refine_goal goal = { is_goal, m, 0 };
    const struct plumb_refine_seeking how = { order, turn };
    struct plumb_error err;
    m->made = 0;
    plumb_base_arena_init(&a->arena, budget);
    enum plumb_status status =
        plumb_csp_graph_open(&a->g, &source, budget, &err);
    if (status != PLUMB_OK)
        return status;
    status = plumb_refine_seek(a->g, question,
                               question == PLUMB_REACHES ? &goal : NULL, &how,
                               &a->arena, &a->x, &err);
    plumb_csp_graph_free(a->g);
    return status;
}

/* The path is one, and ends where it should. */
static void check_path(const struct maze *m,
                       enum plumb_refine_question question,
                       const struct plumb_refine_examination *x)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < x->length; i++) {
        const uint64_t at = m->first[place / 2] + x->path[i].index;
        assert_int_equal(x->path[i].state, place / 2);
        assert_false(m->broken[place / 2]);
        assert_true(at < m->first[place / 2 + 1]);
        place = place_of(m->edge[at]);
    }
    assert_int_equal(x->final, place / 2);
    assert_true(is_it(m, question, place));
}

/* What was found, and whether it is as short as is said. */
static void check_found(const struct maze *m,
                        enum plumb_refine_question question,
                        enum plumb_refine_search order, uint32_t nearest,
                        const struct plumb_refine_examination *x)
{
    check_path(m, question, x);
    assert_true(x->length >= nearest);
    if (x->shortest)
        assert_int_equal(x->length, nearest);
    if (order == PLUMB_SEARCH_BREADTH)
        assert_true(x->shortest);
}

struct tally {
    unsigned found, none, deep, longer, errors, despite;
};

static void check(struct maze *m, enum plumb_refine_question question,
                  enum plumb_refine_search order, uint32_t turn,
                  struct tally *tally)
{
    const struct wanted w = want(m, question);
    struct asked a;
    const enum plumb_status status = ask(&a, m, question, order, turn, NULL);
    const bool found = a.x.holds == (question == PLUMB_REACHES);
    if (status == PLUMB_EINPUT) {
        tally->errors++;
        assert_true(w.error < FAR);
        if (order != PLUMB_SEARCH_DEPTH)
            assert_true(w.error <= w.nearest);
    } else if (found) {
        tally->found++;
        tally->longer += !a.x.shortest;
        tally->deep += order == PLUMB_SEARCH_BOTH && a.x.visited_deep > 0;
        tally->despite += w.error < FAR;
        assert_int_equal(status, PLUMB_OK);
        check_found(m, question, order, w.nearest, &a.x);
    } else {
        tally->none++;
        assert_int_equal(status, PLUMB_OK);
        assert_int_equal(w.nearest, FAR);
        assert_int_equal(w.error, FAR);
    }
    assert_true(m->made <= m->lts.states); /* each state once */
    plumb_base_arena_release(&a.arena);
}

static void check_orders(struct maze *m, struct plumb_base_rng *rng,
                         struct tally *tally)
{
    for (int order = 0; order <= PLUMB_SEARCH_DEPTH; order++) {
        const uint32_t turn = 1 + plumb_base_rng_below(rng, 8);
        check(m, PLUMB_REACHES, (enum plumb_refine_search)order, turn, tally);
        check(m, PLUMB_DEADLOCKFREE, (enum plumb_refine_search)order, turn,
              tally);
    }
}

static void every_order_finds_what_is_there(void **state)
{
    struct tally tally = { 0 };
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct maze m;
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        build(&m, &rng);
        check_orders(&m, &rng, &tally);
    }
    assert_int_equal(tally.errors, 0);
    assert_true(tally.found > 1000 && tally.none > 1000 && tally.deep > 1000 &&
                tally.longer > 100);
}

static void an_error_far_away_hides_nothing_near(void **state)
{
    struct tally tally = { 0 };
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct maze m;
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        build(&m, &rng);
        for (uint32_t s = 0; s < m.lts.states; s++)
            m.broken[s] = plumb_base_rng_chance(&rng, 10);
        check_orders(&m, &rng, &tally);
    }
    assert_true(tally.errors > 1000 && tally.despite > 1000);
}

/* Both orders together visit little more than twice what the better one does
 * alone, before the way is made shorter. */
static void turns_cost_no_more_than_twice_the_better(void **state)
{
    enum { TURN = 4 };
    (void)state;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        struct maze m;
        struct plumb_base_rng rng;
        struct asked a[3];
        plumb_base_rng_seed(&rng, seed);
        build(&m, &rng);
        for (int order = 0; order < 3; order++) {
            assert_int_equal(ask(&a[order], &m, PLUMB_REACHES,
                                 (enum plumb_refine_search)order, TURN, NULL),
                             PLUMB_OK);
            plumb_base_arena_release(&a[order].arena);
        }
        const uint64_t broad = a[PLUMB_SEARCH_BREADTH].x.visited_broad;
        const uint64_t deep = a[PLUMB_SEARCH_DEPTH].x.visited_deep;
        const uint64_t better = broad < deep ? broad : deep;
        assert_true(a[PLUMB_SEARCH_BOTH].x.visited_deep <= better + TURN);
    }
}

static void refused_memory_is_survived(void **state)
{
    struct maze m;
    struct plumb_base_rng rng;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        plumb_base_rng_seed(&rng, seed);
        build(&m, &rng);
        for (size_t nth = 1;; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct asked a;
            plumb_base_budget_fail_at(budget, nth);
            const enum plumb_status status =
                ask(&a, &m, PLUMB_REACHES, PLUMB_SEARCH_BOTH, 2, budget);
            const bool failed = plumb_base_budget_has_failed(budget);
            if (status == PLUMB_OK && a.x.holds)
                check_path(&m, PLUMB_REACHES, &a.x);
            else if (status != PLUMB_OK)
                assert_int_equal(status, PLUMB_EMEMORY);
            plumb_base_arena_release(&a.arena);
            assert_int_equal(plumb_budget_used(budget), 0);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_finds_what_is_there),
        cmocka_unit_test(an_error_far_away_hides_nothing_near),
        cmocka_unit_test(turns_cost_no_more_than_twice_the_better),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
