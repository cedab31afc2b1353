/* accept_holds.c - is there no fair run that breaks a formula?
 *
 * States of the graph are paired with claims (accept_tableau.h), beginning with
 * those by which the formula is false.  A run that breaks the formula is a way
 * through these pairs that goes round such that all operators are left in order
 * again and again (accept_rounds.h); there must be none.
 *
 * If nothing is claimed any more, every run from there breaks the formula, and
 * from every state there is one that is fair.
 *
 * A conjunction holds if its sides do, each by itself: pairs are then few.
 * Claims about everything may need many more pairs than the search had places.
 * When they are some times as many, the verifier gives up. */
#include "accept.h"

#include "accept_rounds.h"
#include "accept_tableau.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/pair_index.h"

#define NO_EVENT UINT32_MAX

enum { TIMES = 8, MORE = 100000 };

struct pairing {
    struct plumb_csp_graph *g;
    uint32_t atoms;
    const struct plumb_refine_labels *labels;
    bool fair; /* who takes part is asked for */
    uint64_t most;
    struct plumb_budget *budget;
    struct plumb_error *err;
    struct plumb_refine_tableau t;
    struct plumb_base_pairs pairs; /* a state and a claim */
    uint64_t *first;               /* arc of each pair, and one more */
    struct plumb_refine_arc *arc;
    uint64_t *acts, *enabled; /* of arcs, of pairs: if fair */
    size_t first_room, arcs, arc_room, acts_room;
    size_t enabled_room;
    /* Edges of states that were met: the letter they lead to, who acts.
     * known[s]: where those of s begin, plus 1. */
    uint64_t *known, *mask;
    uint16_t *letter;
    size_t states, known_room, edges, mask_room, letter_room;
    bool broken; /* nothing is claimed any more */
};

#define ROOM(p, array, room, need) PLUMB_GROW((p)->budget, array, room, need)

/* ---- what is to know of edges ---- */

/* PLUMB_END if there are too many different letters. */
static enum plumb_status read_letter(struct pairing *p, uint32_t event,
                                     uint32_t state, uint32_t *number)
{
    uint64_t letter = 0;
    for (uint32_t i = 0; i < p->atoms; i++) {
        bool yes = false;
        PLUMB_TRY(p->labels->holds(p->labels->context, i, event, state, &yes,
                                   p->err));
        letter |= (uint64_t)yes << i;
    }
    *number = plumb_refine_tableau_letter(&p->t, letter);
    return *number == PLUMB_MOST_LETTERS ? PLUMB_END : PLUMB_OK;
}

static enum plumb_status ask_about(struct pairing *p, uint32_t state,
                                   uint32_t i, struct plumb_csp_edge edge)
{
    uint32_t number = 0;
    const size_t at = p->edges + i;
    PLUMB_TRY(read_letter(p, edge.event, edge.target, &number));
    p->letter[at] = (uint16_t)number;
    if (!p->fair)
        return PLUMB_OK;
    p->mask[at] = 0;
    if (edge.event == NO_EVENT)
        return PLUMB_OK;
    return p->labels->actors(p->labels->context, state, i, p->mask + at,
                             p->err);
}

static bool make_room(struct pairing *p, uint32_t state, uint32_t count)
{
    const size_t need = p->edges + count;
    if (!ROOM(p, p->letter, p->letter_room, need) ||
        !ROOM(p, p->known, p->known_room, (size_t)state + 1) ||
        (p->fair && !ROOM(p, p->mask, p->mask_room, need)))
        return false;
    for (; p->states <= state; p->states++)
        p->known[p->states] = 0;
    return true;
}

static enum plumb_status know_edges(struct pairing *p, uint32_t state,
                                    const struct plumb_csp_edge *edge,
                                    uint32_t count)
{
    if (state < p->states && p->known[state])
        return PLUMB_OK;
    if (!make_room(p, state, count))
        return plumb_base_fail_budget(p->budget, p->err);
    for (uint32_t i = 0; i < count; i++)
        PLUMB_TRY(ask_about(p, state, i, edge[i]));
    p->known[state] = p->edges + 1;
    p->edges += count;
    return PLUMB_OK;
}

/* ---- pairs ---- */

/* PLUMB_END if there are too many. */
static enum plumb_status meet(struct pairing *p, uint32_t state, uint32_t claim,
                              uint32_t *number)
{
    const uint32_t before = p->pairs.count;
    *number = plumb_base_pairs_number(&p->pairs,
                                      (struct plumb_base_pair){ state, claim });
    if (*number == UINT32_MAX)
        return plumb_base_fail_budget(p->budget, p->err);
    if (*number < before)
        return PLUMB_OK;
    p->broken |= plumb_refine_tableau_is_settled(&p->t, claim);
    return before < p->most ? PLUMB_OK : PLUMB_END;
}

static enum plumb_status add_arc(struct pairing *p, uint32_t state,
                                 struct plumb_refine_claim_step step,
                                 uint64_t mask)
{
    uint32_t target = 0;
    PLUMB_TRY(meet(p, state, step.claim, &target));
    if (!ROOM(p, p->arc, p->arc_room, p->arcs + 1) ||
        (p->fair && !ROOM(p, p->acts, p->acts_room, p->arcs + 1)))
        return plumb_base_fail_budget(p->budget, p->err);
    if (p->fair)
        p->acts[p->arcs] = mask;
    p->arc[p->arcs++] = (struct plumb_refine_arc){ target, step.kept };
    return PLUMB_OK;
}

/* All claims that may follow by the edge, of which `at` is known. */
static enum plumb_status follow(struct pairing *p, uint32_t claim,
                                uint32_t target, size_t at)
{
    const uint64_t mask = p->fair ? p->mask[at] : 0;
    uint32_t count;
    const struct plumb_refine_claim_step *const step =
        plumb_refine_tableau_steps(&p->t, claim, p->letter[at], &count);
    if (!step)
        return plumb_base_fail_budget(p->budget, p->err);
    for (uint32_t i = 0; i < count; i++)
        PLUMB_TRY(add_arc(p, target, step[i], mask));
    return PLUMB_OK;
}

/* A state without edges stays for ever. */
static enum plumb_status expand(struct pairing *p, struct plumb_base_pair from)
{
    const struct plumb_csp_edge stay = { NO_EVENT, from.left };
    struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(p->g, from.left, p->err);
    PLUMB_TRY(out.status);
    if (!out.count)
        out = (struct plumb_csp_outgoing){ .count = 1, .edge = &stay };
    enum plumb_status status = know_edges(p, from.left, out.edge, out.count);
    for (uint32_t i = 0; status == PLUMB_OK && i < out.count; i++)
        status = follow(p, from.right, out.edge[i].target,
                        (size_t)p->known[from.left] - 1 + i);
    return status;
}

/* ---- all pairs ---- */

/* The number-th pair and its arcs. */
static enum plumb_status take_pair(struct pairing *p, uint32_t number)
{
    const struct plumb_base_pair from = plumb_base_pairs_at(&p->pairs, number);
    if (!ROOM(p, p->first, p->first_room, number + (size_t)2) ||
        (p->fair && !ROOM(p, p->enabled, p->enabled_room, number + (size_t)1)))
        return plumb_base_fail_budget(p->budget, p->err);
    p->first[number] = p->arcs;
    const enum plumb_status status = expand(p, from);
    p->first[number + 1] = p->arcs;
    if (!p->fair || status != PLUMB_OK)
        return status;
    const uint32_t state = from.left;
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(p->g, state, p->err);
    p->enabled[number] = 0;
    for (uint32_t i = 0; i < out.count; i++)
        p->enabled[number] |= p->mask[p->known[state] - 1 + i];
    return out.status;
}

static enum plumb_status begin(struct pairing *p)
{
    uint32_t letter = 0, count, number;
    PLUMB_TRY(read_letter(p, NO_EVENT, 0, &letter));
    const struct plumb_refine_claim_step *const step =
        plumb_refine_tableau_begin(&p->t, letter, &count);
    if (!step)
        return plumb_base_fail_budget(p->budget, p->err);
    for (uint32_t i = 0; i < count; i++)
        PLUMB_TRY(meet(p, 0, step[i].claim, &number));
    return PLUMB_OK;
}

static enum plumb_status take_all(struct pairing *p)
{
    enum plumb_status status = begin(p);
    for (uint32_t i = 0; status == PLUMB_OK && !p->broken && i < p->pairs.count;
         i++) {
        if (i % 1024 == 0 && plumb_budget_state(p->budget) != PLUMB_OK)
            return plumb_base_fail_budget(p->budget, p->err);
        status = take_pair(p, i);
    }
    return status;
}

static enum plumb_status look_for_run(struct pairing *p,
                                      enum plumb_refine_fairness fairness,
                                      bool *some)
{
    const enum plumb_status status = take_all(p);
    *some = p->broken;
    if (status != PLUMB_OK || p->broken || !p->pairs.count)
        return status;
    const struct plumb_refine_rounds rounds = {
        .nodes = p->pairs.count,
        .first = p->first,
        .arc = p->arc,
        .wanted = plumb_refine_tableau_wanted(&p->t),
        .fairness = fairness,
        .acts = p->acts,
        .enabled = p->enabled
    };
    return plumb_refine_rounds_exist(&rounds, p->budget, some, p->err);
}

static void release(struct pairing *p)
{
    struct plumb_budget *const b = p->budget;
    PLUMB_RELEASE(b, p->first, p->first_room);
    PLUMB_RELEASE(b, p->arc, p->arc_room);
    PLUMB_RELEASE(b, p->acts, p->acts_room);
    PLUMB_RELEASE(b, p->enabled, p->enabled_room);
    PLUMB_RELEASE(b, p->known, p->known_room);
    PLUMB_RELEASE(b, p->mask, p->mask_room);
    PLUMB_RELEASE(b, p->letter, p->letter_room);
    plumb_base_pairs_release(&p->pairs);
    plumb_refine_tableau_close(&p->t);
}

/* ---- the interface ---- */

struct question {
    struct plumb_csp_graph *g;
    uint32_t atoms;
    const struct plumb_refine_labels *labels;
    enum plumb_refine_fairness fairness;
    uint64_t most;
    struct plumb_budget *budget;
};

static enum plumb_status accept_part(const struct question *q,
                                     const struct plumb_refine_ltl *f,
                                     bool *yes, struct plumb_error *err)
{
    struct pairing p = { .g = q->g,
                         .atoms = q->atoms,
                         .labels = q->labels,
                         .fair = q->fairness != PLUMB_UNFAIR,
                         .most = q->most,
                         .budget = q->budget,
                         .err = err };
    bool some = true;
    plumb_base_pairs_init(&p.pairs, q->budget);
    enum plumb_status status =
        plumb_refine_tableau_open(&p.t, f, q->budget, err);
    if (status == PLUMB_OK)
        status = look_for_run(&p, q->fairness, &some);
    release(&p);
    *yes = status == PLUMB_OK && !some;
    return status;
}

static enum plumb_status accept_all(const struct question *q,
                                    const struct plumb_refine_ltl *f, bool *yes,
                                    struct plumb_error *err)
{
    if (f->kind != PLUMB_LTL_AND)
        return accept_part(q, f, yes, err);
    const enum plumb_status status = accept_all(q, f->left, yes, err);
    return status == PLUMB_OK && *yes ? accept_all(q, f->right, yes, err)
                                      : status;
}

enum plumb_status plumb_refine_accept_formula(
    struct plumb_csp_graph *g, const struct plumb_refine_formula *formula,
    const struct plumb_refine_labels *labels,
    enum plumb_refine_fairness fairness, const struct plumb_refine_run *run,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err)
{
    const struct question q = { .g = g,
                                .atoms = formula->atoms,
                                .labels = labels,
                                .fairness = fairness,
                                .most = TIMES * run->states + MORE,
                                .budget = budget };
    *yes = false;
    return accept_all(&q, formula->root, yes, err);
}
