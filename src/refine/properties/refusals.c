/* refusals.c - offers of stable states, and minimal offers of sets of them.
 *
 * An offer is the sorted list of visible events of a stable state, numbered.
 * Of the offers in a set only the minimal ones matter: who offers less refuses
 * more. */
#include "refusals.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include <assert.h>
#include <string.h>

#define UNKNOWN  UINT32_MAX
#define UNSTABLE (UINT32_MAX - 1)

struct plumb_refine_set_view {
    size_t first; /* of its acceptances */
    uint32_t count;
    bool has_acceptances, has_divergence, diverges;
};

void plumb_refine_judge_init(struct plumb_refine_judge *j,
                             struct plumb_csp_graph *impl,
                             struct plumb_refine_spec_sets *sets,
                             enum plumb_refine_semantics semantics,
                             struct plumb_budget *budget)
{
    *j = (struct plumb_refine_judge){ .budget = budget,
                                      .impl = impl,
                                      .sets = sets,
                                      .semantics = semantics,
                                      .pace = { .budget = budget } };
    plumb_base_lists_init(&j->offers, budget);
    plumb_refine_divergence_init(&j->impl_divergence, impl, budget);
    plumb_refine_divergence_init(&j->spec_divergence, sets->graph, budget);
}

void plumb_refine_judge_release(struct plumb_refine_judge *j)
{
    plumb_base_lists_release(&j->offers);
    plumb_refine_divergence_release(&j->impl_divergence);
    plumb_refine_divergence_release(&j->spec_divergence);
    PLUMB_RELEASE(j->budget, j->offer, j->offer_room);
    PLUMB_RELEASE(j->budget, j->view, j->views);
    PLUMB_RELEASE(j->budget, j->acceptance, j->acceptance_room);
    PLUMB_RELEASE(j->budget, j->scratch, j->scratch_room);
    plumb_refine_judge_init(j, j->impl, j->sets, j->semantics, j->budget);
}

/* ---- offers ---- */

/* The events in scratch sorted, each once. */
static bool tidy(struct plumb_refine_judge *j, uint32_t *count)
{
    uint32_t *const event = j->scratch;
    uint32_t kept = 0;
    if (!plumb_base_sort(j->budget, event, *count, sizeof *event,
                         plumb_base_by_number))
        return false;
    for (uint32_t i = 0; i < *count; i++)
        if (!kept || event[kept - 1] != event[i])
            event[kept++] = event[i];
    *count = kept;
    return true;
}

/* The number of what `state` offers, or UNSTABLE. */
static enum plumb_status offer_of(struct plumb_refine_judge *j,
                                  struct plumb_csp_graph *graph, uint32_t state,
                                  uint32_t *offer, struct plumb_error *err)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(graph, state, err);
    PLUMB_TRY(out.status);
    if (!PLUMB_GROW(j->budget, j->scratch, j->scratch_room,
                    (size_t)out.count + 1))
        return plumb_base_fail_budget(j->budget, err);
    *offer = UNSTABLE;
    for (uint32_t i = 0; i < out.count; i++) {
        if (out.edge[i].event == PLUMB_TAU)
            return PLUMB_OK;
        j->scratch[i] = out.edge[i].event;
    }
    uint32_t count = out.count;
    *offer = tidy(j, &count)
                 ? plumb_base_lists_put(&j->offers, j->scratch, count)
                 : PLUMB_ABSENT;
    return *offer == PLUMB_ABSENT ? plumb_base_fail_budget(j->budget, err)
                                  : PLUMB_OK;
}

static enum plumb_status impl_offer(struct plumb_refine_judge *j,
                                    uint32_t state, uint32_t *offer,
                                    struct plumb_error *err)
{
    if (state >= j->offer_count) {
        if (!PLUMB_GROW(j->budget, j->offer, j->offer_room, (size_t)state + 1))
            return plumb_base_fail_budget(j->budget, err);
        for (; j->offer_count < j->offer_room; j->offer_count++)
            j->offer[j->offer_count] = UNKNOWN;
    }
    if (j->offer[state] == UNKNOWN) {
        PLUMB_TRY(offer_of(j, j->impl, state, offer, err));
        j->offer[state] = *offer;
    }
    *offer = j->offer[state];
    return PLUMB_OK;
}

static bool offers_no_more(struct plumb_refine_judge *j, uint32_t a, uint32_t b)
{
    assert(a != UNSTABLE && b != UNSTABLE);
    size_t n, m, k = 0;
    const uint32_t *const x = plumb_base_lists_get(&j->offers, a, &n);
    const uint32_t *const y = plumb_base_lists_get(&j->offers, b, &m);
    plumb_base_pace_spend(&j->pace, 1 + m);
    if (a == b)
        return true;
    for (size_t i = 0; i < n; i++, k++) {
        while (k < m && y[k] < x[i])
            k++;
        if (k == m || y[k] != x[i])
            return false;
    }
    return true;
}

/* ---- sets ---- */

static struct plumb_refine_set_view *view_of(struct plumb_refine_judge *j,
                                             uint32_t set)
{
    return PLUMB_GROW_ZEROED(j->budget, j->view, j->views, (size_t)set + 1)
               ? j->view + set
               : NULL;
}

/* Keep `offer` among those from `first` on if it is minimal. */
static bool keep_minimal(struct plumb_refine_judge *j, size_t first,
                         uint32_t offer)
{
    size_t kept = first;
    if (!plumb_base_pace_allows(&j->pace, 1))
        return false;
    for (size_t i = first; i < j->acceptances; i++)
        if (offers_no_more(j, j->acceptance[i], offer))
            return true;
    for (size_t i = first; i < j->acceptances; i++)
        if (!offers_no_more(j, offer, j->acceptance[i]))
            j->acceptance[kept++] = j->acceptance[i];
    j->acceptances = kept;
    return PLUMB_APPEND(j->budget, j->acceptance, j->acceptances,
                        j->acceptance_room, offer);
}

static enum plumb_status find_acceptances(struct plumb_refine_judge *j,
                                          uint32_t set,
                                          struct plumb_refine_set_view *view,
                                          struct plumb_error *err)
{
    uint32_t count, offer;
    const uint32_t *const member =
        plumb_refine_spec_sets_members(j->sets, set, &count);
    const size_t first = j->acceptances;
    for (uint32_t i = 0; i < count; i++) {
        PLUMB_TRY(offer_of(j, j->sets->graph, member[i], &offer, err));
        if (offer != UNSTABLE && !keep_minimal(j, first, offer))
            return plumb_base_fail_budget(j->budget, err);
    }
    view->first = first;
    view->count = (uint32_t)(j->acceptances - first);
    view->has_acceptances = true;
    return PLUMB_OK;
}

static enum plumb_status find_divergence(struct plumb_refine_judge *j,
                                         uint32_t set,
                                         struct plumb_refine_set_view *view,
                                         struct plumb_error *err)
{
    uint32_t count;
    bool yes = false;
    const uint32_t *const member =
        plumb_refine_spec_sets_members(j->sets, set, &count);
    for (uint32_t i = 0; i < count && !yes; i++)
        PLUMB_TRY(
            plumb_refine_diverges(&j->spec_divergence, member[i], &yes, err));
    view->has_divergence = true;
    view->diverges = yes;
    return PLUMB_OK;
}

/* ---- the judgement ---- */

static enum plumb_status judge_divergence(
    struct plumb_refine_judge *j, uint32_t state, uint32_t set,
    struct plumb_refine_finding_of_pair *f, struct plumb_error *err)
{
    struct plumb_refine_set_view *const view = view_of(j, set);
    bool yes = false;
    if (!view)
        return plumb_base_fail_budget(j->budget, err);
    if (!view->has_divergence)
        PLUMB_TRY(find_divergence(j, set, view, err));
    f->anything = view->diverges;
    if (!view->diverges)
        PLUMB_TRY(plumb_refine_diverges(&j->impl_divergence, state, &yes, err));
    if (yes)
        f->offence = PLUMB_OFFENCE_DIVERGENCE;
    return PLUMB_OK;
}

static enum plumb_status judge_refusal(struct plumb_refine_judge *j,
                                       uint32_t state, uint32_t set,
                                       struct plumb_refine_finding_of_pair *f,
                                       struct plumb_error *err)
{
    uint32_t offer = UNSTABLE;
    PLUMB_TRY(impl_offer(j, state, &offer, err));
    if (offer == UNSTABLE)
        return PLUMB_OK;
    struct plumb_refine_set_view *const view = view_of(j, set);
    if (!view)
        return plumb_base_fail_budget(j->budget, err);
    if (!view->has_acceptances)
        PLUMB_TRY(find_acceptances(j, set, view, err));
    if (!plumb_base_pace_allows(&j->pace, 1))
        return plumb_base_fail_budget(j->budget, err);
    for (uint32_t i = 0; i < view->count; i++)
        if (offers_no_more(j, j->acceptance[view->first + i], offer))
            return PLUMB_OK;
    f->offence = PLUMB_OFFENCE_REFUSAL;
    return PLUMB_OK;
}

enum plumb_status plumb_refine_judge_pair(
    struct plumb_refine_judge *j, uint32_t state, uint32_t set,
    struct plumb_refine_finding_of_pair *f, struct plumb_error *err)
{
    *f = (struct plumb_refine_finding_of_pair){ PLUMB_OFFENCE_NONE, false };
    assert(j->semantics != PLUMB_TRACES);
    if (j->semantics == PLUMB_FAILURES_DIVERGENCES)
        PLUMB_TRY(judge_divergence(j, state, set, f, err));
    if (f->anything || f->offence != PLUMB_OFFENCE_NONE)
        return PLUMB_OK;
    return judge_refusal(j, state, set, f, err);
}
