/* accept_path.c - a counterexample is walked, and its trace is looked for. */
#include "accept.h"
#include "accept_sets.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"

struct walk {
    struct plumb_csp_graph *impl;
    const struct plumb_refinement *r;
    bool diverging_is_all; /* once the specification may have diverged */
    struct plumb_budget *budget;
    struct plumb_refine_tracker spec;
    uint32_t at, set; /* where both are; PLUMB_NOWHERE: it cannot follow */
    struct plumb_error *err;
};

/* The event of the hop, if there is such an edge, and go there. */
static enum plumb_status hop(struct walk *w, const struct plumb_refine_hop *h,
                             uint32_t *event, bool *yes)
{
    *yes = h->state == w->at;
    if (!*yes)
        return PLUMB_OK;
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->impl, w->at, w->err);
    *yes = out.status == PLUMB_OK && h->index < out.count;
    if (*yes) {
        *event = out.edge[h->index].event;
        w->at = out.edge[h->index].target;
    }
    return out.status;
}

/* It is somewhere, and not where it may do anything. */
static enum plumb_status is_bound(struct walk *w, bool *yes)
{
    bool diverges = false;
    *yes = w->set != PLUMB_NOWHERE;
    if (!*yes || !w->diverging_is_all)
        return PLUMB_OK;
    const enum plumb_status status =
        plumb_refine_tracker_diverges(&w->spec, w->set, &diverges, w->err);
    *yes = !diverges;
    return status;
}

/* Before each hop the specification is bound; after the last it may be
 * nowhere. */
static enum plumb_status go(struct walk *w, uint32_t *last, bool *yes)
{
    enum plumb_status status = is_bound(w, yes);
    *last = PLUMB_TAU;
    for (uint32_t i = 0; status == PLUMB_OK && *yes && i < w->r->length; i++) {
        status = hop(w, w->r->path + i, last, yes);
        if (status != PLUMB_OK || !*yes || *last == PLUMB_TAU)
            continue;
        status = plumb_refine_tracker_after(&w->spec, w->set, *last, &w->set,
                                            w->err);
        if (status == PLUMB_OK &&
            (w->set != PLUMB_NOWHERE || i + 1 < w->r->length))
            status = is_bound(w, yes);
    }
    return status;
}

/* Stable, and refusing what the specification cannot refuse. */
static enum plumb_status refuses_too_much(struct walk *w, bool *yes)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(w->impl, w->at, w->err);
    PLUMB_TRY(out.status);
    const size_t size = (out.count + (size_t)1) * sizeof(uint32_t);
    uint32_t *const offer = plumb_base_alloc(w->budget, size);
    if (!offer)
        return plumb_base_fail_memory(w->err);
    bool stable = true, allowed = true;
    enum plumb_status status = PLUMB_OK;

    for (uint32_t i = 0; i < out.count; i++) {
        offer[i] = out.edge[i].event;
        stable = stable && offer[i] != PLUMB_TAU;
    }
    if (!plumb_base_sort(w->budget, offer, out.count, sizeof *offer,
                         plumb_base_by_number))
        status = plumb_base_fail_budget(w->budget, w->err);
    else if (stable)
        status = plumb_refine_tracker_refuses(&w->spec, w->set, offer,
                                              out.count, &allowed, w->err);
    *yes = !allowed;
    plumb_base_release(w->budget, offer, size);
    return status;
}

/* path[cycle..] are taus that lead back. */
static enum plumb_status goes_round(const struct walk *w, bool *yes)
{
    const struct plumb_refinement *const r = w->r;
    *yes = r->cycle < r->length && r->path[r->cycle].state == w->at;
    for (uint32_t i = r->cycle; *yes && i < r->length; i++) {
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(w->impl, r->path[i].state, w->err);
        PLUMB_TRY(out.status);
        *yes = out.edge[r->path[i].index].event == PLUMB_TAU;
    }
    return PLUMB_OK;
}

static enum plumb_status walk(struct walk *w,
                              enum plumb_refine_semantics semantics, bool *yes)
{
    uint32_t last;
    enum plumb_status status =
        plumb_refine_tracker_begin(&w->spec, 0, &w->set, w->err);
    if (status == PLUMB_OK)
        status = go(w, &last, yes);
    if (status != PLUMB_OK || !*yes)
        return status;
    const bool follows = w->set != PLUMB_NOWHERE;
    switch (w->r->offence) {
    case PLUMB_OFFENCE_EVENT:
        *yes = !follows && last != PLUMB_TAU;
        return PLUMB_OK;
    case PLUMB_OFFENCE_REFUSAL:
        *yes = follows && semantics != PLUMB_TRACES;
        return *yes ? refuses_too_much(w, yes) : PLUMB_OK;
    case PLUMB_OFFENCE_DIVERGENCE:
        *yes = follows && semantics == PLUMB_FAILURES_DIVERGENCES;
        return *yes ? goes_round(w, yes) : PLUMB_OK;
    case PLUMB_OFFENCE_NONE:
        break;
    }
    *yes = false;
    return PLUMB_OK;
}

enum plumb_status plumb_refine_accept_counterexample(
    struct plumb_csp_graph *impl, struct plumb_csp_graph *spec,
    enum plumb_refine_semantics semantics, const struct plumb_refinement *r,
    struct plumb_budget *budget, bool *yes, struct plumb_error *err)
{
    struct walk w = { .impl = impl,
                      .r = r,
                      .diverging_is_all =
                          semantics == PLUMB_FAILURES_DIVERGENCES,
                      .budget = budget,
                      .err = err };
    plumb_refine_tracker_init(&w.spec, spec, budget);
    const enum plumb_status status = walk(&w, semantics, yes);
    plumb_refine_tracker_release(&w.spec);
    return status;
}
