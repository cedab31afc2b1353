/* test_model_ltl.c - temporal formulas against all short runs of small graphs.
 *
 * A run that is shown has to break the formula and to be fair, by the
 * definitions; where a formula is said to hold, no run up to some length may
 * break it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "ltl_toys.h"
#include <stdio.h>

/* ---- the checker on toys ---- */

/* Atoms are numbered as they come in the text: which toy atom is each? */
struct context {
    const struct toy_labels *l;
    uint32_t meant[ATOMS];
};

static void know_atoms(struct context *c, const struct plumb_formula *f)
{
    static const char *const text[] = { "p0", "p1.0", "p2!2", "p_3.-1.a" };
    assert_true(f->atoms <= ATOMS);
    for (uint32_t i = 0; i < f->atoms; i++) {
        uint32_t k = 0;
        while (k < ATOMS && strcmp(text[k], f->atom[i].text) != 0)
            k++;
        assert_true(k < ATOMS);
        assert_int_equal(f->atom[i].quoted, k == 2);
        c->meant[i] = k;
    }
}

static enum plumb_status toy_holds(void *context, uint32_t atom, uint32_t event,
                                   uint32_t state, bool *yes,
                                   struct plumb_error *err)
{
    const struct context *const c = context;
    (void)err;
    *yes = atom_holds(c->l, c->meant[atom], event, state);
    return PLUMB_OK;
}

static enum plumb_status toy_actors(void *context, uint32_t state,
                                    uint32_t index, uint64_t *mask,
                                    struct plumb_error *err)
{
    const struct context *const c = context;
    (void)err;
    *mask = edge_actors(c->l, state, index);
    return PLUMB_OK;
}

static enum plumb_status check_text(const char *text, size_t size,
                                    struct toy_labels *l,
                                    enum plumb_fairness fairness,
                                    struct plumb_arena *arena,
                                    struct plumb_run *run)
{
    const struct plumb_source source = plumb_lts_source(&l->t->lts);
    struct context context = { .l = l };
    const struct plumb_labels labels = { &context, toy_holds, toy_actors,
                                         l->processes };
    struct plumb_formula f;
    struct plumb_graph *g;
    struct plumb_error err;
    enum plumb_status status =
        plumb_ltl_parse(text, size, 1, 1, arena, &f, &err);
    if (status != PLUMB_OK)
        return status;
    know_atoms(&context, &f);
    status = plumb_graph_open(&g, &source, arena->budget, &err);
    if (status != PLUMB_OK)
        return status;
    status = plumb_ltl_check(g, &f, &labels, fairness, arena, run, &err);
    plumb_graph_free(g);
    return status;
}

/* ---- all runs up to a length ---- */

struct hunt {
    const struct toy_labels *l;
    const struct plumb_ltl *f;
    enum plumb_fairness fairness;
    struct toy_run run;
    uint32_t longest, left; /* how many steps may still be tried */
};

static bool breaks(struct hunt *h, uint32_t cycle)
{
    h->run.cycle = cycle;
    return run_is_fair(&h->run, h->l, h->fairness) &&
           run_breaks(&h->run, h->l, h->f);
}

static bool hunt_from(struct hunt *h, uint32_t state)
{
    struct toy_run *const r = &h->run;
    const uint32_t length = r->length;
    if (!toy_degree(h->l->t, state))
        return breaks(h, length);
    for (uint32_t i = 0; i < length; i++)
        if (r->hop[i].state == state && breaks(h, i))
            return true;
    if (length == h->longest)
        return false;
    for (uint32_t i = 0; i < toy_degree(h->l->t, state) && h->left; i++) {
        h->left--;
        r->hop[length] = (struct plumb_hop){ state, i };
        r->length = length + 1;
        if (hunt_from(h, toy_edges(h->l->t, state)[i].target))
            return true;
        r->length = length;
    }
    return false;
}

static bool some_run_breaks(const struct toy_labels *l,
                            const struct plumb_ltl *f,
                            enum plumb_fairness fairness)
{
    /* Longer and longer, so that no short one is missed. */
    for (uint32_t longest = 0; longest <= 12; longest += 2) {
        struct hunt h = { .l = l,
                          .f = f,
                          .fairness = fairness,
                          .longest = longest,
                          .left = 1500 };
        if (hunt_from(&h, 0))
            return true;
    }
    return false;
}

/* ---- comparing ---- */

struct tally {
    unsigned holds, broken, longest;
};

static struct toy_run checked_run(const struct toy_labels *l,
                                  const struct plumb_run *run)
{
    struct toy_run r = { .length = run->length, .cycle = run->cycle };
    uint32_t at = 0, cycle_state = 0;
    assert_true(run->length <= LONGEST && run->cycle <= run->length);
    for (uint32_t i = 0; i < run->length; i++) {
        if (i == run->cycle)
            cycle_state = at;
        assert_int_equal(run->path[i].state, at);
        assert_true(run->path[i].index < toy_degree(l->t, at));
        r.hop[i] = run->path[i];
        at = toy_edges(l->t, at)[run->path[i].index].target;
    }
    if (run->cycle < run->length)
        assert_int_equal(at, cycle_state);
    else
        assert_int_equal(toy_degree(l->t, at), 0);
    return r;
}

static void compare(struct toy_labels *l, const struct plumb_ltl *f,
                    const char *text, size_t size, enum plumb_fairness fairness,
                    uint64_t seed, struct tally *tally)
{
    struct plumb_arena arena;
    struct plumb_run run;
    plumb_arena_init(&arena, NULL);
    assert_int_equal(check_text(text, size, l, fairness, &arena, &run),
                     PLUMB_OK);
    if (run.holds) {
        if (some_run_breaks(l, f, fairness))
            fail_msg("seed %ju, fairness %d: %s does not hold", (uintmax_t)seed,
                     (int)fairness, text);
        tally->holds++;
    } else {
        const struct toy_run r = checked_run(l, &run);
        if (!run_breaks(&r, l, f))
            fail_msg("seed %ju, fairness %d: %s is not broken", (uintmax_t)seed,
                     (int)fairness, text);
        if (!run_is_fair(&r, l, fairness))
            fail_msg("seed %ju, fairness %d: %s: not fair", (uintmax_t)seed,
                     (int)fairness, text);
        tally->broken++;
        if (r.length > tally->longest)
            tally->longest = r.length;
    }
    plumb_arena_release(&arena);
}

static void try_seed(uint64_t seed, enum plumb_fairness fairness,
                     struct tally *tally)
{
    struct plumb_rng rng;
    struct toy_graph t;
    struct toy_labels l;
    struct toy_formula f = { .nodes = 0 };
    struct plumb_text text;
    plumb_rng_seed(&rng, seed);
    const uint32_t events = 2 + plumb_rng_below(&rng, 3);
    toy_random(&t, &rng, 1 + plumb_rng_below(&rng, 6),
               1 + plumb_rng_below(&rng, 3), events);
    random_labels(&l, &t, &rng, events);
    const struct plumb_ltl *const root =
        random_formula(&f, &rng, 1 + (int)plumb_rng_below(&rng, 4));
    plumb_text_init(&text, NULL);
    formula_text(root, 0, &text);
    compare(&l, root, plumb_text_string(&text), text.size, fairness, seed,
            tally);
    plumb_text_release(&text);
}

static void try_seeds(enum plumb_fairness fairness)
{
    struct tally tally = { 0 };
    for (uint64_t seed = 0; seed < 10000; seed++)
        try_seed(seed, fairness, &tally);
    print_message("%u hold, %u are broken, the longest run has %u steps\n",
                  tally.holds, tally.broken, tally.longest);
    assert_true(tally.holds > 1000 && tally.broken > 1000);
}

static void formulas_are_decided_rightly(void **state)
{
    (void)state;
    try_seeds(PLUMB_UNFAIR);
}

static void formulas_are_decided_rightly_with_weak_fairness(void **state)
{
    (void)state;
    try_seeds(PLUMB_WEAK_FAIRNESS);
}

static void formulas_are_decided_rightly_with_strong_fairness(void **state)
{
    (void)state;
    try_seeds(PLUMB_STRONG_FAIRNESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_decided_rightly),
        cmocka_unit_test(formulas_are_decided_rightly_with_weak_fairness),
        cmocka_unit_test(formulas_are_decided_rightly_with_strong_fairness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
