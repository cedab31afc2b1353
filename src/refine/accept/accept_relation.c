/* accept_relation.c - is the relation closed under steps?
 *
 * Pairs are grouped by state of the implementation.  For a state t, the sets
 * it is paired with are marked; then every edge s -e-> t is looked at, for all
 * sets that s is paired with: what the set becomes by e has to be marked, or to
 * contain one that is.  So each pair is marked once and each edge of each pair
 * is looked at once.
 *
 * With divergences, a pair whose set can diverge allows everything: nothing is
 * asked of it.  The other pairs must have no cycle of taus. */
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
    struct plumb_error *err;
};

static void release(struct checking *c)
{
    const struct plumb_refine_relation *const r = c->relation;
    const size_t states = c->states;
    struct plumb_budget *const b = c->budget;
    plumb_refine_tracker_release(&c->sets);
    PLUMB_RELEASE(b, c->number, r->sets);
    PLUMB_RELEASE(b, c->allows, r->sets);
    PLUMB_RELEASE(b, c->first, states + 2);
    PLUMB_RELEASE(b, c->set, r->pairs);
    PLUMB_RELEASE(b, c->asked_end, states + 1);
    PLUMB_RELEASE(b, c->back_first, states + 2);
    PLUMB_RELEASE(b, c->back, c->backs);
    PLUMB_RELEASE(b, c->met, c->met_room);
    PLUMB_RELEASE(b, c->offer, c->offer_room);
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

static enum plumb_status take_set(struct checking *c, uint32_t set, bool *yes)
{
    const struct plumb_refine_relation *const r = c->relation;
    if (!may_spend(c, 1 + 2 * (r->first[set + 1] - r->first[set])))
        return plumb_base_fail_budget(c->budget, c->err);
    *yes = is_a_set(c, set);
    if (!*yes)
        return PLUMB_OK;
    const enum plumb_status status = plumb_refine_tracker_number(
        &c->sets, r->member + r->first[set],
        (uint32_t)(r->first[set + 1] - r->first[set]), c->number + set, c->err);
    if (status != PLUMB_OK || c->claim->semantics != PLUMB_FAILURES_DIVERGENCES)
        return status;
    return plumb_refine_tracker_diverges(&c->sets, c->number[set],
                                         c->allows + set, c->err);
}

/* Sets that a pair has; the others are nobody's business. */
static enum plumb_status take_sets(struct checking *c, bool *yes)
{
    const struct plumb_refine_relation *const r = c->relation;
    if (!plumb_base_paced_set(c->budget, c->number, 0xff,
                              r->sets * sizeof *c->number))
        return plumb_base_fail_budget(c->budget, c->err);
    for (uint32_t i = 0; *yes && i < r->pairs; i++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, c->err);
        *yes = r->set[i] < r->sets && r->impl[i] < c->states;
        if (!*yes || c->number[r->set[i]] != PLUMB_NOWHERE)
            continue;
        PLUMB_TRY(take_set(c, r->set[i], yes));
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

static enum plumb_status count_edges(struct checking *c, bool *yes)
{
    for (uint32_t s = 0; *yes && s < c->states; s++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, c->err);
        if (!is_asked(c, s))
            continue;
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(c->claim->impl, s, c->err);
        PLUMB_TRY(out.status);
        for (uint32_t i = 0; i < out.count; i++) {
            *yes = *yes && out.edge[i].target < c->states;
            if (*yes)
                c->back_first[out.edge[i].target + 2]++;
        }
        c->backs += out.count;
    }
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, c->err);
        c->back_first[s + 2] += c->back_first[s + 1];
    }
    return PLUMB_OK;
}

static enum plumb_status turn_edges(struct checking *c, bool *yes)
{
    const enum plumb_status status = count_edges(c, yes);
    const uint64_t backs = c->backs;
    c->backs = 0;
    if (status != PLUMB_OK || !*yes)
        return status;
    c->back = plumb_base_alloc(c->budget, (size_t)backs * sizeof *c->back);
    if (!c->back)
        return plumb_base_fail_memory(c->err);
    c->backs = backs;
    for (uint32_t s = 0; s < c->states; s++) {
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, c->err);
        if (!is_asked(c, s))
            continue;
        const struct plumb_csp_outgoing out =
            plumb_csp_graph_edges(c->claim->impl, s, c->err);
        PLUMB_TRY(out.status);
        for (uint32_t i = 0; i < out.count; i++)
            c->back[c->back_first[out.edge[i].target + 1]++] =
                (struct back){ out.edge[i].event, s };
    }
    return PLUMB_OK;
}

/* ---- covered ---- */

static bool make_room_to_meet(struct checking *c)
{
    return PLUMB_GROW_ZEROED(c->budget, c->met, c->met_room,
                             c->sets.sets.count);
}

static enum plumb_status is_covered(struct checking *c, uint32_t state,
                                    uint32_t set, bool *yes)
{
    if (set >= c->met_room && !make_room_to_meet(c))
        return plumb_base_fail_memory(c->err);
    *yes = c->met[set] == state + 1;
    for (uint32_t i = c->first[state]; !*yes && i < c->first[state + 1]; i++) {
        uint32_t members;
        (void)plumb_refine_tracker_members(&c->sets, set, &members);
        if (!may_spend(c, 1 + (uint64_t)members))
            return plumb_base_fail_budget(c->budget, c->err);
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

static enum plumb_status begins_covered(struct checking *c, bool *yes)
{
    uint32_t set;
    *yes = c->claim->impl_start < c->states;
    if (!*yes)
        return PLUMB_OK;
    PLUMB_TRY(plumb_refine_tracker_begin(&c->sets, c->claim->spec_start, &set,
                                         c->err));
    return is_covered(c, c->claim->impl_start, set, yes);
}

/* ---- closed ---- */

/* From one set by the event to a set that the target has, or one that has a
 * set of it. */
static enum plumb_status follow_one(struct checking *c, uint32_t set,
                                    uint32_t event, uint32_t target, bool *yes)
{
    enum plumb_status status = PLUMB_OK;
    if (event != PLUMB_TAU)
        status = plumb_refine_tracker_after(&c->sets, set, event, &set, c->err);
    *yes = set != PLUMB_NOWHERE;
    return status == PLUMB_OK && *yes ? is_covered(c, target, set, yes)
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
                                uint32_t target, bool *yes)
{
    const uint32_t begin = c->first[b.source], end = c->asked_end[b.source];
    enum plumb_status status = PLUMB_OK;
    if (!may_spend(c, 1 + 2 * (uint64_t)(end - begin)))
        return plumb_base_fail_budget(c->budget, c->err);
    for (uint32_t i = begin; *yes && status == PLUMB_OK && i < end; i++)
        if (!is_marked(c, c->set[i], b.event, target))
            status = follow_one(c, c->set[i], b.event, target, yes);
    return status;
}

static enum plumb_status is_closed(struct checking *c, bool *yes)
{
    enum plumb_status status = PLUMB_OK;
    if (!make_room_to_meet(c))
        return plumb_base_fail_memory(c->err);
    for (uint32_t t = 0; *yes && status == PLUMB_OK && t < c->states; t++) {
        const uint64_t begin = c->back_first[t], end = c->back_first[t + 1];
        if (!mark_group(c, t))
            return plumb_base_fail_budget(c->budget, c->err);
        for (uint64_t i = begin; *yes && status == PLUMB_OK && i < end; i++)
            status = follow(c, c->back[i], t, yes);
    }
    return status;
}

/* ---- refusals and divergences ---- */

/* The events of a state, in order; `*stable` if there is no tau. */
static enum plumb_status offers_of(struct checking *c, uint32_t state,
                                   uint32_t *count, bool *stable)
{
    const struct plumb_csp_outgoing out =
        plumb_csp_graph_edges(c->claim->impl, state, c->err);
    PLUMB_TRY(out.status);
    if (!PLUMB_GROW(c->budget, c->offer, c->offer_room, out.count + (size_t)1))
        return plumb_base_fail_memory(c->err);
    *stable = true;
    *count = out.count;
    for (uint32_t i = 0; i < out.count; i++) {
        c->offer[i] = out.edge[i].event;
        *stable = *stable && out.edge[i].event != PLUMB_TAU;
    }
    return plumb_base_sort(c->budget, c->offer, out.count, sizeof *c->offer,
                           plumb_base_by_number)
               ? PLUMB_OK
               : plumb_base_fail_budget(c->budget, c->err);
}

static enum plumb_status refuses_as_allowed(struct checking *c, bool *yes)
{
    for (uint32_t s = 0; *yes && s < c->states; s++) {
        uint32_t offers = 0;
        bool stable = false;
        if (!may_spend(c, 1))
            return plumb_base_fail_budget(c->budget, c->err);
        if (!is_asked(c, s))
            continue;
        enum plumb_status status = offers_of(c, s, &offers, &stable);
        for (uint32_t i = c->first[s];
             status == PLUMB_OK && *yes && stable && i < c->asked_end[s]; i++)
            status = plumb_refine_tracker_refuses(&c->sets, c->set[i], c->offer,
                                                  offers, yes, c->err);
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

/* No cycle of taus through states of which steps are asked.  A tau from one
 * of them leads to another, since a covering set does not allow everything
 * either. */
static enum plumb_status has_no_cycle(struct checking *c, bool *yes)
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
    return known ? PLUMB_OK : plumb_base_fail_budget(c->budget, c->err);
}

/* ---- all of it ---- */

static enum plumb_status check(struct checking *c, bool *yes)
{
    enum plumb_status (*const part[])(struct checking *, bool *) = {
        turn_edges, begins_covered, is_closed, refuses_as_allowed, has_no_cycle
    };
    const size_t parts = c->claim->semantics == PLUMB_TRACES     ? 3
                         : c->claim->semantics == PLUMB_FAILURES ? 4
                                                                 : 5;
    *yes = true;
    enum plumb_status status = take_sets(c, yes);
    if (status == PLUMB_OK && *yes && !group(c))
        status = plumb_base_fail_budget(c->budget, c->err);
    for (size_t i = 0; i < parts && status == PLUMB_OK && *yes; i++)
        status = part[i](c, yes);
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
                          .err = err,
                          .states = plumb_csp_graph_states(claim->impl),
                          .pace = { .budget = budget } };
    plumb_refine_tracker_init(&c.sets, claim->spec, budget);
    const enum plumb_status status =
        reserve(&c) ? check(&c, yes) : plumb_base_fail_memory(err);
    release(&c);
    return status;
}
