/* accept_finding.c - a deadlock, a cycle, two edges: is it there, or is there
 * none? */
#include "accept.h"

#include "accept_absence.h"
#include "base/fail.h"

struct walk {
    struct plumb_csp_graph *g;
    const struct plumb_refine_goal *goal;
    const struct plumb_refine_examination *x;
    uint32_t at, last; /* state, and the event that led there */
    bool quiet;        /* only taus since path[cycle]         */
    struct plumb_error *err;
};

static enum plumb_status go(struct walk *w, bool *yes)
{
    const struct plumb_refine_examination *const x = w->x;
    *yes = x->cycle <= x->length;
    for (uint32_t i = 0; *yes && i < x->length; i++) {
        *yes = x->path[i].state == w->at;
        if (!*yes)
            break;
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(w->g, w->at, w->err);
        PLUMB_TRY(out.status);
        *yes = x->path[i].index < out.count;
        if (!*yes)
            break;
        w->last = out.edge[x->path[i].index].event;
        w->at = out.edge[x->path[i].index].target;
        w->quiet = w->quiet && (i < x->cycle || w->last == PLUMB_TAU);
    }
    return PLUMB_OK;
}

static bool goes_round(const struct walk *w)
{
    const struct plumb_refine_examination *const x = w->x;
    return x->cycle < x->length && w->quiet && x->path[x->cycle].state == w->at;
}

static bool disagree(const struct plumb_refine_examination *x,
                     struct plumb_csp_outgoing out)
{
    return x->edge[0] < out.count && x->edge[1] < out.count &&
           out.edge[x->edge[0]].event == out.edge[x->edge[1]].event &&
           out.edge[x->edge[0]].target != out.edge[x->edge[1]].target;
}

/* A goal is where the path ends, with the value that is said. */
static enum plumb_status is_goal(const struct walk *w, bool *yes)
{
    const struct plumb_refine_goal *const goal = w->goal;
    int64_t value = 0;
    *yes = false;
    if (w->at != w->x->final)
        return PLUMB_OK;
    const enum plumb_status status =
        goal->holds(goal->context, w->at, yes, &value, w->err);
    *yes = *yes && (!goal->optimise || value == w->x->best);
    return status;
}

static enum plumb_status ends_as_said(const struct walk *w,
                                      enum plumb_refine_question question,
                                      bool *yes)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->g, w->at, w->err);
    PLUMB_TRY(out.status);
    switch (question) {
    case PLUMB_DEADLOCKFREE:
        *yes = out.count == 0 && w->last != PLUMB_TICK;
        break;
    case PLUMB_NONTERMINATING:
        *yes = out.count == 0;
        break;
    case PLUMB_DIVERGENCEFREE:
        *yes = goes_round(w);
        break;
    case PLUMB_DETERMINISTIC:
        *yes = w->at == w->x->final && disagree(w->x, out);
        break;
    case PLUMB_REACHES:
        return is_goal(w, yes);
    }
    return PLUMB_OK;
}

static enum plumb_status accept_finding(
    struct plumb_csp_graph *g, enum plumb_refine_question question,
    const struct plumb_refine_goal *goal,
    const struct plumb_refine_examination *x, bool *yes,
    struct plumb_error *err)
{
    struct walk w = { .g = g,
                      .goal = goal,
                      .x = x,
                      .last = PLUMB_TAU,
                      .quiet = true,
                      .err = err };
    const enum plumb_status status = go(&w, yes);
    return status == PLUMB_OK && *yes ? ends_as_said(&w, question, yes)
                                      : status;
}

enum plumb_status plumb_refine_accept_examination(
    struct plumb_csp_graph *g, enum plumb_refine_question question,
    const struct plumb_refine_goal *goal,
    const struct plumb_refine_examination *x, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err)
{
    const bool reaches = question == PLUMB_REACHES;
    const bool found = x->holds == reaches;
    const struct plumb_refine_absence rest = {
        .question = question, .goal = goal, .best = found ? &x->best : NULL
    };
    enum plumb_status status = PLUMB_OK;
    *yes = true;
    if (found)
        status = accept_finding(g, question, goal, x, yes, err);
    if (status != PLUMB_OK || !*yes)
        return status;
    if (!found || (reaches && goal->optimise))
        return plumb_refine_accept_absence(g, &rest, budget, yes, err);
    return PLUMB_OK;
}
