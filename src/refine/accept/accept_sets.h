/* accept_sets.h - where a graph can be, for those who check.
 *
 * Sets of states are numbered; equal sets have equal numbers.  Written apart
 * from spec_sets.h, on purpose. */
#ifndef PLUMB_REFINE_ACCEPT_ACCEPT_SETS_H
#define PLUMB_REFINE_ACCEPT_ACCEPT_SETS_H

#include "base/number_lists.h"
#include "csp/states/graph.h"
#include <assert.h>

#define PLUMB_NOWHERE UINT32_MAX

/* What sets become by one event: numbers plus one, in pages of sets. */
enum { PLUMB_TRACKER_PAGE = 1024 };
struct plumb_refine_tracked_event {
    uint32_t **page;
    size_t pages;
};

struct plumb_refine_tracker {
    struct plumb_budget *budget;
    struct plumb_csp_graph *graph;
    struct plumb_base_lists sets; /* their members, in order */
    struct plumb_refine_tracked_event *event;
    size_t events;
    uint32_t *mark; /* of states: the number of the question, if met */
    size_t mark_room;
    uint32_t question;
    uint32_t *found; /* the set that is being made */
    size_t found_room;
    uint32_t founds;
};

void plumb_refine_tracker_init(struct plumb_refine_tracker *t,
                               struct plumb_csp_graph *graph,
                               struct plumb_budget *budget);
void plumb_refine_tracker_release(struct plumb_refine_tracker *t);

/* The number of a set, whose members are in order. */
enum plumb_status plumb_refine_tracker_number(struct plumb_refine_tracker *t,
                                              const uint32_t *member,
                                              uint32_t count, uint32_t *set,
                                              struct plumb_error *err);

/* By taus from `state`. */
enum plumb_status plumb_refine_tracker_begin(struct plumb_refine_tracker *t,
                                             uint32_t state, uint32_t *set,
                                             struct plumb_error *err);

/* By the event from a member, and taus; PLUMB_NOWHERE if nobody can. */
enum plumb_status plumb_refine_tracker_after(struct plumb_refine_tracker *t,
                                             uint32_t set, uint32_t event,
                                             uint32_t *after,
                                             struct plumb_error *err);

/* The same, if it was asked before: plus one, or PLUMB_NOWHERE.  Else 0. */
static inline uint32_t plumb_refine_tracker_known(
    const struct plumb_refine_tracker *t, uint32_t set, uint32_t event)
{
    const size_t page = set / PLUMB_TRACKER_PAGE;
    if (event >= t->events || page >= t->event[event].pages ||
        !t->event[event].page[page])
        return 0;
    return t->event[event].page[page][set % PLUMB_TRACKER_PAGE];
}

static inline const uint32_t *plumb_refine_tracker_members(
    const struct plumb_refine_tracker *t, uint32_t set, uint32_t *count)
{
    size_t members;
    const uint32_t *const member =
        plumb_base_lists_get(&t->sets, set, &members);
    *count = (uint32_t)members;
    return member;
}

/* Are all members of `a` members of `b`? */
bool plumb_refine_tracker_within(const struct plumb_refine_tracker *t,
                                 uint32_t a, uint32_t b);

/* Is there a cycle of taus inside the set? */
enum plumb_status plumb_refine_tracker_diverges(struct plumb_refine_tracker *t,
                                                uint32_t set, bool *yes,
                                                struct plumb_error *err);

/* Has the set a state without taus, all of whose events are among offer[0]
 * .. offer[offers - 1] (in order)? */
enum plumb_status plumb_refine_tracker_refuses(struct plumb_refine_tracker *t,
                                               uint32_t set,
                                               const uint32_t *offer,
                                               uint32_t offers, bool *yes,
                                               struct plumb_error *err);

#endif
