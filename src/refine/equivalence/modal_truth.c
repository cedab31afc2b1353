/* modal_truth.c - formulas about the states of a graph, each with the states
 * in which it holds. */
#include "modal_truth.h"

/* ---- truth ---- */

static bool leads_to(const struct plumb_refine_truths *t, uint32_t state,
                     uint32_t event, const uint64_t *states)
{
    const struct plumb_csp_lts *const lts = t->lts;
    for (uint64_t e = lts->first[state]; e < lts->first[state + 1]; e++) {
        const uint32_t to = lts->edge[e].target;
        if (lts->edge[e].event == event && states[to / 64] >> to % 64 & 1)
            return true;
    }
    return false;
}

static bool has_loop(const struct plumb_refine_truths *t, uint32_t state)
{
    for (uint64_t e = t->lts->first[state]; e < t->lts->first[state + 1]; e++)
        if (t->lts->edge[e].event == PLUMB_TAU &&
            t->lts->edge[e].target == state)
            return true;
    return false;
}

/* `holds` is known of the states that the taus of this one lead to, and false
 * of this one. */
static bool is_true(const struct plumb_refine_truths *t,
                    const struct plumb_refine_modal *f, uint32_t state,
                    const uint64_t *holds)
{
    const bool left = plumb_refine_truths_hold(t, f->left, state);
    switch (f->kind) {
    case PLUMB_MODAL_TRUE:
        return true;
    case PLUMB_MODAL_NOT:
        return !left;
    case PLUMB_MODAL_AND:
        return left && plumb_refine_truths_hold(t, f->right, state);
    case PLUMB_MODAL_DIVERGE:
        return left &&
               (has_loop(t, state) || leads_to(t, state, PLUMB_TAU, holds));
    case PLUMB_MODAL_STEP:
        break;
    }
    if (f->event == PLUMB_TAU && plumb_refine_truths_hold(t, f->right, state))
        return true;
    return left &&
           (leads_to(t, state, PLUMB_TAU, holds) ||
            (f->event != PLUMB_TAU &&
             leads_to(t, state, f->event, t->truth.at[f->right].holds)));
}

static const uint64_t *find_truth(struct plumb_refine_truths *t,
                                  const struct plumb_refine_modal *f)
{
    const uint32_t states = t->lts->states;
    uint64_t *const holds = plumb_base_arena_zeroed(
        &t->arena, (states / 64 + (size_t)1) * sizeof *holds);
    for (uint32_t i = 0; holds && i < states; i++) {
        const uint32_t s = t->order[i];
        const uint64_t edges = t->lts->first[s + 1] - t->lts->first[s];
        if (!plumb_base_pace_allows(&t->pace, 1 + edges))
            return NULL;
        if (f->kind == PLUMB_MODAL_TRUE || is_true(t, f, s, holds))
            holds[s / 64] |= (uint64_t)1 << s % 64;
    }
    return holds;
}

/* ---- formulas ---- */

static uint32_t size_of(const struct plumb_refine_truths *t,
                        const struct plumb_refine_modal *f)
{
    uint64_t size = 1;
    if (f->kind != PLUMB_MODAL_TRUE)
        size += t->truth.at[f->left].size;
    if (f->kind == PLUMB_MODAL_AND || f->kind == PLUMB_MODAL_STEP)
        size += t->truth.at[f->right].size;
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

/* What is there already; UINT32_MAX: nothing. */
static uint32_t simpler(const struct plumb_refine_truths *t,
                        const struct plumb_refine_modal *f)
{
    if (f->kind == PLUMB_MODAL_NOT &&
        t->truth.at[f->left].formula.kind == PLUMB_MODAL_NOT)
        return t->truth.at[f->left].formula.left;
    if (f->kind != PLUMB_MODAL_AND)
        return UINT32_MAX;
    if (f->left == 0 || f->left == f->right)
        return f->right;
    return f->right == 0 ? f->left : UINT32_MAX;
}

uint32_t plumb_refine_truths_put(struct plumb_refine_truths *t,
                                 struct plumb_refine_modal f)
{
    const uint32_t word[] = { f.kind, f.event, f.left, f.right };
    const uint32_t there = simpler(t, &f);
    if (there != UINT32_MAX)
        return there;
    const uint32_t number = plumb_base_lists_put(&t->known, word, 4);
    if (number == PLUMB_ABSENT || number < t->truth.count)
        return number;
    struct plumb_refine_truth truth = { .formula = f, .size = size_of(t, &f) };
    truth.holds = find_truth(t, &f);
    return truth.holds && PLUMB_PUSH(t->budget, &t->truth, truth) ? number
                                                                  : UINT32_MAX;
}

/* ---- the interface ---- */

bool plumb_refine_truths_init(struct plumb_refine_truths *t,
                              const struct plumb_csp_lts *lts,
                              const uint32_t *order,
                              struct plumb_budget *budget)
{
    const struct plumb_refine_modal yes = { .kind = PLUMB_MODAL_TRUE };
    *t = (struct plumb_refine_truths){ .budget = budget,
                                       .lts = lts,
                                       .order = order,
                                       .pace = { .budget = budget } };
    plumb_base_lists_init(&t->known, budget);
    plumb_base_arena_init(&t->arena, budget);
    return plumb_refine_truths_put(t, yes) == 0;
}

void plumb_refine_truths_release(struct plumb_refine_truths *t)
{
    plumb_base_lists_release(&t->known);
    PLUMB_VECTOR_RELEASE(t->budget, &t->truth);
    plumb_base_arena_release(&t->arena);
}
