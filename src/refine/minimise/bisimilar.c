/* bisimilar.c - minimise both sides, compare, and search only if they differ.
 *
 * Each side is minimised by itself, at the same time if there are two threads;
 * then the union of the two quotients is.  If its initial states are in one
 * block the sides are bisimilar, and each refines the other.  Otherwise the
 * antichain engine looks at the quotients, and what it finds is traced in the
 * implementation.  Which equivalence keeps what:
 * docs/how-verification-works.md. */
#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/workers.h"
#include "bisimulation.h"
#include "refine/engines/retrace.h"
#include "refine/evidence.h"
#include <assert.h>

struct side {
    struct plumb_budget *budget;
    struct plumb_csp_lts lts;
    bool divergence;
    struct plumb_refine_partition partition;
    struct plumb_refine_quotient quotient;
    enum plumb_status status;
    struct plumb_error err;
};

struct comparison {
    const struct plumb_refine_task *task;
    struct plumb_budget *budget;
    struct plumb_refinement *r;

    struct side side[2];                /* implementation, specification */
    struct plumb_refine_partition both; /* of the union of quotients */
};

/* ---- minimising ---- */

static bool minimise(void *context, unsigned member, uint32_t side)
{
    struct side *const s = (struct side *)context + side;
    (void)member;
    s->status = plumb_refine_bisimulation(&s->lts, s->divergence, s->budget,
                                          &s->partition, &s->err);
    if (s->status == PLUMB_OK)
        s->status = plumb_refine_quotient(&s->lts, &s->partition, s->divergence,
                                          s->budget, &s->quotient, &s->err);
    return s->status == PLUMB_OK;
}

static enum plumb_status minimise_both(struct comparison *c)
{
    const uint32_t failed =
        plumb_base_workers_run(c->task->options->threads, 2, minimise, c->side);
    if (failed == 2)
        return PLUMB_OK;
    *c->task->err = c->side[failed].err;
    return c->side[failed].status;
}

/* ---- comparing ---- */

struct joined {
    uint64_t *first;
    struct plumb_csp_edge *edge;
    size_t states, edges;
};

static bool join(const struct plumb_refine_quotient *a,
                 const struct plumb_refine_quotient *b,
                 struct plumb_budget *budget, struct joined *j)
{
    const uint32_t offset = a->lts.states;
    j->states = (size_t)offset + b->lts.states;
    j->edges = (size_t)(a->edges + b->edges);
    j->first = plumb_base_alloc(budget, (j->states + 1) * sizeof *j->first);
    j->edge = plumb_base_alloc(budget, j->edges * sizeof *j->edge);
    if (!j->first || !j->edge || j->states > UINT32_MAX - 1)
        return false;
    if (!plumb_base_paced_copy(budget, j->first, a->first,
                               offset * sizeof *j->first))
        return false;
    for (uint32_t s = 0; s <= b->lts.states; s++) {
        if (!plumb_base_in_time(budget, s))
            return false;
        j->first[offset + s] = a->edges + b->first[s];
    }
    if (!plumb_base_paced_copy(budget, j->edge, a->edge,
                               (size_t)a->edges * sizeof *j->edge))
        return false;
    for (uint64_t i = 0; i < b->edges; i++) {
        if (!plumb_base_in_time(budget, i))
            return false;
        j->edge[a->edges + i] =
            (struct plumb_csp_edge){ b->edge[i].event,
                                     b->edge[i].target + offset };
    }
    return true;
}

static enum plumb_status compare(struct comparison *c, bool *same)
{
    const struct plumb_refine_quotient *const a = &c->side[0].quotient;
    struct joined j = { .first = NULL };
    enum plumb_status status = PLUMB_OK;
    if (!join(a, &c->side[1].quotient, c->budget, &j))
        status = plumb_base_fail_budget(c->budget, c->task->err);
    const struct plumb_csp_lts lts = { (uint32_t)j.states, j.first, j.edge };
    if (status == PLUMB_OK)
        status = plumb_refine_bisimulation(&lts, c->side[0].divergence,
                                           c->budget, &c->both, c->task->err);
    if (status == PLUMB_OK)
        *same = c->both.block[0] == c->both.block[a->lts.states];
    PLUMB_RELEASE(c->budget, j.first, j.states + 1);
    PLUMB_RELEASE(c->budget, j.edge, j.edges);
    return status;
}

/* One partition of the states of both graphs; none if it is refused. */
static void certify_both(struct comparison *c)
{
    const struct plumb_refine_partition *const a = &c->side[0].partition;
    const struct plumb_refine_partition *const b = &c->side[1].partition;
    struct plumb_refine_partition *const p =
        plumb_base_arena_alloc(c->task->arena, sizeof *p);
    const size_t states = (size_t)a->states + b->states;
    uint32_t *const block =
        plumb_base_arena_alloc(c->task->arena, states * sizeof *block);
    if (!p || !block || states > UINT32_MAX - 1)
        return;
    for (uint32_t s = 0; s < a->states; s++) {
        if (!plumb_base_in_time(c->budget, s))
            return;
        block[s] = c->both.block[a->block[s]];
    }
    for (uint32_t s = 0; s < b->states; s++) {
        if (!plumb_base_in_time(c->budget, s))
            return;
        block[a->states + s] = c->both.block[a->blocks + b->block[s]];
    }
    *p = (struct plumb_refine_partition){ block, (uint32_t)states,
                                          c->both.blocks };
    c->r->certificate.both = p;
}

/* ---- searching ---- */

/* The visible events of the path that was found on the quotient, and where it
 * ends. */
static uint32_t *trace_of(const struct comparison *c,
                          struct plumb_refine_trace_end *to)
{
    const struct plumb_refine_quotient *const q = &c->side[0].quotient;
    const struct plumb_refinement *const r = c->r;
    uint32_t *const event =
        plumb_base_alloc(c->budget, r->length * sizeof *event);
    uint32_t count = 0, at = 0;
    if (!event)
        return NULL;
    to->last = 0;
    for (uint32_t i = 0; i < r->length; i++) {
        const struct plumb_csp_edge edge =
            q->edge[q->first[r->path[i].state] + r->path[i].index];
        if (edge.event != PLUMB_TAU)
            event[count++] = edge.event;
        at = edge.target;
        if (r->offence != PLUMB_OFFENCE_DIVERGENCE || i < r->cycle)
            to->last = at;
    }
    to->event = event;
    to->count = count;
    to->offence = r->offence;
    to->block = c->side[0].partition.block;
    return event;
}

static enum plumb_status map_back(struct comparison *c)
{
    struct plumb_refine_trace_end to;
    struct plumb_refinement *const r = c->r;
    const uint32_t length = r->length;
    uint32_t *const event = trace_of(c, &to);
    if (!event)
        return plumb_base_fail_memory(c->task->err);
    const enum plumb_status status = plumb_refine_retrace(
        c->task->impl, &to, c->budget, c->task->arena, r, c->task->err);
    PLUMB_RELEASE(c->budget, event, length);
    return status;
}

static enum plumb_status search(struct comparison *c)
{
    struct plumb_csp_graph *graph[2] = { NULL, NULL };
    struct plumb_refinement *const r = c->r;
    enum plumb_status status = PLUMB_OK;
    for (unsigned i = 0; i < 2 && status == PLUMB_OK; i++) {
        const struct plumb_csp_graph_source source =
            plumb_csp_lts_source(&c->side[i].quotient.lts);
        status =
            plumb_csp_graph_open(graph + i, &source, c->budget, c->task->err);
    }
    struct plumb_refine_task quotients = *c->task;
    quotients.impl = graph[0];
    quotients.spec = graph[1];
    if (status == PLUMB_OK)
        status = plumb_refine_antichain(&quotients);
    for (unsigned i = 0; i < 2; i++)
        plumb_csp_graph_free(graph[i]);
    if (status == PLUMB_OK && !r->refines)
        status = map_back(c);
    if (status == PLUMB_OK && r->refines && c->task->options->certificate) {
        r->certificate.impl = plumb_refine_certify_partition(
            &c->side[0].partition, c->task->arena);
        r->certificate.spec = plumb_refine_certify_partition(
            &c->side[1].partition, c->task->arena);
        /* Of blocks, so it says nothing without them. */
        if (!r->certificate.impl || !r->certificate.spec)
            r->certificate = (struct plumb_refine_certificate){ .both = NULL };
    }
    return status;
}

/* ---- both ---- */

static enum plumb_status decide(struct comparison *c)
{
    bool same;
    PLUMB_TRY(minimise_both(c));
    c->r->impl_blocks = c->side[0].partition.blocks;
    c->r->spec_blocks = c->side[1].partition.blocks;
    PLUMB_TRY(compare(c, &same));
    if (!same)
        return search(c);
    c->r->decided = c->r->refines = c->r->both_ways = true;
    if (c->task->options->certificate)
        certify_both(c);
    return PLUMB_OK;
}

static void release(struct comparison *c)
{
    for (unsigned i = 0; i < 2; i++) {
        plumb_refine_partition_release(&c->side[i].partition, c->budget);
        plumb_refine_quotient_release(&c->side[i].quotient, c->budget);
    }
    plumb_refine_partition_release(&c->both, c->budget);
}

enum plumb_status plumb_refine_bisimilar(const struct plumb_refine_task *task)
{
    assert(plumb_csp_graph_expanded(task->impl) ==
           plumb_csp_graph_states(task->impl));
    struct plumb_budget *const budget = task->arena->budget;
    struct comparison c = { .task = task, .budget = budget, .r = task->r };
    enum plumb_status status =
        plumb_csp_graph_lts(task->impl, &c.side[0].lts, task->err);
    if (status == PLUMB_OK)
        status = plumb_csp_graph_lts(task->spec, &c.side[1].lts, task->err);
    for (unsigned i = 0; i < 2; i++) {
        c.side[i].budget = budget;
        c.side[i].divergence = task->options->semantics != PLUMB_TRACES;
    }
    if (status == PLUMB_OK)
        status = decide(&c);
    release(&c);
    task->r->engine = PLUMB_ENGINE_BISIMILAR;
    return status;
}
