/* accept_relation.c - is the relation closed under steps?
 *
 * Pairs are grouped by state of the implementation.  For a state t, the sets
 * it is paired with are marked; then every edge s -e-> t is looked at, for all
 * sets that s is paired with: what the set becomes by e has to be marked, or to
 * contain one that is.  So each pair is marked once and each edge of each pair
 * is looked at once.
 *
 * With divergences, a pair whose set can diverge allows everything: nothing is
 * asked of it.  The other pairs must have no circle of taus. */
#include "accept.h"
#include "accept_sets.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/sort.h"
#include <string.h>

struct back {
    uint32_t event, source;
};

struct checking {
    const struct plumb_refine_claim *claim;
    const struct plumb_refine_relation *relation;
    struct plumb_budget *budget;
    struct plumb_refine_tracker sets;
    uint32_t *number; /* of the relation's sets, at the tracker */
    bool *allows;     /* and whether such a set allows everything */
    uint32_t states;
    /* Of each state, the sets it is paired with, at the tracker: first those
     * of which steps are asked. */
    uint32_t *first, *asked_end, *set;
    uint64_t *back_first; /* edges by target */
    struct back *back;
    uint64_t backs;
    uint32_t *met; /* by tracker's number: a state plus one that has it */
    size_t met_room;
    uint32_t *offer;
    size_t offer_room;
    struct plumb_base_pace pace;
};

static void release(struct checking *c)
{
    const struct plumb_refine_relation *const r = c->relation;
    const size_t states = c->states;
    struct plumb_budget *const b = c->budget;
    plumb_refine_tracker_release(&c->sets);
    plumb_base_release(b, c->number, r->sets * sizeof *c->number);
    plumb_base_release(b, c->allows, r->sets * sizeof *c->allows);
    plumb_base_release(b, c->first, (states + 2) * sizeof *c->first);
    plumb_base_release(b, c->set, r->pairs * sizeof *c->set);
    plumb_base_release(b, c->asked_end, (states + 1) * sizeof *c->asked_end);
    plumb_base_release(b, c->back_first, (states + 2) * sizeof *c->back_first);
    plumb_base_release(b, c->back, (size_t)c->backs * sizeof *c->back);
    plumb_base_release(b, c->met, c->met_room * sizeof *c->met);
    plumb_base_release(b, c->offer, c->offer_room * sizeof *c->offer);
}

static bool reserve(struct checking *c)
{
    const struct plumb_refine_relation *const r = c->relation;
    const size_t states = c->states;
    struct plumb_budget *const b = c->budget;
    c->number = plumb_base_alloc(b, r->sets * sizeof *c->number);
    c->allows = plumb_base_alloc_zeroed(b, r->sets * sizeof *c->allows);
    c->first = plumb_base_alloc_zeroed(b, (states + 2) * sizeof *c->first);
    c->set = plumb_base_alloc(b, r->pairs * sizeof *c->set);
    c->asked_end = plumb_base_alloc(b, (states + 1) * sizeof *c->asked_end);
    c->back_first =
        plumb_base_alloc_zeroed(b, (states + 2) * sizeof *c->back_first);
    return c->number && c->allows && c->first && c->set && c->asked_end &&
           c->back_first;
}

static bool may_spend(struct checking *c, uint64_t steps)
{
    return plumb_base_pace_allows(&c->pace, steps);
}

static bool is_asked(const struct checking *c, uint32_t state)
{
    return c->first[state] < c->asked_end[state];
}

/* ---- what is claimed ---- */

static bool is_a_set(const struct checking *c, uint32_t set)
{
    const struct plumb_refine_relation *const r = c->relation;
    const uint64_t begin = r->first[set], end = r->first[set + 1];
    for (uint64_t k = begin; k < end; k++)
        if (r->member[k] >= plumb_csp_graph_states(c->claim->spec) ||
            (k > begin && r->member[k] <= r->member[k - 1]))
            return false;
    return begin < end;
}

static enum plumb_status take_set(struct checking *c, uint32_t set, bool *yes,
                                  struct plumb_error *err)
{
    const struct plumb_refine_relation *const r = c->relation;
    if (!may_spend(c, 1 + 2 * (r->first[set + 1] - r->first[set])))
        return plumb_base_fail_budget(c->budget, err);
    *yes = is_a_set(c, set);
    if (!*yes)
        return PLUMB_OK;
    const enum plumb_status status = plumb_refine_tracker_number(
        &c->sets, r->member + r->first[set],
        (uint32_t)(r->first[set + 1] - r->first[set]), c->number + set, err);
    if (status != PLUMB_OK || c->claim->semantics != PLUMB_FAILURES_DIVERGENCES)
        return status;
    return plumb_refine_tracker_diverges(&c->sets, c->number[set],
                                         c->allows + set, err);
}

/* Sets that a pair has; the others are nobody's business. */
static enum plumb_status take_sets(struct checking *c, bool *yes,
                                   struct plumb_error *err)
{
    const struct plumb_refine_relation *const r = c->relation;
    if (!plumb_base_paced_set(c->budget, c->number, 0xff,
                              r->sets * sizeof *c->number))
        return plumb_base_fail_budget(c->budget, err);
    for (uint32_t i = 0; *yes && i < r->pairs; i++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, err);
        *yes = r->set[i] < r->sets && r->impl[i] < c->states;
        if (!*yes || c->number[r->set[i]] != PLUMB_NOWHERE)
            continue;
        const enum plumb_status status = take_set(c, r->set[i], yes, err);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

/* Those that allow everything come last in the group of a state: they cover,
 * but nothing is asked of them.  c->first[s + 1] ends as the first of s. */
static bool group_pairs(struct checking *c, bool allowing)
{
    const struct plumb_refine_relation *const r = c->relation;
    for (uint32_t i = 0; i < r->pairs; i++) {
        if (!may_spend(c, 1))
            return false;
        if (c->allows[r->set[i]] == allowing)
            c->set[c->first[r->impl[i] + 1]++] = c->number[r->set[i]];
    }
    return true;
}

static bool count_pairs(struct checking *c)
{
    const struct plumb_refine_relation *const r = c->relation;
    for (uint32_t i = 0; i < r->pairs; i++) {
        if (!may_spend(c, 1))
            return false;
        c->first[r->impl[i] + 2]++;
    }
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return false;
        c->first[s + 2] += c->first[s + 1];
    }
    return true;
}

static bool group(struct checking *c)
{
    if (!count_pairs(c) || !group_pairs(c, false) ||
        !plumb_base_paced_copy(c->budget, c->asked_end, c->first + 1,
                               c->states * sizeof *c->asked_end))
        return false;
    return c->claim->semantics != PLUMB_FAILURES_DIVERGENCES ||
           group_pairs(c, true);
}

/* ---- edges by target ---- */

static enum plumb_status count_edges(struct checking *c, bool *yes,
                                     struct plumb_error *err)
{
    const struct plumb_csp_edge *edge;
    uint32_t count;
    for (uint32_t s = 0; *yes && s < c->states; s++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, err);
        if (!is_asked(c, s))
            continue;
        const enum plumb_status status =
            plumb_csp_graph_edges(c->claim->impl, s, &edge, &count, err);
        if (status != PLUMB_OK)
            return status;
        for (uint32_t i = 0; i < count; i++) {
            *yes = *yes && edge[i].target < c->states;
            if (*yes)
                c->back_first[edge[i].target + 2]++;
        }
        c->backs += count;
    }
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, err);
        c->back_first[s + 2] += c->back_first[s + 1];
    }
    return PLUMB_OK;
}

static enum plumb_status turn_edges(struct checking *c, bool *yes,
                                    struct plumb_error *err)
{
    const struct plumb_csp_edge *edge;
    uint32_t count;
    enum plumb_status status = count_edges(c, yes, err);
    const uint64_t backs = c->backs;
    c->backs = 0;
    if (status != PLUMB_OK || !*yes)
        return status;
    c->back = plumb_base_alloc(c->budget, (size_t)backs * sizeof *c->back);
    if (!c->back)
        return plumb_base_fail_memory(err);
    c->backs = backs;
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, err);
        if (!is_asked(c, s))
            continue;
        status = plumb_csp_graph_edges(c->claim->impl, s, &edge, &count, err);
        if (status != PLUMB_OK)
            return status;
        for (uint32_t i = 0; i < count; i++)
            c->back[c->back_first[edge[i].target + 1]++] =
                (struct back){ edge[i].event, s };
    }
    return PLUMB_OK;
}

/* ---- covered ---- */

static bool make_room_to_meet(struct checking *c)
{
    const size_t had = c->met_room;
    if (!plumb_base_grow(c->budget, (void **)&c->met, &c->met_room,
                         c->sets.sets, sizeof *c->met))
        return false;
    memset(c->met + had, 0, (c->met_room - had) * sizeof *c->met);
    return true;
}

static enum plumb_status is_covered(struct checking *c, uint32_t state,
                                    uint32_t set, bool *yes,
                                    struct plumb_error *err)
{
    if (set >= c->met_room && !make_room_to_meet(c))
        return plumb_base_fail_memory(err);
    *yes = c->met[set] == state + 1;
    for (uint32_t i = c->first[state]; !*yes && i < c->first[state + 1]; i++) {
        uint32_t members;
        (void)plumb_refine_tracker_members(&c->sets, set, &members);
        if (!may_spend(c, 1 + (uint64_t)members))
            return plumb_base_fail_budget(c->budget, err);
        *yes = plumb_refine_tracker_within(&c->sets, c->set[i], set);
    }
    if (*yes)
        c->met[set] = state + 1;
    return PLUMB_OK;
}

static bool mark_group(struct checking *c, uint32_t state)
{
    for (uint32_t i = c->first[state]; i < c->first[state + 1]; i++)
        c->met[c->set[i]] = state + 1;
    return may_spend(c, 1 + c->first[state + 1] - c->first[state]);
}

static enum plumb_status begins_covered(struct checking *c, bool *yes,
                                        struct plumb_error *err)
{
    uint32_t set;
    *yes = c->claim->impl_start < c->states;
    if (!*yes)
        return PLUMB_OK;
    const enum plumb_status status =
        plumb_refine_tracker_begin(&c->sets, c->claim->spec_start, &set, err);
    return status == PLUMB_OK
               ? is_covered(c, c->claim->impl_start, set, yes, err)
               : status;
}

/* ---- closed ---- */

/* From one set by the event to a set that the target has, or one that has a
 * set of it. */
static enum plumb_status follow_one(struct checking *c, uint32_t set,
                                    uint32_t event, uint32_t target, bool *yes,
                                    struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    if (event != PLUMB_TAU)
        status = plumb_refine_tracker_after(&c->sets, set, event, &set, err);
    *yes = set != PLUMB_NOWHERE;
    return status == PLUMB_OK && *yes ? is_covered(c, target, set, yes, err)
                                      : status;
}

/* Most often the set is known and marked; there is nothing to do. */
static bool is_marked(const struct checking *c, uint32_t set, uint32_t event,
                      uint32_t target)
{
    if (event != PLUMB_TAU) {
        set = plumb_refine_tracker_known(&c->sets, set, event);
        if (set-- == 0)
            return false;
    }
    return set < c->met_room && c->met[set] == target + 1;
}

static enum plumb_status follow(struct checking *c, const struct back b,
                                uint32_t target, bool *yes,
                                struct plumb_error *err)
{
    const uint32_t begin = c->first[b.source], end = c->asked_end[b.source];
    enum plumb_status status = PLUMB_OK;
    if (!may_spend(c, 1 + 2 * (uint64_t)(end - begin)))
        return plumb_base_fail_budget(c->budget, err);
    for (uint32_t i = begin; *yes && status == PLUMB_OK && i < end; i++)
        if (!is_marked(c, c->set[i], b.event, target))
            status = follow_one(c, c->set[i], b.event, target, yes, err);
    return status;
}

static enum plumb_status is_closed(struct checking *c, bool *yes,
                                   struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    if (!make_room_to_meet(c))
        return plumb_base_fail_memory(err);
    for (uint32_t t = 0; *yes && status == PLUMB_OK && t < c->states; t++) {
        const uint64_t begin = c->back_first[t], end = c->back_first[t + 1];
        if (!mark_group(c, t))
            return plumb_base_fail_budget(c->budget, err);
        for (uint64_t i = begin; *yes && status == PLUMB_OK && i < end; i++)
            status = follow(c, c->back[i], t, yes, err);
    }
    return status;
}

/* ---- refusals and divergences ---- */

/* The events of a state, in order; `*stable` if there is no tau. */
static enum plumb_status offers_of(struct checking *c, uint32_t state,
                                   uint32_t *count, bool *stable,
                                   struct plumb_error *err)
{
    const struct plumb_csp_edge *edge;
    const enum plumb_status status =
        plumb_csp_graph_edges(c->claim->impl, state, &edge, count, err);
    if (status != PLUMB_OK)
        return status;
    if (!plumb_base_grow(c->budget, (void **)&c->offer, &c->offer_room,
                         *count + (size_t)1, sizeof *c->offer))
        return plumb_base_fail_memory(err);
    *stable = true;
    for (uint32_t i = 0; i < *count; i++) {
        c->offer[i] = edge[i].event;
        *stable = *stable && edge[i].event != PLUMB_TAU;
    }
    return plumb_base_sort(c->budget, c->offer, *count, sizeof *c->offer,
                           plumb_base_by_number)
               ? PLUMB_OK
               : plumb_base_fail_budget(c->budget, err);
}

static enum plumb_status refuses_as_allowed(struct checking *c, bool *yes,
                                            struct plumb_error *err)
{
    for (uint32_t s = 0; *yes && s < c->states; s++) {
        uint32_t offers = 0;
        bool stable = false;
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, err);
        if (!is_asked(c, s))
            continue;
        enum plumb_status status = offers_of(c, s, &offers, &stable, err);
        for (uint32_t i = c->first[s];
             status == PLUMB_OK && *yes && stable && i < c->asked_end[s]; i++)
            status = plumb_refine_tracker_refuses(&c->sets, c->set[i], c->offer,
                                                  offers, yes, err);
        if (status != PLUMB_OK)
            return status;
    }
    return PLUMB_OK;
}

/* States lose the taus that lead to states without taus, which are in `free`:
 * so many come free. */
static bool untie(struct checking *c, uint32_t *taus, uint32_t *free,
                  uint32_t *count)
{
    *count = 0;
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return false;
        if (is_asked(c, s) && taus[s] == 0)
            free[(*count)++] = s;
    }
    for (uint32_t i = 0; i < *count; i++) {
        const uint64_t begin = c->back_first[free[i]];
        const uint64_t end = c->back_first[free[i] + 1];
        if (!may_spend(c, 1 + end - begin))
            return false;
        for (uint64_t k = begin; k < end; k++)
            if (c->back[k].event == PLUMB_TAU && --taus[c->back[k].source] == 0)
                free[(*count)++] = c->back[k].source;
    }
    return true;
}

/* Taus of each state of which steps are asked, and how many those states are.
 */
static bool count_taus(struct checking *c, uint32_t *taus, uint32_t *asked)
{
    for (uint64_t i = 0; i < c->backs; i++) {
        if (!may_spend(c, 1))
            return false;
        taus[c->back[i].source] += c->back[i].event == PLUMB_TAU;
    }
    *asked = 0;
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return false;
        *asked += is_asked(c, s);
    }
    return true;
}

/* No circle of taus through states of which steps are asked.  A tau from one
 * of them leads to another, since a covering set does not allow everything
 * either. */
static enum plumb_status has_no_circle(struct checking *c, bool *yes,
                                       struct plumb_error *err)
{
    const size_t size = ((size_t)c->states + 1) * sizeof(uint32_t);
    uint32_t *const taus = plumb_base_alloc_zeroed(c->budget, size);
    uint32_t *const free = plumb_base_alloc(c->budget, size);
    uint32_t asked, untied;
    const bool known = taus && free && count_taus(c, taus, &asked) &&
                       untie(c, taus, free, &untied);
    if (known)
        *yes = untied == asked;
    plumb_base_release(c->budget, taus, size);
    plumb_base_release(c->budget, free, size);
    return known ? PLUMB_OK : plumb_base_fail_budget(c->budget, err);
}

/* ---- all of it ---- */

static enum plumb_status check(struct checking *c, bool *yes,
                               struct plumb_error *err)
{
    enum plumb_status (*const part[])(struct checking *, bool *,
                                      struct plumb_error *) = {
        turn_edges, begins_covered, is_closed, refuses_as_allowed, has_no_circle
    };
    const size_t parts = c->claim->semantics == PLUMB_TRACES     ? 3
                         : c->claim->semantics == PLUMB_FAILURES ? 4
                                                                 : 5;
    *yes = true;
    enum plumb_status status = take_sets(c, yes, err);
    if (status == PLUMB_OK && *yes && !group(c))
        status = plumb_base_fail_budget(c->budget, err);
    for (size_t i = 0; i < parts && status == PLUMB_OK && *yes; i++)
        status = part[i](c, yes, err);
    return status;
}

enum plumb_status plumb_refine_accept_relation(
    const struct plumb_refine_claim *claim,
    const struct plumb_refine_relation *relation, struct plumb_budget *budget,
    bool *yes, struct plumb_error *err)
{
    struct checking c = { .claim = claim,
                          .relation = relation,
                          .budget = budget,
                          .states = plumb_csp_graph_states(claim->impl),
                          .pace = { .budget = budget } };
    plumb_refine_tracker_init(&c.sets, claim->spec, budget);
    const enum plumb_status status =
        reserve(&c) ? check(&c, yes, err) : plumb_base_fail_memory(err);
    release(&c);
    return status;
}
