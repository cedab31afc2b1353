/* ltl_toys.h - what a temporal formula says of a run that goes round, and
 * random formulas, graphs and labels to try it on.
 *
 * The evaluator takes the definitions of the operators as equations between
 * positions and solves them by going round until nothing changes: the least
 * solution for U and <>, the greatest for R and []. */
#ifndef PLUMB_TESTS_LTL_TOYS_H
#define PLUMB_TESTS_LTL_TOYS_H

#include "base/text.h"
#include "graph_toys.h"
#include "refine/ltl/ltl.h"

enum { ATOMS = 4, LONGEST = 40, MOST_POSITIONS = LONGEST + 2 };

/* ---- labels ---- */

struct toy_labels {
    struct toy_graph *t;
    /* An atom is about events (a mask of them) or states (a mask). */
    bool about_event[ATOMS];
    uint32_t mask[ATOMS];
    uint64_t actors[TOY_EDGES];
    unsigned processes;
};

static bool atom_holds(const struct toy_labels *l, uint32_t atom,
                       uint32_t event, uint32_t state)
{
    if (!l->about_event[atom])
        return l->mask[atom] >> state & 1;
    return event != UINT32_MAX && (l->mask[atom] >> event & 1);
}

static uint64_t edge_actors(const struct toy_labels *l, uint32_t state,
                            uint32_t index)
{
    return l->actors[l->t->first[state] + index];
}

static uint64_t enabled_in(const struct toy_labels *l, uint32_t state)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < toy_degree(l->t, state); i++)
        all |= edge_actors(l, state, i);
    return all;
}

static void random_labels(struct toy_labels *l, struct toy_graph *t,
                          struct plumb_base_rng *rng, uint32_t events)
{
    memset(l, 0, sizeof *l);
    l->t = t;
    l->processes = 1 + plumb_base_rng_below(rng, 3);
    for (uint32_t i = 0; i < ATOMS; i++) {
        l->about_event[i] = plumb_base_rng_chance(rng, 40);
        l->mask[i] = l->about_event[i]
                         ? 1u << plumb_base_rng_below(rng, events)
                         : plumb_base_rng_below(rng, 1u << TOY_STATES);
    }
    for (uint32_t i = 0; i < TOY_EDGES; i++) {
        l->actors[i] = (uint64_t)1 << plumb_base_rng_below(rng, l->processes);
        if (plumb_base_rng_chance(rng, 15))
            l->actors[i] |= (uint64_t)1
                            << plumb_base_rng_below(rng, l->processes);
    }
}

/* ---- runs ---- */

/* hop[0 .. length), then hop[cycle .. length) for ever; if both are equal it
 * stays in the last state. */
struct toy_run {
    struct plumb_refine_hop hop[LONGEST];
    uint32_t length, cycle;
};

struct word {
    uint32_t event[MOST_POSITIONS], state[MOST_POSITIONS];
    uint32_t positions, back; /* after the last position comes this one */
};

static struct word word_of(const struct toy_graph *t, const struct toy_run *r)
{
    struct word w = { .positions = 1 };
    w.event[0] = UINT32_MAX;
    w.state[0] = 0;
    for (uint32_t i = 0; i < r->length; i++) {
        const struct plumb_csp_edge e =
            toy_edges(t, r->hop[i].state)[r->hop[i].index];
        w.event[w.positions] = e.event;
        w.state[w.positions++] = e.target;
    }
    if (r->cycle < r->length) {
        w.back = r->cycle + 1;
        return w;
    }
    w.event[w.positions] = UINT32_MAX;
    w.state[w.positions] = w.state[w.positions - 1];
    w.back = w.positions++;
    return w;
}

/* ---- formulas on words: a truth value for each position ---- */

struct truth {
    bool at[MOST_POSITIONS];
};

static uint32_t position_after(const struct word *w, uint32_t i)
{
    return i + 1 < w->positions ? i + 1 : w->back;
}

/* x = b || (a && X x), from false; or x = b && (a || X x), from true. */
static struct truth solve(const struct word *w, const struct truth *a,
                          const struct truth *b, bool least)
{
    struct truth x;
    bool changes = true;
    for (uint32_t i = 0; i < w->positions; i++)
        x.at[i] = !least;
    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < w->positions; i++) {
            const bool later = x.at[position_after(w, i)];
            const bool now = least ? b->at[i] || (a->at[i] && later)
                                   : b->at[i] && (a->at[i] || later);
            changes |= now != x.at[i];
            x.at[i] = now;
        }
    }
    return x;
}

static struct truth truth_of(const struct word *w, const struct toy_labels *l,
                             const struct plumb_refine_ltl *f)
{
    struct truth a, b, x;
    if (f->left)
        a = truth_of(w, l, f->left);
    if (f->right)
        b = truth_of(w, l, f->right);
    else
        b = a;
    for (uint32_t i = 0; i < w->positions; i++)
        switch (f->kind) {
        case PLUMB_LTL_TRUE:
            x.at[i] = true;
            break;
        case PLUMB_LTL_FALSE:
            x.at[i] = false;
            break;
        case PLUMB_LTL_ATOM:
            x.at[i] = atom_holds(l, f->atom, w->event[i], w->state[i]);
            break;
        case PLUMB_LTL_NOT:
            x.at[i] = !a.at[i];
            break;
        case PLUMB_LTL_AND:
            x.at[i] = a.at[i] && b.at[i];
            break;
        case PLUMB_LTL_OR:
            x.at[i] = a.at[i] || b.at[i];
            break;
        case PLUMB_LTL_IMPLIES:
            x.at[i] = !a.at[i] || b.at[i];
            break;
        case PLUMB_LTL_IFF:
            x.at[i] = a.at[i] == b.at[i];
            break;
        case PLUMB_LTL_XOR:
            x.at[i] = a.at[i] != b.at[i];
            break;
        case PLUMB_LTL_NEXT:
            x.at[i] = a.at[position_after(w, i)];
            break;
        case PLUMB_LTL_UNTIL:
            return solve(w, &a, &b, true);
        case PLUMB_LTL_RELEASE:
            return solve(w, &a, &b, false);
        case PLUMB_LTL_ALWAYS:
            memset(&a, false, sizeof a);
            return solve(w, &a, &b, false);
        case PLUMB_LTL_EVENTUALLY:
            memset(&a, true, sizeof a);
            return solve(w, &a, &b, true);
        }
    return x;
}

static bool run_breaks(const struct toy_run *r, const struct toy_labels *l,
                       const struct plumb_refine_ltl *f)
{
    const struct word w = word_of(l->t, r);
    return !truth_of(&w, l, f).at[0];
}

static bool run_is_fair(const struct toy_run *r, const struct toy_labels *l,
                        enum plumb_refine_fairness fairness)
{
    uint64_t acts = 0, always = UINT64_MAX, sometimes = 0;
    if (r->cycle == r->length || fairness == PLUMB_UNFAIR)
        return true;
    for (uint32_t i = r->cycle; i < r->length; i++) {
        const uint64_t enabled = enabled_in(l, r->hop[i].state);
        acts |= edge_actors(l, r->hop[i].state, r->hop[i].index);
        always &= enabled;
        sometimes |= enabled;
    }
    return !((fairness == PLUMB_WEAK_FAIRNESS ? always : sometimes) & ~acts);
}

/* ---- random formulas, and their text ---- */

enum { FORMULA_NODES = 64 };

struct toy_formula {
    struct plumb_refine_ltl node[FORMULA_NODES];
    uint32_t nodes;
};

static const struct plumb_refine_ltl *random_formula(struct toy_formula *f,
                                                     struct plumb_base_rng *rng,
                                                     int depth)
{
    static const enum plumb_refine_ltl_kind unary[] = {
        PLUMB_LTL_NOT, PLUMB_LTL_NEXT, PLUMB_LTL_ALWAYS, PLUMB_LTL_EVENTUALLY
    };
    static const enum plumb_refine_ltl_kind binary[] = {
        PLUMB_LTL_AND,     PLUMB_LTL_OR,    PLUMB_LTL_IMPLIES,
        PLUMB_LTL_IFF,     PLUMB_LTL_XOR,   PLUMB_LTL_UNTIL,
        PLUMB_LTL_RELEASE, PLUMB_LTL_UNTIL, PLUMB_LTL_RELEASE
    };
    struct plumb_refine_ltl n = { .kind = PLUMB_LTL_ATOM };
    if (depth <= 0 || plumb_base_rng_chance(rng, 10)) {
        n.atom = plumb_base_rng_below(rng, ATOMS);
        if (plumb_base_rng_chance(rng, 6))
            n.kind = plumb_base_rng_chance(rng, 50) ? PLUMB_LTL_TRUE
                                                    : PLUMB_LTL_FALSE;
    } else if (plumb_base_rng_chance(rng, 55)) {
        n.kind = unary[plumb_base_rng_below(rng, 4)];
        n.left = random_formula(f, rng, depth - 1);
    } else {
        n.kind = binary[plumb_base_rng_below(rng, 9)];
        n.left = random_formula(f, rng, depth - 1);
        n.right = random_formula(f, rng, depth - 1);
    }
    f->node[f->nodes] = n;
    return f->node + f->nodes++;
}

/* How tightly it binds, as it is documented. */
static int level_of(const struct plumb_refine_ltl *f)
{
    switch (f->kind) {
    case PLUMB_LTL_IFF:
        return 0;
    case PLUMB_LTL_IMPLIES:
        return 1;
    case PLUMB_LTL_OR:
        return 2;
    case PLUMB_LTL_AND:
        return 3;
    case PLUMB_LTL_XOR:
        return 4;
    case PLUMB_LTL_UNTIL:
    case PLUMB_LTL_RELEASE:
        return 5;
    default:
        return 6;
    }
}

/* With as few parentheses as can be; atoms are p0, p1.0, "p2!2", p3. */
static void formula_text(const struct plumb_refine_ltl *f, int least,
                         struct plumb_base_text *out)
{
    static const char *const sign[] = {
        [PLUMB_LTL_TRUE] = "true",     [PLUMB_LTL_FALSE] = "false",
        [PLUMB_LTL_NOT] = "!",         [PLUMB_LTL_AND] = " && ",
        [PLUMB_LTL_OR] = "||",         [PLUMB_LTL_IMPLIES] = "->",
        [PLUMB_LTL_IFF] = " <->\n ",   [PLUMB_LTL_XOR] = " xor ",
        [PLUMB_LTL_NEXT] = "X ",       [PLUMB_LTL_UNTIL] = " U ",
        [PLUMB_LTL_RELEASE] = " V ",   [PLUMB_LTL_ALWAYS] = "[]",
        [PLUMB_LTL_EVENTUALLY] = "<>",
    };
    static const char *const atom[] = { "p0", "p1.0", "\"p2!2\"", "p_3.-1.a" };
    const int level = level_of(f);
    const bool right = level == 1 || level == 5;
    if (level < least)
        plumb_base_text_add(out, "(");
    if (f->right)
        formula_text(f->left, right ? level + 1 : level, out);
    plumb_base_text_add(out, f->kind == PLUMB_LTL_ATOM ? atom[f->atom]
                                                       : sign[f->kind]);
    if (f->right)
        formula_text(f->right, right ? level : level + 1, out);
    else if (f->left)
        formula_text(f->left, 6, out);
    if (level < least)
        plumb_base_text_add(out, ")");
}

#endif
