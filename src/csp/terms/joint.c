/* joint.c - steps of several processes side by side.
 *
 * All operands add their steps first, each marked with its owner.  Those that
 * need nobody else stay where they are; joint ones are added, and what was
 * only a part of a joint step is dropped. */
#include "joint.h"

#include "base/fail.h"
#include <assert.h>
#include <string.h>

/* The steps of the operands: [begin, end). */
struct parts {
    const struct plumb_csp_joint *j;
    struct plumb_csp_stepping *g;
    uint32_t begin, end;
};

static uint32_t *vector_of(const struct parts *p, uint32_t target)
{
    return p->g->steps->vector + target * p->j->stride;
}

/* A copy of vector `from`; NULL, with an error, when memory is refused. */
static uint32_t *copy_vector(const struct parts *p, uint32_t from,
                             uint32_t *copy)
{
    uint32_t *const v = plumb_csp_steps_vector(p->g->steps, p->j->stride,
                                               p->g->t->world->budget, copy);
    if (v)
        memcpy(v, vector_of(p, from), p->j->stride * sizeof *v);
    else
        plumb_base_fail_memory(p->g->err);
    return v;
}

static enum plumb_status add(const struct parts *p,
                             const struct plumb_csp_step *step)
{
    return plumb_csp_steps_add(p->g->steps, step, p->g->t->world->budget)
               ? PLUMB_OK
               : plumb_base_fail_memory(p->g->err);
}

static enum plumb_status place(const struct parts *p, uint32_t operand,
                               uint32_t target)
{
    return p->j->place ? p->j->place(p->j->context, operand,
                                     vector_of(p, target), p->g->err)
                       : PLUMB_OK;
}

static void take_part(struct plumb_csp_step *all,
                      const struct plumb_csp_step *one)
{
    all->actors |= one->actors;
    all->processes |= one->processes;
    all->atomic |= one->atomic;
    all->program |= one->program;
}

/* ---- the operands ---- */

static enum plumb_status go_operands(struct parts *p)
{
    p->begin = p->end = p->g->steps->count;
    for (uint32_t i = 0; i < p->j->operands; i++) {
        PLUMB_TRY(p->j->go(p->j->context, i, p->g));
        for (; p->end < p->g->steps->count; p->end++)
            p->g->steps->step[p->end].owner = i;
    }
    return PLUMB_OK;
}

/* ---- events that are shared ---- */

static bool has(const struct parts *p, uint32_t operand, uint32_t event)
{
    return plumb_csp_event_sets_has(&p->g->t->sets, p->j->alphabet[operand],
                                    event);
}

static bool is_shared(const struct parts *p, const struct plumb_csp_step *s)
{
    return p->j->alphabet && s->event >= PLUMB_FIRST_EVENT && !s->program &&
           !s->half && has(p, s->owner, s->event);
}

static uint32_t next_sharer(const struct parts *p, uint32_t event,
                            uint32_t operand)
{
    while (operand < p->j->operands && !has(p, operand, event))
        operand++;
    return operand;
}

/* `partial` is the step as far as operands before `operand` take part. */
static enum plumb_status join_from(const struct parts *p, uint32_t operand,
                                   const struct plumb_csp_step *partial)
{
    assert(p->j->alphabet && p->j->merge);
    operand = next_sharer(p, partial->event, operand);
    if (operand == p->j->operands)
        return add(p, partial);
    for (uint32_t k = p->begin; k < p->end; k++) {
        const struct plumb_csp_step s = p->g->steps->step[k];
        if (s.owner != operand || s.event != partial->event ||
            !is_shared(p, &s))
            continue;
        struct plumb_csp_step joined = *partial;
        take_part(&joined, &s);
        uint32_t *const v = copy_vector(p, partial->target, &joined.target);
        if (!v)
            return PLUMB_EMEMORY;
        PLUMB_TRY(p->j->merge(p->j->context, operand, vector_of(p, s.target), v,
                              p->g->err));
        PLUMB_TRY(join_from(p, operand + 1, &joined));
    }
    return PLUMB_OK;
}

/* Each joint step is made from the part of the first that shares it. */
static enum plumb_status join(const struct parts *p, uint32_t k)
{
    struct plumb_csp_step first = p->g->steps->step[k];
    if (next_sharer(p, first.event, 0) != first.owner)
        return PLUMB_OK;
    if (!copy_vector(p, first.target, &first.target))
        return PLUMB_EMEMORY;
    PLUMB_TRY(place(p, first.owner, first.target));
    return join_from(p, first.owner + 1, &first);
}

/* ---- termination ---- */

static bool all_terminate(const struct parts *p, struct plumb_csp_step *tick)
{
    uint32_t next = 0;
    for (uint32_t k = p->begin; k < p->end; k++) {
        const struct plumb_csp_step *const s = &p->g->steps->step[k];
        if (s->event != PLUMB_TICK || s->owner != next)
            continue;
        if (next == 0)
            *tick = *s;
        take_part(tick, s);
        next++;
    }
    return next == p->j->operands;
}

static enum plumb_status add_tick(const struct parts *p,
                                  struct plumb_csp_step tick)
{
    uint32_t *const v = copy_vector(p, tick.target, &tick.target);
    if (!v)
        return PLUMB_EMEMORY;
    p->j->finish(p->j->context, v);
    return add(p, &tick);
}

/* ---- messages ---- */

struct plumb_csp_offer plumb_csp_joint_offer(const struct plumb_csp_stepping *g,
                                             uint32_t event)
{
    struct plumb_csp_offer o = { .event = event };
    const struct plumb_csp_world *const w = g->t->world;
    plumb_csp_event_numbers_parts(w->events, event, &o.channel, &o.value,
                                  &o.count);
    if (w->model->channel[o.channel].array) {
        o.index = o.value[0];
        o.value++;
        o.count--;
    }
    return o;
}

/* Step k takes what `half` offers: make it the step of both. */
static enum plumb_status meet(const struct parts *p, uint32_t k,
                              uint32_t operand,
                              const struct plumb_csp_step *half)
{
    struct plumb_csp_step both = p->g->steps->step[k];
    const uint32_t receiver = both.target;
    both.event = plumb_csp_event_meeting(p->g->t->world->events, half->event);
    if (both.event == UINT32_MAX)
        return plumb_base_fail_memory(p->g->err);
    both.owner = half->owner;
    both.effect[1] = both.effect[0];
    both.effect[0] = half->effect[0];
    take_part(&both, half);
    uint32_t *const v = copy_vector(p, half->target, &both.target);
    if (!v)
        return PLUMB_EMEMORY;
    memcpy(v, vector_of(p, receiver), p->j->globals * sizeof *v);
    p->g->steps->step[k] = both;
    return p->j->merge(p->j->context, operand, vector_of(p, receiver), v,
                       p->g->err);
}

static enum plumb_status offer_to(const struct parts *p, uint32_t operand,
                                  const struct plumb_csp_step *half)
{
    const struct plumb_csp_offer offer =
        plumb_csp_joint_offer(p->g, half->event);
    memcpy(p->g->t->scratch, vector_of(p, half->target),
           p->j->globals * sizeof *p->g->t->scratch);
    struct plumb_csp_stepping g = *p->g;
    g.base = g.t->scratch;
    g.offer = &offer;
    uint32_t k = g.steps->count;
    enum plumb_status status = p->j->go(p->j->context, operand, &g);
    for (; !status && k < g.steps->count; k++)
        status = meet(p, k, operand, half);
    return status;
}

static enum plumb_status add_meetings(const struct parts *p)
{
    const uint32_t end = p->g->steps->count;
    for (uint32_t k = p->begin; k < end; k++) {
        const struct plumb_csp_step half = p->g->steps->step[k];
        if (!half.half)
            continue;
        if (plumb_csp_steps_in_time(p->g->t->world, k, p->g->err))
            return p->g->err->status;
        for (uint32_t i = 0; i < p->j->operands; i++)
            if (i != half.owner && offer_to(p, i, &half))
                return p->g->err->status;
    }
    return PLUMB_OK;
}

/* ---- all of it ---- */

/* Steps of one operand stay, in their order; the others are replaced. */
static enum plumb_status sort_out(const struct parts *p, uint32_t *kept)
{
    for (uint32_t k = p->begin; k < p->end; k++) {
        const struct plumb_csp_step s = p->g->steps->step[k];
        PLUMB_TRY(plumb_csp_steps_in_time(p->g->t->world, k, p->g->err));
        if (s.event == PLUMB_TICK)
            continue;
        if (is_shared(p, &s)) {
            PLUMB_TRY(join(p, k));
            continue;
        }
        PLUMB_TRY(place(p, s.owner, s.target));
        if (p->j->alphabet)
            PLUMB_TRY(add(p, &s));
        else
            p->g->steps->step[(*kept)++] = s;
    }
    return PLUMB_OK;
}

/* What was added goes where the parts were. */
static void close_gap(const struct parts *p, uint32_t kept)
{
    struct plumb_csp_steps *const steps = p->g->steps;
    const uint32_t added = steps->count - p->end;
    if (added)
        memmove(steps->step + kept, steps->step + p->end,
                added * sizeof *steps->step);
    steps->count = kept + added;
}

static enum plumb_status place_all(const struct parts *p)
{
    for (uint32_t k = p->begin; k < p->end; k++) {
        const struct plumb_csp_step s = p->g->steps->step[k];
        PLUMB_TRY(place(p, s.owner, s.target));
    }
    return PLUMB_OK;
}

enum plumb_status plumb_csp_joint_go(const struct plumb_csp_joint *j,
                                     struct plumb_csp_stepping *g)
{
    struct parts p = { j, g, 0, 0 };
    struct plumb_csp_step tick;
    PLUMB_TRY(go_operands(&p));
    if (g->offer)
        return place_all(&p);
    uint32_t kept = p.begin;
    const bool ends = all_terminate(&p, &tick);
    PLUMB_TRY(sort_out(&p, &kept));
    if (ends)
        PLUMB_TRY(add_tick(&p, tick));
    close_gap(&p, kept);
    return add_meetings(&p);
}
