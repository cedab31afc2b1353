/* term_copies.c - |||{n} P and |||{..} P: how many are in which term.
 *
 * Copies in the same term are alike: one of them stands for all, so they give
 * one set of steps.  The operands of a MULTISET are terms, sorted, each with
 * its count.
 *
 * |||{..} is any number of copies.  A count is exact up to PLUMB_FEW_COPIES,
 * else PLUMB_MANY, which stands for every larger number.  One less than many
 * is many or the largest exact count, and both steps are made. */
#include "term_steps.h"

#include "base/fail.h"
#include "joint.h"
#include "participants.h"
#include <assert.h>

uint32_t plumb_csp_copies_normal(struct plumb_csp_terms *t, uint32_t copies,
                                 struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[copies];
    if (n.operand[0] == 0)
        return PLUMB_SKIPPED;
    const uint32_t child = plumb_csp_term_normal(t, n.operand[1], err);
    if (child == PLUMB_NO_TERM)
        return child;
    const uint32_t operand[2] = { child, n.operand[0] };
    return plumb_csp_term_make(t, PLUMB_TERM_MULTISET, operand, 2, n.origin,
                               err);
}

/* ---- one copy changes ---- */

static bool has_many(const struct plumb_csp_term_node *n)
{
    for (uint32_t i = 1; i < n->count; i += 2)
        if (n->operand[i] == PLUMB_MANY)
            return true;
    return false;
}

static uint32_t one_more(uint32_t count, bool many)
{
    if (count == PLUMB_MANY || (many && count >= PLUMB_FEW_COPIES))
        return PLUMB_MANY;
    return count + 1;
}

static bool push_member(struct plumb_csp_terms *t, uint32_t term,
                        uint32_t count)
{
    return !count ||
           (plumb_csp_term_push(t, term) && plumb_csp_term_push(t, count));
}

/* `set` with one copy of `from` less, of which `left` are left, and one of
 * `to` more. */
static uint32_t move_one(struct plumb_csp_terms *t, uint32_t set, uint32_t from,
                         uint32_t left, uint32_t to, struct plumb_error *err)
{
    const struct plumb_csp_term_node n = t->node[set];
    const bool many = has_many(&n);
    assert(n.operation == PLUMB_TERM_MULTISET && n.count % 2 == 0);
    const size_t start = t->listed;
    bool placed = false, good = true;
    for (uint32_t i = 0; good && i <= n.count; i += 2) {
        const bool end = i == n.count;
        if (!placed && (end || n.operand[i] > to)) {
            good = push_member(t, to, 1);
            placed = true;
        }
        if (end || !good)
            break;
        const uint32_t term = n.operand[i];
        uint32_t count = term == from ? left : n.operand[i + 1];
        if (term == to) {
            count = one_more(count, many);
            placed = true;
        }
        good = push_member(t, term, count);
    }
    return good ? plumb_csp_term_pop(t, start, PLUMB_TERM_MULTISET, n.origin,
                                     err)
                : plumb_csp_term_drop(t, start, err);
}

static uint32_t count_of(const struct plumb_csp_term_node *n, uint32_t term)
{
    for (uint32_t i = 0; i < n->count; i += 2)
        if (n->operand[i] == term)
            return n->operand[i + 1];
    return 0;
}

/* Step k takes one copy of `from` in `set` to `to`.  If it can be said in two
 * ways how many are left, there is one more step. */
static enum plumb_status aim(struct plumb_csp_stepping *g, uint32_t k,
                             uint32_t set, uint32_t from, uint32_t to)
{
    const uint32_t count = count_of(&g->t->node[set], from);
    assert(count);
    const bool many = count == PLUMB_MANY;
    uint32_t made =
        move_one(g->t, set, from, many ? count : count - 1, to, g->err);
    enum plumb_status status = plumb_csp_term_aim(g, k, made);
    if (status || !many)
        return status;
    made = move_one(g->t, set, from, PLUMB_FEW_COPIES, to, g->err);
    if (made == PLUMB_NO_TERM)
        return g->err->status;
    struct plumb_csp_step other = g->steps->step[k];
    struct plumb_budget *const budget = g->t->world->budget;
    const size_t stride = plumb_csp_term_stride(g);
    uint32_t *const v =
        plumb_csp_steps_vector(g->steps, stride, budget, &other.target);
    if (!v || !plumb_csp_steps_add(g->steps, &other, budget))
        return plumb_base_fail_memory(g->err);
    const uint32_t *const like = plumb_csp_steps_target(g->steps, k, stride);
    for (size_t i = 0; i + 1 < stride; i++)
        v[i] = like[i];
    return plumb_csp_term_aim(g, g->steps->count - 1, made);
}

/* ---- steps ---- */

/* Steps [k, end) of one copy of `from`; those that are added in the making
 * are complete. */
static enum plumb_status aim_all(struct plumb_csp_stepping *g, uint32_t k,
                                 uint32_t set, uint32_t from)
{
    const uint32_t end = g->steps->count;
    enum plumb_status status = PLUMB_OK;
    for (; !status && k < end; k++)
        if (g->steps->step[k].event != PLUMB_TICK)
            status = aim(g, k, set, from, *plumb_csp_term_target(g, k));
    return status;
}

/* The process that copies in the same term are together. */
static uint64_t participant(const struct plumb_csp_stepping *g, uint32_t copy)
{
    return g->who ? plumb_csp_participants_bit(g->who, g->place, copy) : 0;
}

/* The steps of one copy by itself. */
static enum plumb_status go_copy(const struct plumb_csp_stepping *g,
                                 uint32_t copy)
{
    struct plumb_csp_stepping own = *g;
    const uint32_t from = g->steps->count;
    own.who = NULL;
    const enum plumb_status status = plumb_csp_term_go(&own, copy);
    plumb_csp_participants_mark(g->steps, from, participant(g, copy));
    return status;
}

/* Ticks go; the first of them takes part in `*tick`, as in `|||`. */
static bool drop_ticks(struct plumb_csp_stepping *g, uint32_t k,
                       struct plumb_csp_step *tick)
{
    uint32_t kept = k;
    bool any = false;
    for (; k < g->steps->count; k++) {
        const struct plumb_csp_step s = g->steps->step[k];
        if (s.event != PLUMB_TICK) {
            g->steps->step[kept++] = s;
        } else if (!any) {
            const bool atomic = tick->atomic || s.atomic;
            const uint64_t processes = tick->processes | s.processes;
            *tick = s;
            tick->atomic = atomic;
            tick->processes = processes;
            any = true;
        }
    }
    g->steps->count = kept;
    return any;
}

static enum plumb_status go_members(struct plumb_csp_stepping *g, uint32_t set,
                                    bool *all_end, struct plumb_csp_step *tick)
{
    const struct plumb_csp_term_node n = g->t->node[set];
    *all_end = true;
    for (uint32_t i = 0; i < n.count; i += 2) {
        const uint32_t begin = g->steps->count;
        PLUMB_TRY(go_copy(g, n.operand[i]));
        PLUMB_TRY(aim_all(g, begin, set, n.operand[i]));
        *all_end &= drop_ticks(g, begin, tick);
        for (uint32_t k = begin; k < g->steps->count; k++)
            g->steps->step[k].owner = i;
    }
    return PLUMB_OK;
}

/* A member takes what `half` offers, which has become `set`. */
static enum plumb_status offer_to(struct plumb_csp_stepping *g, uint32_t set,
                                  uint32_t member,
                                  const struct plumb_csp_step *half)
{
    const size_t stride = plumb_csp_term_stride(g);
    const struct plumb_csp_offer offer = plumb_csp_joint_offer(g, half->event);
    const uint32_t *const v = g->steps->vector + half->target * stride;
    for (size_t i = 0; i + 1 < stride; i++)
        g->t->scratch[i] = v[i];
    struct plumb_csp_stepping taking = *g;
    taking.base = g->t->scratch;
    taking.offer = &offer;
    const uint32_t begin = g->steps->count;
    const uint32_t met =
        plumb_csp_event_meeting(g->t->world->events, half->event);
    if (met == UINT32_MAX)
        return plumb_base_fail_memory(g->err);
    const enum plumb_status status = go_copy(&taking, member);
    for (uint32_t k = begin; !status && k < g->steps->count; k++) {
        struct plumb_csp_step *const s = &g->steps->step[k];
        s->event = met;
        s->atomic |= half->atomic;
        s->program |= half->program;
        s->processes |= half->processes;
    }
    return status ? status : aim_all(g, begin, set, member);
}

static enum plumb_status add_meetings(struct plumb_csp_stepping *g,
                                      uint32_t begin, uint32_t set)
{
    const struct plumb_csp_term_node n = g->t->node[set];
    const uint32_t end = g->steps->count;
    for (uint32_t k = begin; k < end; k++) {
        const struct plumb_csp_step half = g->steps->step[k];
        if (!half.half)
            continue;
        const uint32_t after = *plumb_csp_term_target(g, k);
        for (uint32_t i = 0; i < n.count; i += 2)
            if ((i != half.owner || n.operand[i + 1] > 1) &&
                offer_to(g, after, n.operand[i], &half))
                return g->err->status;
    }
    return PLUMB_OK;
}

enum plumb_status plumb_csp_copies_go(struct plumb_csp_stepping *g,
                                      uint32_t multiset)
{
    const uint32_t begin = g->steps->count;
    bool all_end;
    struct plumb_csp_step tick = { 0 };
    enum plumb_status status = go_members(g, multiset, &all_end, &tick);
    if (status || g->offer)
        return status;
    status = add_meetings(g, begin, multiset);
    if (status || !all_end)
        return status;
    tick.owner = 0;
    return plumb_csp_term_add_step(g, tick, g->base, PLUMB_STOPPED);
}
