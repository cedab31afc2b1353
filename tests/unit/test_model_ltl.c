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
#include "effort.h"
#include "ltl_toys.h"
#include "refine/ltl/ltl_parts.h"
#include <stdio.h>

/* ---- the checker on toys ---- */

/* Atoms are numbered as they come in the text: which toy atom is each? */
struct context {
    const struct toy_labels *l;
    uint32_t meant[ATOMS];
};

static void know_atoms(struct context *c, const struct plumb_refine_formula *f)
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
                                    enum plumb_refine_fairness fairness,
                                    struct plumb_base_arena *arena,
                                    struct plumb_refine_run *run)
{
    const struct plumb_csp_graph_source source =
        plumb_csp_lts_source(&l->t->lts);
    struct context context = { .l = l };
    const struct plumb_refine_labels labels = { &context, toy_holds, toy_actors,
                                                l->processes };
    struct plumb_refine_formula f;
    struct plumb_csp_graph *g;
    struct plumb_error err;
    enum plumb_status status =
        plumb_refine_ltl_parse(text, size, 1, 1, arena, &f, &err);
    if (status != PLUMB_OK)
        return status;
    know_atoms(&context, &f);
    status = plumb_csp_graph_open(&g, &source, arena->budget, &err);
    if (status != PLUMB_OK)
        return status;
    status = plumb_refine_ltl_check(g, &f, &labels, fairness, arena, run, &err);
    plumb_csp_graph_free(g);
    return status;
}

/* ---- all runs up to a length ---- */

struct hunt {
    const struct toy_labels *l;
    const struct plumb_refine_ltl *f;
    enum plumb_refine_fairness fairness;
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
        r->hop[length] = (struct plumb_refine_hop){ state, i };
        r->length = length + 1;
        if (hunt_from(h, toy_edges(h->l->t, state)[i].target))
            return true;
        r->length = length;
    }
    return false;
}

static bool some_run_breaks(const struct toy_labels *l,
                            const struct plumb_refine_ltl *f,
                            enum plumb_refine_fairness fairness)
{
    /* Longer and longer, so that no short one is missed. */
    for (uint32_t longest = 0; longest <= 12; longest += 2) {
        struct hunt h = { .l = l,
                          .f = f,
                          .fairness = fairness,
                          .longest = longest,

                          .left = 800 };
        if (hunt_from(&h, 0))
            return true;
    }
    return false;
}

/* Long ones, at random: every way back of a walk. */
static bool some_walk_breaks(const struct toy_labels *l,
                             const struct plumb_refine_ltl *f,
                             enum plumb_refine_fairness fairness, uint64_t seed)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, seed);
    for (int walk = 0; walk < 6; walk++) {
        struct hunt h = { .l = l, .f = f, .fairness = fairness };
        uint32_t at = 0;
        while (h.run.length < 24 && toy_degree(l->t, at)) {
            const uint32_t i = plumb_base_rng_below(&rng, toy_degree(l->t, at));
            h.run.hop[h.run.length++] = (struct plumb_refine_hop){ at, i };
            at = toy_edges(l->t, at)[i].target;
            for (uint32_t k = 0; k < h.run.length; k++)
                if (h.run.hop[k].state == at && breaks(&h, k))
                    return true;
        }
    }
    return false;
}

/* ---- comparing ---- */

struct tally {
    unsigned holds, broken, longest;
    unsigned helped; /* fairness makes a difference */
};

static struct toy_run checked_run(const struct toy_labels *l,
                                  const struct plumb_refine_run *run)
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

/* Would it be broken without fairness, too? */
static bool holds_unfairly(struct toy_labels *l, const char *text, size_t size)
{
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(check_text(text, size, l, PLUMB_UNFAIR, &arena, &run),
                     PLUMB_OK);
    plumb_base_arena_release(&arena);
    return run.holds;
}

static void compare(struct toy_labels *l, const struct plumb_refine_ltl *f,
                    const char *text, size_t size,
                    enum plumb_refine_fairness fairness, uint64_t seed,
                    struct tally *tally)
{
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(check_text(text, size, l, fairness, &arena, &run),
                     PLUMB_OK);
    if (run.holds) {
        if (some_run_breaks(l, f, fairness) ||
            some_walk_breaks(l, f, fairness, seed))
            fail_msg("seed %ju, fairness %d: %s does not hold", (uintmax_t)seed,
                     (int)fairness, text);
        tally->holds++;
        if (fairness != PLUMB_UNFAIR)
            tally->helped += !holds_unfairly(l, text, size);
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
    plumb_base_arena_release(&arena);
}

/* Formulas about what happens in the end are what fairness is for. */
static const struct plumb_refine_ltl *fairness_formula(
    struct toy_formula *f, struct plumb_base_rng *rng)
{
    const struct plumb_refine_ltl *const inner = random_formula(f, rng, 2);
    const struct plumb_refine_ltl *const top = f->node + f->nodes + 1;
    f->node[f->nodes++] =
        (struct plumb_refine_ltl){ .kind = PLUMB_LTL_EVENTUALLY,
                                   .left = inner };
    f->node[f->nodes++] =
        (struct plumb_refine_ltl){ .kind = plumb_base_rng_chance(rng, 70)
                                               ? PLUMB_LTL_ALWAYS
                                               : PLUMB_LTL_NEXT,
                                   .left = f->node + f->nodes - 2 };
    return top;
}

/* What process 0 does leads to the last state: elsewhere it may be enabled and
 * never act, which is what strong fairness takes apart. */
static void lead_away(struct toy_labels *l, struct toy_graph *t)
{
    for (uint64_t i = 0; i < t->first[t->lts.states]; i++)
        if (l->actors[i] & 1) {
            l->actors[i] = 1;
            t->edge[i].target = t->lts.states - 1;
        }
}

static void try_seed(uint64_t seed, enum plumb_refine_fairness fairness,
                     struct tally *tally)
{
    struct plumb_base_rng rng;
    struct toy_graph t;
    struct toy_labels l;
    struct toy_formula f = { .nodes = 0 };
    struct plumb_base_text text;
    plumb_base_rng_seed(&rng, seed);
    const uint32_t events = 2 + plumb_base_rng_below(&rng, 3);
    const bool about_fairness = fairness && plumb_base_rng_chance(&rng, 60);
    toy_random(&t, &rng, 1 + plumb_base_rng_below(&rng, 6),
               about_fairness ? 3 : 1 + plumb_base_rng_below(&rng, 3), events);
    random_labels(&l, &t, &rng, events);
    if (about_fairness && plumb_base_rng_chance(&rng, 50))
        lead_away(&l, &t);
    const struct plumb_refine_ltl *const root =
        about_fairness
            ? fairness_formula(&f, &rng)
            : random_formula(&f, &rng, 1 + (int)plumb_base_rng_below(&rng, 4));
    plumb_base_text_init(&text, NULL);
    formula_text(root, 0, &text);
    compare(&l, root, plumb_base_text_string(&text), text.size, fairness, seed,
            tally);
    plumb_base_text_release(&text);
}

static void try_seeds(enum plumb_refine_fairness fairness)
{
    struct tally tally = { 0 };
    for (uint64_t seed = 0; seed < SOME_OF(5000); seed++)
        try_seed(seed, fairness, &tally);
    print_message("%u hold (%u by fairness), %u are broken, the longest run "
                  "has %u steps\n",
                  tally.holds, tally.helped, tally.broken, tally.longest);
    assert_true(tally.holds > SOME_OF(500) && tally.broken > SOME_OF(500));
    assert_true(fairness == PLUMB_UNFAIR || tally.helped > SOME_OF(60));
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

/* ---- one by one ---- */

/* Two processes at a fork: 0 eats for ever, 1 could.  State 0: 0 eats (event
 * 2) back to 0, or goes to 1 (event 3); state 1: back (event 3).  Process 1
 * eats (event 4) in state 0 alone. */
static struct toy_graph table_of_two(void)
{
    return (struct toy_graph){
        .first = { 0, 3, 4 }, .edge = { { 2, 0 }, { 3, 1 }, { 4, 0 }, { 3, 0 } }
    };
}

static bool holds_at_table(enum plumb_refine_fairness fairness)
{
    struct toy_graph t = table_of_two();
    struct toy_labels l = { .t = &t,
                            .about_event = { true },
                            .mask = { 1u << 4 },
                            .actors = { 1, 1, 2, 1 },
                            .processes = 2 };
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    const char text[] = "[]<> p0";
    t.lts = (struct plumb_csp_lts){ 2, t.first, t.edge };
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        check_text(text, sizeof text - 1, &l, fairness, &arena, &run),
        PLUMB_OK);
    plumb_base_arena_release(&arena);
    return run.holds;
}

/* Weakly fair it is to go round between the two states: process 1 is not
 * enabled in one of them. */
static void fairness_tells_the_difference(void **state)
{
    (void)state;
    assert_false(holds_at_table(PLUMB_UNFAIR));
    assert_false(holds_at_table(PLUMB_WEAK_FAIRNESS));
    assert_true(holds_at_table(PLUMB_STRONG_FAIRNESS));
}

/* 0 -p0-> 1, which has no edges; p1.0 is true of state 1 alone. */
static bool holds_of_what_ends(const char *text)
{
    struct toy_graph t = { .first = { 0, 1, 1 }, .edge = { { 2, 1 } } };
    struct toy_labels l = { .t = &t,
                            .about_event = { true },
                            .mask = { 1u << 2, 1u << 1 },
                            .actors = { 1 },
                            .processes = 1 };
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    t.lts = (struct plumb_csp_lts){ 2, t.first, t.edge };
    plumb_base_arena_init(&arena, NULL);
    for (enum plumb_refine_fairness f = PLUMB_UNFAIR;
         f <= PLUMB_STRONG_FAIRNESS; f++) {
        struct plumb_refine_run other;
        assert_int_equal(check_text(text, strlen(text), &l, f, &arena, &other),
                         PLUMB_OK);
        if (f != PLUMB_UNFAIR)
            assert_true(other.holds == run.holds);
        run = other;
    }
    plumb_base_arena_release(&arena);
    return run.holds;
}

/* The last event is not repeated, the last state is; and there is always a
 * next position. */
static void runs_that_end_go_on_without_events(void **state)
{
    (void)state;
    assert_true(holds_of_what_ends("<> p0"));
    assert_false(holds_of_what_ends("[]<> p0"));
    assert_false(holds_of_what_ends("<>[] p0"));
    assert_true(holds_of_what_ends("<>[] !p0"));
    assert_true(holds_of_what_ends("X p0"));
    assert_false(holds_of_what_ends("X X p0"));
    assert_true(holds_of_what_ends("X X !p0"));
    assert_false(holds_of_what_ends("[] (p0 -> X p0)"));
    assert_true(holds_of_what_ends("<>[] p1.0"));
    assert_true(holds_of_what_ends("[]<> p1.0"));
    assert_true(holds_of_what_ends("[] (p1.0 -> X p1.0)"));
    assert_true(holds_of_what_ends("X X X p1.0"));
    assert_false(holds_of_what_ends("<> (p1.0 && X p0)"));
}

static void parse_fails(const char *text, uint64_t line, uint64_t column,
                        const char *message)
{
    struct plumb_base_arena arena;
    struct plumb_refine_formula f;
    struct plumb_error err;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_refine_ltl_parse(text, strlen(text), 3, 10, &arena, &f, &err),
        PLUMB_EINPUT);
    assert_string_equal(err.message, message);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
    plumb_base_arena_release(&arena);
}

static void wrong_formulas_are_refused_with_their_place(void **state)
{
    (void)state;
    parse_fails("", 3, 10, "the formula ends too soon");
    parse_fails("[] (a ", 3, 16, "expected a closing )");
    parse_fails("a &&\n  -> b", 4, 3, "expected an atom, an operator or (");
    parse_fails("a b", 3, 12, "expected the end of the formula");
    parse_fails("a & b", 3, 12, "unexpected character in a temporal formula");
    parse_fails("<> \"c!5", 3, 13, "unterminated quoted event");
    parse_fails("<> \"\"", 3, 13, "a quoted event has no name");
    parse_fails("a )", 3, 12, "expected the end of the formula");
    parse_fails("a!b", 3, 11, "expected the end of the formula");
    parse_fails("c!5?3", 3, 13, "unexpected character in a temporal formula");
}

static void nesting_and_size_are_bounded(void **state)
{
    enum { SIZE = 20000 };
    static char text[SIZE + 1];
    (void)state;
    memset(text, '(', SIZE);
    parse_fails(text, 3, 10 + 428, "the formula is nested too deeply");
    memset(text, '!', SIZE);
    parse_fails(text, 3, 10 + 2994, "the formula is nested too deeply");
    for (int i = 0; i + 4 <= SIZE; i += 4)
        memcpy(text + i, "a&&a", 4);
    for (int i = 3; i + 3 <= SIZE; i += 3)
        memcpy(text + i - 2, "&&a", 3);
    text[SIZE - SIZE % 3 - 2] = 0;
    parse_fails(text, 3, 3011, "the formula is too long");
}

static void atoms_are_one_each(void **state)
{
    struct plumb_base_arena arena;
    struct plumb_refine_formula f;
    struct plumb_error err;
    const char text[] = "[](eat.0 -> <>(\"eat.0\" || eat.0 U Xa.b_1.-2))";
    (void)state;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_refine_ltl_parse(text, sizeof text - 1, 5, 2, &arena, &f, &err),
        PLUMB_OK);
    assert_int_equal(f.atoms, 3);
    assert_string_equal(f.atom[0].text, "eat.0");
    assert_false(f.atom[0].quoted);
    assert_int_equal(f.atom[0].line, 5);
    assert_int_equal(f.atom[0].column, 5);
    assert_string_equal(f.atom[1].text, "eat.0");
    assert_true(f.atom[1].quoted);
    assert_string_equal(f.atom[2].text, "Xa.b_1.-2");
    plumb_base_arena_release(&arena);
}

/* c!5 is an event, and everything else with ! a negation. */
static void messages_are_atoms(void **state)
{
    struct plumb_base_arena arena;
    struct plumb_refine_formula f;
    struct plumb_error err;
    const char text[] = "[](c!5.0 -> X !c?-1.2) U !a";
    (void)state;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_refine_ltl_parse(text, sizeof text - 1, 1, 1, &arena, &f, &err),
        PLUMB_OK);
    assert_int_equal(f.atoms, 3);
    assert_string_equal(f.atom[0].text, "c!5.0");
    assert_string_equal(f.atom[1].text, "c?-1.2");
    assert_string_equal(f.atom[2].text, "a");
    plumb_base_arena_release(&arena);
}

/* A chain of <-> would take time exponential in its length if what was made
 * of a side were not kept. */
static void long_equivalences_are_taken_apart(void **state)
{
    struct plumb_refine_ltl_parts parts;
    struct plumb_base_arena arena;
    struct plumb_refine_formula f;
    struct plumb_error err;
    char text[2000] = "p0";
    (void)state;
    for (int i = 0; i < 40; i++)
        strcat(text, " <-> X p0");
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_refine_ltl_parse(text, strlen(text), 1, 1, &arena, &f, &err),
        PLUMB_OK);
    assert_int_equal(plumb_refine_ltl_parts(&parts, &f, NULL, &err), PLUMB_OK);
    assert_true(parts.parts > 40);
    plumb_base_arena_release(&arena);
}

static void formulas_with_too_many_parts_are_refused(void **state)
{
    struct toy_graph t = { .first = { 0, 1 }, .edge = { { 2, 0 } } };
    struct toy_labels l = { .t = &t, .processes = 1 };
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    char text[2000] = "";
    (void)state;
    t.lts = (struct plumb_csp_lts){ 1, t.first, t.edge };
    for (int i = 0; i < 300; i++)
        strcat(text, "X ");
    strcat(text, "p0");
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        check_text(text, strlen(text), &l, PLUMB_UNFAIR, &arena, &run),
        PLUMB_EINPUT);
    plumb_base_arena_release(&arena);
}

/* The tableau of such a formula is exponential: it has to be possible to stop
 * it. */
static void time_limits_are_kept(void **state)
{
    struct toy_graph t = { .first = { 0, 1 }, .edge = { { 2, 0 } } };
    struct toy_labels l = { .t = &t, .processes = 1 };
    struct plumb_budget *const budget = plumb_budget_new(20, 0);
    struct plumb_base_arena arena;
    struct plumb_refine_run run;
    char text[2000] = "p0";
    (void)state;
    t.lts = (struct plumb_csp_lts){ 1, t.first, t.edge };
    for (int i = 0; i < 40; i++)
        strcat(text, " <-> X p0");
    plumb_base_arena_init(&arena, budget);
    assert_int_equal(
        check_text(text, strlen(text), &l, PLUMB_UNFAIR, &arena, &run),
        PLUMB_ETIME);
    plumb_base_arena_release(&arena);
    assert_int_equal(plumb_budget_used(budget), 0);
    plumb_budget_free(budget);
}

/* ---- long graphs ---- */

/* 0 -> 1 -> 2 -> ... and back from the last to the middle. */
static enum plumb_status chain_edges(void *context, uint32_t state,
                                     struct plumb_csp_edges *out,
                                     struct plumb_error *err)
{
    const uint32_t *const states = context;
    (void)err;
    return plumb_csp_edges_add(out, 2,
                               state + 1 < *states ? state + 1 : *states / 2)
               ? PLUMB_OK
               : PLUMB_EMEMORY;
}

static uint32_t chain_states(const void *context)
{
    return *(const uint32_t *)context;
}

static enum plumb_status chain_holds(void *context, uint32_t atom,
                                     uint32_t event, uint32_t state, bool *yes,
                                     struct plumb_error *err)
{
    const uint32_t *const states = context;
    (void)atom;
    (void)event;
    (void)err;
    *yes = state == *states / 2 + 5;
    return PLUMB_OK;
}

static enum plumb_status chain_actors(void *context, uint32_t state,
                                      uint32_t index, uint64_t *mask,
                                      struct plumb_error *err)
{
    (void)context;
    (void)index;
    (void)err;
    *mask = (uint64_t)1 << state % 3;
    return PLUMB_OK;
}

static void check_chain(const char *text, enum plumb_refine_fairness fairness,
                        bool wanted)
{
    uint32_t states = 200000;
    const struct plumb_csp_graph_source source = { &states, chain_edges,
                                                   chain_states, 0 };
    const struct plumb_refine_labels labels = { &states, chain_holds,
                                                chain_actors, 3 };
    struct plumb_base_arena arena;
    struct plumb_refine_formula f;
    struct plumb_csp_graph *g;
    struct plumb_error err;
    struct plumb_refine_run run;
    plumb_base_arena_init(&arena, NULL);
    assert_int_equal(
        plumb_refine_ltl_parse(text, strlen(text), 1, 1, &arena, &f, &err),
        PLUMB_OK);
    assert_int_equal(plumb_csp_graph_open(&g, &source, NULL, &err), PLUMB_OK);
    assert_int_equal(
        plumb_refine_ltl_check(g, &f, &labels, fairness, &arena, &run, &err),
        PLUMB_OK);
    assert_int_equal(run.holds, wanted);
    if (!wanted)
        assert_int_equal(run.length, run.cycle + states / 2);
    plumb_csp_graph_free(g);
    plumb_base_arena_release(&arena);
}

static void long_runs_need_no_recursion(void **state)
{
    (void)state;
    for (int fairness = PLUMB_UNFAIR; fairness <= PLUMB_STRONG_FAIRNESS;
         fairness++) {
        check_chain("[]<> p", (enum plumb_refine_fairness)fairness, true);
        check_chain("<>[] p", (enum plumb_refine_fairness)fairness, false);
        check_chain("<>[] !p", (enum plumb_refine_fairness)fairness, false);
    }
}

/* ---- memory ---- */

static void refused_memory_is_survived(void **state)
{
    const char text[] = "[](p0 -> <>(\"p2!2\" && X p1.0))";
    struct toy_graph t;
    struct toy_labels l;
    struct plumb_base_rng rng;
    (void)state;
    plumb_base_rng_seed(&rng, 2);
    toy_random(&t, &rng, TOY_STATES, TOY_DEGREE, 4);
    random_labels(&l, &t, &rng, 4);
    for (int fairness = PLUMB_UNFAIR; fairness <= PLUMB_STRONG_FAIRNESS;
         fairness++)
        for (size_t nth = 1;; nth++) {
            struct plumb_budget *const budget = plumb_budget_new(0, 0);
            struct plumb_base_arena arena;
            struct plumb_refine_run run;
            plumb_base_budget_fail_at(budget, nth);
            plumb_base_arena_init(&arena, budget);
            const enum plumb_status status =
                check_text(text, sizeof text - 1, &l,
                           (enum plumb_refine_fairness)fairness, &arena, &run);
            const bool failed = plumb_base_budget_has_failed(budget);
            assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            plumb_base_arena_release(&arena);
            assert_int_equal(plumb_budget_used(budget), 0);
            plumb_budget_free(budget);
            if (!failed)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_decided_rightly),
        cmocka_unit_test(formulas_are_decided_rightly_with_weak_fairness),
        cmocka_unit_test(formulas_are_decided_rightly_with_strong_fairness),
        cmocka_unit_test(fairness_tells_the_difference),
        cmocka_unit_test(runs_that_end_go_on_without_events),
        cmocka_unit_test(wrong_formulas_are_refused_with_their_place),
        cmocka_unit_test(nesting_and_size_are_bounded),
        cmocka_unit_test(atoms_are_one_each),
        cmocka_unit_test(messages_are_atoms),
        cmocka_unit_test(long_equivalences_are_taken_apart),
        cmocka_unit_test(formulas_with_too_many_parts_are_refused),
        cmocka_unit_test(time_limits_are_kept),
        cmocka_unit_test(long_runs_need_no_recursion),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
