/* bisimilar.c - minimise both sides, compare, and search only if they differ.
 *
 * If the sides are bisimilar, each refines the other (comparison.h).  Otherwise
 * the antichain engine looks at the quotients, and what it finds is traced in
 * the implementation.  Which equivalence keeps what:
 * docs/how-verification-works.md. */
#include "base/fail.h"
#include "base/memory.h"
#include "comparison.h"
#include "refine/engines/retrace.h"
#include "refine/evidence.h"
#include <assert.h>

struct comparison {
    const struct plumb_refine_task *task;
    struct plumb_budget *budget;
    struct plumb_refinement *r;
    struct plumb_refine_comparison of;
};

/* ---- searching ---- */

/* The visible events of the path that was found on the quotient, and where it
 * ends. */
static uint32_t *trace_of(const struct comparison *c,
                          struct plumb_refine_trace_end *to)
{
    const struct plumb_refine_quotient *const q = &c->of.side[0].quotient;
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
    to->block = c->of.side[0].partition.block;
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
            plumb_csp_lts_source(&c->of.side[i].quotient.lts);
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
            &c->of.side[0].partition, c->task->arena);
        r->certificate.spec = plumb_refine_certify_partition(
            &c->of.side[1].partition, c->task->arena);
        /* Of blocks, so it says nothing without them. */
        if (!r->certificate.impl || !r->certificate.spec)
            r->certificate = (struct plumb_refine_certificate){ .both = NULL };
    }
    return status;
}

/* ---- both ---- */

static enum plumb_status decide(struct comparison *c)
{
    const struct plumb_refine_task *const t = c->task;
    PLUMB_TRY(plumb_refine_comparison_make(
        &c->of, t->impl, t->spec, t->options->semantics != PLUMB_TRACES,
        t->options->threads, c->budget, t->err));
    c->r->impl_blocks = c->of.side[0].partition.blocks;
    c->r->spec_blocks = c->of.side[1].partition.blocks;
    if (!c->of.same) {
        plumb_refine_comparison_forget_union(&c->of);
        return search(c);
    }
    c->r->decided = c->r->refines = c->r->both_ways = true;
    if (t->options->certificate)
        c->r->certificate.both =
            plumb_refine_comparison_certify(&c->of, t->arena);
    return PLUMB_OK;
}

enum plumb_status plumb_refine_bisimilar(const struct plumb_refine_task *task)
{
    assert(plumb_csp_graph_expanded(task->impl) ==
           plumb_csp_graph_states(task->impl));
    struct comparison c = { .task = task,
                            .budget = task->arena->budget,
                            .r = task->r };
    const enum plumb_status status = decide(&c);
    plumb_refine_comparison_release(&c.of);
    task->r->engine = PLUMB_ENGINE_BISIMILAR;
    return status;
}
