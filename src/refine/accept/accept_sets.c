/* accept_sets.c - where a graph can be, for those who check. */
#include "accept_sets.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include <assert.h>
#include <string.h>

enum { PAGE = PLUMB_TRACKER_PAGE };

void plumb_refine_tracker_init(struct plumb_refine_tracker *t,
                               struct plumb_csp_graph *graph,
                               struct plumb_budget *budget)
{
    memset(t, 0, sizeof *t);
    t->budget = budget;
    t->graph = graph;
    plumb_base_lists_init(&t->sets, budget);
}

static void release_event(struct plumb_refine_tracker *t,
                          struct plumb_refine_tracked_event *e)
{
    for (size_t i = 0; i < e->pages; i++)
        plumb_base_release(t->budget, e->page[i], PAGE * sizeof **e->page);
    PLUMB_RELEASE(t->budget, e->page, e->pages);
}

void plumb_refine_tracker_release(struct plumb_refine_tracker *t)
{
    for (size_t i = 0; i < t->events; i++)
        release_event(t, t->event + i);
    PLUMB_RELEASE(t->budget, t->event, t->events);
    plumb_base_lists_release(&t->sets);
    PLUMB_RELEASE(t->budget, t->mark, t->mark_room);
    PLUMB_RELEASE(t->budget, t->found, t->found_room);
}

/* ---- numbers of sets ---- */

enum plumb_status plumb_refine_tracker_number(struct plumb_refine_tracker *t,
                                              const uint32_t *member,
                                              uint32_t count, uint32_t *set,
                                              struct plumb_error *err)
{
    assert(count);
    *set = plumb_base_lists_put(&t->sets, member, count);
    return *set == PLUMB_ABSENT ? plumb_base_fail_budget(t->budget, err)
                                : PLUMB_OK;
}

bool plumb_refine_tracker_within(const struct plumb_refine_tracker *t,
                                 uint32_t a, uint32_t b)
{
    uint32_t few, many, i = 0;
    const uint32_t *const x = plumb_refine_tracker_members(t, a, &few);
    const uint32_t *const y = plumb_refine_tracker_members(t, b, &many);
    if (few > many)
        return false;
    for (uint32_t k = 0; i < few && k < many; k++)
        i += x[i] == y[k];
    return i == few;
}

/* ---- what a set becomes ---- */

static bool begin_question(struct plumb_refine_tracker *t)
{
    const size_t need = plumb_csp_graph_states(t->graph);
    if (!PLUMB_GROW_ZEROED(t->budget, t->mark, t->mark_room, need + 1))
        return false;
    if (++t->question == 0) {
        memset(t->mark, 0, t->mark_room * sizeof *t->mark);
        t->question = 1;
    }
    t->founds = 0;
    return true;
}

static bool meet(struct plumb_refine_tracker *t, uint32_t state)
{
    if (!PLUMB_GROW_ZEROED(t->budget, t->mark, t->mark_room, (size_t)state + 1))
        return false;
    if (t->mark[state] == t->question)
        return true;
    t->mark[state] = t->question;
    return PLUMB_APPEND(t->budget, t->found, t->founds, t->found_room, state);
}

/* Meet where the event leads from `state`. */
static enum plumb_status step(struct plumb_refine_tracker *t, uint32_t state,
                              uint32_t event, struct plumb_error *err)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(t->graph, state, err);
    for (uint32_t i = 0; out.status == PLUMB_OK && i < out.count; i++)
        if (out.edge[i].event == event && !meet(t, out.edge[i].target))
            return plumb_base_fail_memory(err);
    return out.status;
}

/* What was met, and by taus from there. */
static enum plumb_status finish(struct plumb_refine_tracker *t, uint32_t *set,
                                struct plumb_error *err)
{
    for (uint32_t i = 0; i < t->founds; i++)
        PLUMB_TRY(step(t, t->found[i], PLUMB_TAU, err));
    if (!plumb_base_sort(t->budget, t->found, t->founds, sizeof *t->found,
                         plumb_base_by_number))
        return plumb_base_fail_budget(t->budget, err);
    return plumb_refine_tracker_number(t, t->found, t->founds, set, err);
}

enum plumb_status plumb_refine_tracker_begin(struct plumb_refine_tracker *t,
                                             uint32_t state, uint32_t *set,
                                             struct plumb_error *err)
{
    if (!begin_question(t) || !meet(t, state))
        return plumb_base_fail_memory(err);
    return finish(t, set, err);
}

static enum plumb_status work_out(struct plumb_refine_tracker *t, uint32_t set,
                                  uint32_t event, uint32_t *after,
                                  struct plumb_error *err)
{
    uint32_t count;
    const uint32_t *const member = plumb_refine_tracker_members(t, set, &count);
    if (!begin_question(t))
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < count; i++)
        PLUMB_TRY(step(t, member[i], event, err));
    *after = PLUMB_NOWHERE;
    return t->founds ? finish(t, after, err) : PLUMB_OK;
}

/* Where the answer for this set and event is kept; NULL: no memory. */
static uint32_t *kept(struct plumb_refine_tracker *t, uint32_t set,
                      uint32_t event)
{
    if (!PLUMB_GROW_ZEROED(t->budget, t->event, t->events, event + (size_t)1))
        return NULL;
    struct plumb_refine_tracked_event *const e = t->event + event;
    const size_t page = set / PAGE;
    if (!PLUMB_GROW_ZEROED(t->budget, e->page, e->pages, page + 1))
        return NULL;
    if (!e->page[page])
        e->page[page] =
            plumb_base_alloc_zeroed(t->budget, PAGE * sizeof **e->page);
    return e->page[page] ? e->page[page] + set % PAGE : NULL;
}

enum plumb_status plumb_refine_tracker_after(struct plumb_refine_tracker *t,
                                             uint32_t set, uint32_t event,
                                             uint32_t *after,
                                             struct plumb_error *err)
{
    assert(set < t->sets.count);
    uint32_t *const answer = kept(t, set, event);
    if (!answer)
        return plumb_base_fail_memory(err);
    if (*answer == 0) {
        PLUMB_TRY(work_out(t, set, event, after, err));
        /* PLUMB_NOWHERE is kept as it is. */
        *answer = *after == PLUMB_NOWHERE ? PLUMB_NOWHERE : *after + 1;
    }
    *after = *answer == PLUMB_NOWHERE ? PLUMB_NOWHERE : *answer - 1;
    return PLUMB_OK;
}

/* ---- divergence and refusal ---- */

/* Taus from `state` to members, marked while they are left. */
static enum plumb_status taus_left(struct plumb_refine_tracker *t,
                                   uint32_t state, bool *any,
                                   struct plumb_error *err)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(t->graph, state, err);
    *any = false;
    for (uint32_t i = 0; out.status == PLUMB_OK && i < out.count; i++)
        if (out.edge[i].event == PLUMB_TAU &&
            out.edge[i].target < t->mark_room &&
            t->mark[out.edge[i].target] == t->question)
            *any = true;
    return out.status;
}

/* Take out members without taus to members that are left, again and again:
 * what stays has a cycle. */
enum plumb_status plumb_refine_tracker_diverges(struct plumb_refine_tracker *t,
                                                uint32_t set, bool *yes,
                                                struct plumb_error *err)
{
    uint32_t count, left;
    const uint32_t *const member = plumb_refine_tracker_members(t, set, &count);
    if (!begin_question(t))
        return plumb_base_fail_memory(err);
    for (uint32_t i = 0; i < count; i++)
        if (!meet(t, member[i]))
            return plumb_base_fail_memory(err);
    do {
        left = t->founds;
        for (uint32_t i = 0; i < t->founds;) {
            bool any;
            PLUMB_TRY(taus_left(t, t->found[i], &any, err));
            if (any) {
                i++;
                continue;
            }
            t->mark[t->found[i]] = 0;
            t->found[i] = t->found[--t->founds];
        }
    } while (t->founds && t->founds < left);
    *yes = t->founds > 0;
    return PLUMB_OK;
}

static bool is_among(uint32_t event, const uint32_t *offer, uint32_t offers)
{
    uint32_t low = 0, high = offers;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (offer[middle] < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low < offers && offer[low] == event;
}

enum plumb_status plumb_refine_tracker_refuses(struct plumb_refine_tracker *t,
                                               uint32_t set,
                                               const uint32_t *offer,
                                               uint32_t offers, bool *yes,
                                               struct plumb_error *err)
{
    uint32_t count;
    const uint32_t *const member = plumb_refine_tracker_members(t, set, &count);
    *yes = false;
    for (uint32_t k = 0; !*yes && k < count; k++) {
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(t->graph, member[k], err);
        uint32_t i = 0;
        PLUMB_TRY(out.status);
        while (i < out.count && out.edge[i].event != PLUMB_TAU &&
               is_among(out.edge[i].event, offer, offers))
            i++;
        *yes = i == out.count;
    }
    return PLUMB_OK;
}
