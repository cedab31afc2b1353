/* comparison.c - two whole graphs, minimised, and their classes compared. */
#include "comparison.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/pace.h"
#include "base/workers.h"
#include <assert.h>

/* ---- minimising ---- */

static bool minimise(void *context, unsigned member, uint32_t side)
{
    struct plumb_refine_minimised *const s =
        (struct plumb_refine_minimised *)context + side;
    (void)member;
    s->status = plumb_refine_bisimulation(&s->lts, s->divergence, s->budget,
                                          &s->partition, &s->err);
    if (s->status == PLUMB_OK)
        s->status = plumb_refine_quotient(&s->lts, &s->partition, s->divergence,
                                          s->budget, &s->quotient, &s->err);
    return s->status == PLUMB_OK;
}

static enum plumb_status minimise_both(struct plumb_refine_comparison *c,
                                       unsigned threads,
                                       struct plumb_error *err)
{
    const uint32_t failed =
        plumb_base_workers_run(threads, 2, minimise, c->side);
    if (failed == 2)
        return PLUMB_OK;
    *err = c->side[failed].err;
    return c->side[failed].status;
}

/* ---- comparing ---- */

static bool join(struct plumb_refine_comparison *j)
{
    const struct plumb_refine_quotient *const a = &j->side[0].quotient,
                                              *const b = &j->side[1].quotient;
    struct plumb_budget *const budget = j->budget;
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

static enum plumb_status compare(struct plumb_refine_comparison *c,
                                 struct plumb_error *err)
{
    if (!join(c))
        return plumb_base_fail_budget(c->budget, err);
    c->lts = (struct plumb_csp_lts){ (uint32_t)c->states, c->first, c->edge };
    PLUMB_TRY(plumb_refine_bisimulation(&c->lts, c->side[0].divergence,
                                        c->budget, &c->both, err));
    c->same = c->both.block[0] == c->both.block[c->side[0].quotient.lts.states];
    return PLUMB_OK;
}

enum plumb_status plumb_refine_comparison_make(
    struct plumb_refine_comparison *c, struct plumb_csp_graph *impl,
    struct plumb_csp_graph *spec, bool divergence, unsigned threads,
    struct plumb_budget *budget, struct plumb_error *err)
{
    *c = (struct plumb_refine_comparison){ .budget = budget };
    for (unsigned i = 0; i < 2; i++) {
        c->side[i].budget = budget;
        c->side[i].divergence = divergence;
        PLUMB_TRY(plumb_csp_graph_lts(i ? spec : impl, &c->side[i].lts, err));
    }
    PLUMB_TRY(minimise_both(c, threads, err));
    return compare(c, err);
}

void plumb_refine_comparison_forget_union(struct plumb_refine_comparison *c)
{
    plumb_refine_partition_release(&c->both, c->budget);
    PLUMB_RELEASE(c->budget, c->first, c->states + 1);
    PLUMB_RELEASE(c->budget, c->edge, c->edges);
    c->first = NULL;
    c->edge = NULL;
}

void plumb_refine_comparison_release(struct plumb_refine_comparison *c)
{
    for (unsigned i = 0; i < 2; i++) {
        plumb_refine_partition_release(&c->side[i].partition, c->budget);
        plumb_refine_quotient_release(&c->side[i].quotient, c->budget);
    }
    plumb_refine_comparison_forget_union(c);
}

/* ---- evidence ---- */

const struct plumb_refine_partition *plumb_refine_comparison_certify(
    const struct plumb_refine_comparison *c, struct plumb_base_arena *arena)
{
    const struct plumb_refine_partition *const a = &c->side[0].partition;
    const struct plumb_refine_partition *const b = &c->side[1].partition;
    struct plumb_refine_partition *const p =
        plumb_base_arena_alloc(arena, sizeof *p);
    const size_t states = (size_t)a->states + b->states;
    uint32_t *const block =
        plumb_base_arena_alloc(arena, states * sizeof *block);
    if (!p || !block || states > UINT32_MAX - 1)
        return NULL;
    for (uint32_t s = 0; s < a->states; s++) {
        if (!plumb_base_in_time(c->budget, s))
            return NULL;
        block[s] = c->both.block[a->block[s]];
    }
    for (uint32_t s = 0; s < b->states; s++) {
        if (!plumb_base_in_time(c->budget, s))
            return NULL;
        block[a->states + s] = c->both.block[a->blocks + b->block[s]];
    }
    *p = (struct plumb_refine_partition){ block, (uint32_t)states,
                                          c->both.blocks };
    return p;
}
