/* accept_run.c - does a run break a formula, and is it fair?
 *
 * The run is walked along its edges: it has to come back to where its round
 * begins, or to end in a state without edges.  What holds at each of its
 * positions makes a word, on which the formula must not hold (accept_word.h).
 * Who is enabled and who takes part in the round decides whether it is fair. */
#include "accept.h"

#include "accept_word.h"
#include "base/fail.h"
#include "base/memory.h"

#define NO_EVENT UINT32_MAX

struct walk {
    struct plumb_csp_graph *g;
    const struct plumb_refine_formula *formula;
    const struct plumb_refine_labels *labels;
    const struct plumb_refine_run *run;
    enum plumb_refine_fairness fairness;
    struct plumb_budget *budget;
    struct plumb_error *err;
    uint32_t at;
    uint64_t *letter;
    size_t positions;
    /* Of the round: who takes part somewhere, is enabled somewhere, and is
     * enabled everywhere. */
    uint64_t acts, sometimes, always;
};

static bool goes_round(const struct walk *w)
{
    return w->run->cycle < w->run->length;
}

/* One more position: the state, and the event that led to it. */
static enum plumb_status read_position(struct walk *w, uint32_t event)
{
    uint64_t letter = 0;
    for (uint32_t i = 0; i < w->formula->atoms; i++) {
        bool yes = false;
        PLUMB_TRY(w->labels->holds(w->labels->context, i, event, w->at, &yes,
                                   w->err));
        letter |= (uint64_t)yes << i;
    }
    w->letter[w->positions++] = letter;
    return PLUMB_OK;
}

/* A step of the round, by the index-th of `count` edges. */
static enum plumb_status note_actors(struct walk *w, uint32_t index,
                                     uint32_t count)
{
    uint64_t enabled = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t mask = 0;
        PLUMB_TRY(
            w->labels->actors(w->labels->context, w->at, i, &mask, w->err));
        enabled |= mask;
        if (i == index)
            w->acts |= mask;
    }
    w->sometimes |= enabled;
    w->always &= enabled;
    return PLUMB_OK;
}

/* `*yes` if there is such a step. */
static enum plumb_status take_step(struct walk *w, uint32_t i, bool *yes)
{
    const struct plumb_refine_hop hop = w->run->path[i];
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->g, w->at, w->err);
    PLUMB_TRY(out.status);
    *yes = hop.state == w->at && hop.index < out.count;
    if (!*yes)
        return PLUMB_OK;
    const struct plumb_csp_edge taken = out.edge[hop.index];
    if (i >= w->run->cycle && w->fairness != PLUMB_UNFAIR)
        PLUMB_TRY(note_actors(w, hop.index, out.count));
    w->at = taken.target;
    return read_position(w, taken.event);
}

static enum plumb_status take_steps(struct walk *w, bool *yes)
{
    enum plumb_status status = read_position(w, NO_EVENT);
    for (uint32_t i = 0; status == PLUMB_OK && *yes && i < w->run->length;
         i++) {
        if (i % 1024 == 0 && plumb_budget_state(w->budget) != PLUMB_OK)
            return plumb_base_fail_budget(w->budget, w->err);
        status = take_step(w, i, yes);
    }
    return status;
}

/* All steps are taken: does the run go on for ever, round or where it is? */
static enum plumb_status close_run(struct walk *w, bool *yes)
{
    if (goes_round(w)) {
        *yes = w->run->path[w->run->cycle].state == w->at;
        return PLUMB_OK;
    }
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->g, w->at, w->err);
    PLUMB_TRY(out.status);
    *yes = out.count == 0;
    return read_position(w, NO_EVENT);
}

static bool is_fair(const struct walk *w)
{
    if (w->fairness == PLUMB_UNFAIR || !goes_round(w))
        return true;
    return !((w->fairness == PLUMB_WEAK_FAIRNESS ? w->always : w->sometimes) &
             ~w->acts);
}

/* The position of a configuration is one later than that of the step to it. */
static enum plumb_status breaks_formula(const struct walk *w, bool *yes)
{
    const struct plumb_refine_word word = {
        .letter = w->letter,
        .positions = w->positions,
        .back = goes_round(w) ? (size_t)w->run->cycle + 1 : w->positions - 1
    };
    bool holds = false;
    const enum plumb_status status = plumb_refine_word_satisfies(
        &word, w->formula->root, w->budget, &holds, w->err);
    *yes = status == PLUMB_OK && !holds;
    return status;
}

enum plumb_status plumb_refine_accept_run(
    struct plumb_csp_graph *g, const struct plumb_refine_formula *formula,
    const struct plumb_refine_labels *labels,
    enum plumb_refine_fairness fairness, const struct plumb_refine_run *run,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err)
{
    struct walk w = { .g = g,
                      .formula = formula,
                      .labels = labels,
                      .run = run,
                      .fairness = fairness,
                      .budget = budget,
                      .err = err,
                      .always = UINT64_MAX };
    const size_t size = ((size_t)run->length + 2) * sizeof *w.letter;
    *yes = run->cycle <= run->length;
    if (!*yes)
        return PLUMB_OK;
    w.letter = plumb_base_alloc(budget, size);
    if (!w.letter)
        return plumb_base_fail_memory(err);
    enum plumb_status status = take_steps(&w, yes);
    if (status == PLUMB_OK && *yes)
        status = close_run(&w, yes);
    *yes = *yes && is_fair(&w);
    if (status == PLUMB_OK && *yes)
        status = breaks_formula(&w, yes);
    plumb_base_release(budget, w.letter, size);
    return status;
}
