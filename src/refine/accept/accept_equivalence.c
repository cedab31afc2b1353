/* accept_equivalence.c - are two graphs equal, or does a formula tell them
 * apart?
 *
 * A formula is decided once more on the graphs of the classes.  That it says
 * the same there is what the partitions have to be accepted for
 * (accept_partition.h).  States in which hidden steps lead to something are
 * gathered in sweeps, until no sweep adds one; of states from which hidden
 * steps go on for ever those are taken away that lead to none of the rest. */
#include "accept.h"

#include "accept_partition.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"

struct check {
    struct plumb_csp_graph *graph[2];
    const struct plumb_refine_equivalence *claim;
    struct plumb_budget *budget;
    struct plumb_error *err;
    struct plumb_csp_lts lts[2];
    struct plumb_refine_blocks blocks[2];
    bool *holds; /* of each formula, a bool for each block of a graph */
    struct plumb_base_pace pace;
};

/* A formula of the claim on the blocks of a graph. */
struct question {
    const struct plumb_csp_lts *lts;
    const struct plumb_refine_modal *f;
    const bool *left, *right;
    bool *holds;
};

/* ---- truth ---- */

static bool leads_to(const struct question *q, uint32_t state, uint32_t event,
                     const bool *states)
{
    const struct plumb_csp_lts *const lts = q->lts;
    for (uint64_t e = lts->first[state]; e < lts->first[state + 1]; e++)
        if (lts->edge[e].event == event && states[lts->edge[e].target])
            return true;
    return false;
}

/* Without hidden steps before. */
static bool holds_at_once(const struct question *q, uint32_t s)
{
    switch (q->f->kind) {
    case PLUMB_MODAL_TRUE:
        return true;
    case PLUMB_MODAL_NOT:
        return !q->left[s];
    case PLUMB_MODAL_AND:
        return q->left[s] && q->right[s];
    case PLUMB_MODAL_DIVERGE:
        return q->left[s];
    case PLUMB_MODAL_STEP:
        break;
    }
    return q->f->event == PLUMB_TAU
               ? q->right[s]
               : q->left[s] && leads_to(q, s, q->f->event, q->right);
}

/* Does a sweep change what is known of the state? */
static bool changes(const struct question *q, uint32_t s)
{
    if (q->f->kind == PLUMB_MODAL_STEP)
        return !q->holds[s] && q->left[s] &&
               leads_to(q, s, PLUMB_TAU, q->holds);
    return q->f->kind == PLUMB_MODAL_DIVERGE && q->holds[s] &&
           !leads_to(q, s, PLUMB_TAU, q->holds);
}

/* Mostly hidden steps lead upwards, because states were numbered so. */
static bool sweep(struct check *c, const struct question *q, bool *more)
{
    *more = false;
    for (uint32_t s = q->lts->states; s-- > 0;) {
        if (!plumb_base_pace_allows(&c->pace, 1 + q->lts->first[s + 1] -
                                                  q->lts->first[s]))
            return false;
        if (changes(q, s)) {
            q->holds[s] = !q->holds[s];
            *more = true;
        }
    }
    return true;
}

static bool answer(struct check *c, const struct question *q)
{
    bool more = true;
    for (uint32_t s = 0; s < q->lts->states; s++) {
        if (!plumb_base_pace_allows(&c->pace, 1 + q->lts->first[s + 1] -
                                                  q->lts->first[s]))
            return false;
        q->holds[s] = holds_at_once(q, s);
    }
    while (more)
        if (!sweep(c, q, &more))
            return false;
    return true;
}

/* Does each formula come after its parts? */
static bool is_list(const struct plumb_refine_equivalence *claim)
{
    for (uint32_t i = 0; i < claim->formulas; i++) {
        const struct plumb_refine_modal *const f = claim->formula + i;
        const bool two =
            f->kind == PLUMB_MODAL_AND || f->kind == PLUMB_MODAL_STEP;
        if ((f->kind != PLUMB_MODAL_TRUE && f->left >= i) ||
            (two && f->right >= i))
            return false;
    }
    return claim->formulas && claim->rest < claim->formulas;
}

/* All formulas on the blocks of a graph, in c->holds. */
static bool answer_all(struct check *c, unsigned side)
{
    const struct plumb_csp_lts *const lts = &c->blocks[side].lts;
    const size_t n = lts->states;
    for (uint32_t i = 0; i < c->claim->formulas; i++) {
        const struct plumb_refine_modal *const f = c->claim->formula + i;
        const struct question q = { lts, f, c->holds + f->left * n,
                                    c->holds + f->right * n, c->holds + i * n };
        if (!answer(c, &q))
            return false;
    }
    return true;
}

/* ---- the path ---- */

/* Of the formula, what is left behind a step that is seen; NONE: it says
 * nothing of it. */
static uint32_t behind(const struct plumb_refine_equivalence *claim,
                       uint32_t formula, uint32_t event)
{
    const struct plumb_refine_modal *f = claim->formula + formula;
    while (f->kind == PLUMB_MODAL_STEP && f->event == PLUMB_TAU)
        f = claim->formula + f->right;
    return f->kind == PLUMB_MODAL_STEP && f->event == event ? f->right
                                                            : UINT32_MAX;
}

/* The steps are there, what is seen of them is as the formula says, and behind
 * them what is left of it holds. */
static enum plumb_status check_path(struct check *c, unsigned side, bool *yes)
{
    const struct plumb_refine_equivalence *const x = c->claim;
    uint32_t at = 0, left = x->formulas - 1;
    for (uint32_t i = 0; *yes && i < x->length; i++) {
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(c->graph[side], at, c->err);
        PLUMB_TRY(out.status);
        *yes = x->path[i].state == at && x->path[i].index < out.count;
        if (!*yes)
            break;
        const struct plumb_csp_edge edge = out.edge[x->path[i].index];
        at = edge.target;
        if (edge.event != PLUMB_TAU)
            left = behind(x, left, edge.event);
        *yes = left != UINT32_MAX;
    }
    while (*yes && left != x->rest) {
        const struct plumb_refine_modal *const f = x->formula + left;
        *yes = f->kind == PLUMB_MODAL_STEP && f->event == PLUMB_TAU;
        left = f->right;
    }
    const size_t n = c->blocks[side].lts.states;
    *yes = *yes && c->holds[x->rest * n + x->side[side]->block[at]];
    return PLUMB_OK;
}

/* ---- a difference ---- */

static enum plumb_status check_classes(struct check *c, unsigned side,
                                       bool *yes)
{
    const struct plumb_refine_pieces piece = { &c->lts[side], NULL };
    PLUMB_TRY(plumb_csp_graph_lts(c->graph[side], &c->lts[side], c->err));
    return plumb_refine_accept_partition(&piece, c->claim->side[side], true,
                                         c->budget, &c->blocks[side], yes,
                                         c->err);
}

/* It has to hold in the initial state of one of them alone. */
static enum plumb_status check_formula(struct check *c, bool *yes)
{
    const uint32_t last = c->claim->formulas - 1;
    for (unsigned side = 0; *yes && side < 2; side++) {
        const size_t n = c->blocks[side].lts.states;
        const size_t size = c->claim->formulas * n;
        const bool wanted = (side == 1) == c->claim->second;
        enum plumb_status status = PLUMB_OK;
        c->holds = plumb_base_alloc(c->budget, size);
        if (!c->holds || !answer_all(c, side))
            status = plumb_base_fail_budget(c->budget, c->err);
        else
            *yes =
                c->holds[last * n + c->claim->side[side]->block[0]] == wanted;
        if (status == PLUMB_OK && *yes && wanted)
            status = check_path(c, side, yes);
        plumb_base_release(c->budget, c->holds, size);
        PLUMB_TRY(status);
    }
    return PLUMB_OK;
}

static enum plumb_status check_difference(struct check *c, bool *yes)
{
    if (!c->claim->side[0] || !c->claim->side[1])
        return plumb_base_fail_budget(c->budget, c->err);
    *yes = is_list(c->claim);
    enum plumb_status status = PLUMB_OK;
    for (unsigned side = 0; status == PLUMB_OK && *yes && side < 2; side++)
        status = check_classes(c, side, yes);
    if (status == PLUMB_OK && *yes)
        status = check_formula(c, yes);
    for (unsigned side = 0; side < 2; side++)
        plumb_refine_blocks_release(&c->blocks[side], c->budget);
    return status;
}

enum plumb_status plumb_refine_accept_equivalence(
    struct plumb_csp_graph *one, struct plumb_csp_graph *two,
    const struct plumb_refine_equivalence *claim, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err)
{
    struct check c = { .graph = { one, two },
                       .claim = claim,
                       .budget = budget,
                       .err = err,
                       .pace = { .budget = budget } };
    const struct plumb_refinement both = { .refines = true,
                                           .both_ways = true,
                                           .certificate = { .both =
                                                                claim->both } };
    return claim->equal
               ? plumb_refine_accept_refinement(one, two,
                                                PLUMB_FAILURES_DIVERGENCES,
                                                &both, budget, yes, err)
               : check_difference(&c, yes);
}
