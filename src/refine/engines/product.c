/* product.c - the pairs are their own queue.
 *
 * Successors are collected over several pairs and looked up together
 * (pair_store.h).  They are put in in the order they were found, so numbers,
 * depths and parents are what they would be one by one.  A level is finished
 * before the next one begins. */
#include "product.h"

#include "base/fail.h"
#include "base/memory.h"
#include <string.h>

void plumb_refine_product_init(struct plumb_refine_product *p,
                               struct plumb_csp_graph *impl,
                               struct plumb_csp_graph *spec,
                               const struct plumb_refine_options *options,
                               struct plumb_budget *budget)
{
    memset(p, 0, sizeof *p);
    p->budget = budget;
    p->impl = impl;
    p->options = options;
    plumb_refine_spec_sets_init(&p->sets, spec, budget);
    plumb_refine_judge_init(&p->judge, impl, &p->sets, options->semantics,
                            budget);
    plumb_refine_pairs_init(&p->pairs, budget);
    plumb_refine_parents_init(&p->parents, budget);
}

void plumb_refine_product_release(struct plumb_refine_product *p)
{
    plumb_refine_judge_release(&p->judge);
    plumb_refine_spec_sets_release(&p->sets);
    plumb_refine_pairs_release(&p->pairs);
    plumb_refine_parents_release(&p->parents);
    plumb_base_release(p->budget, p->copy, p->copy_room * sizeof *p->copy);
    p->copy = NULL;
    p->copy_room = 0;
}

static enum plumb_status begin(struct plumb_refine_product *p,
                               struct plumb_error *err)
{
    uint32_t set;
    bool fresh;
    const enum plumb_status status =
        plumb_refine_spec_sets_initial(&p->sets, &set, err);
    if (status != PLUMB_OK)
        return status;
    const uint64_t pair = plumb_refine_pair(0, set);
    if (!plumb_refine_pairs_add(&p->pairs, &pair, 1, &fresh))
        return plumb_base_fail_budget(p->budget, err);
    p->level_end = 1;
    return PLUMB_OK;
}

/* ---- successors ---- */

static bool end_parents(struct plumb_refine_product *p, uint32_t count)
{
    while (count--)
        if (!plumb_refine_parents_add(&p->parents, false))
            return false;
    return true;
}

/* Look up what was collected. */
static bool flush(struct plumb_refine_product *p)
{
    bool fresh[PLUMB_PRODUCT_BATCH];
    if (!plumb_refine_pairs_add(&p->pairs, p->found, p->founds, fresh))
        return false;
    for (uint32_t i = 0; i < p->founds; i++)
        if (!end_parents(p, p->ended[i]) ||
            (fresh[i] && !plumb_refine_parents_add(&p->parents, true)))
            return false;
    p->founds = 0;
    return true;
}

static bool collect(struct plumb_refine_product *p, uint32_t state,
                    uint32_t set)
{
    if (p->founds == PLUMB_PRODUCT_BATCH && !flush(p))
        return false;
    p->found[p->founds] = plumb_refine_pair(state, set);
    p->ended[p->founds++] = p->ending;
    p->ending = 0;
    return true;
}

/* Edges that stay while the specification is asked. */
static enum plumb_status edges_of(struct plumb_refine_product *p,
                                  uint32_t state,
                                  const struct plumb_csp_edge **edge,
                                  uint32_t *count, struct plumb_error *err)
{
    const enum plumb_status status =
        plumb_csp_graph_edges(p->impl, state, edge, count, err);
    if (status != PLUMB_OK || p->impl != p->sets.graph)
        return status;
    if (!plumb_base_grow(p->budget, (void **)&p->copy, &p->copy_room,
                         (size_t)*count + 1, sizeof *p->copy))
        return plumb_base_fail_budget(p->budget, err);
    if (*count)
        memcpy(p->copy, *edge, *count * sizeof *p->copy);
    *edge = p->copy;
    return PLUMB_OK;
}

static enum plumb_status follow(struct plumb_refine_product *p, uint64_t pair,
                                struct plumb_refine_offending *o,
                                struct plumb_error *err)
{
    const struct plumb_csp_edge *edge;
    const uint32_t set = plumb_refine_pair_right(pair);
    uint32_t count;
    enum plumb_status status =
        edges_of(p, plumb_refine_pair_left(pair), &edge, &count, err);
    for (uint32_t i = 0; status == PLUMB_OK && i < count; i++) {
        uint32_t after = set;
        if (edge[i].event != PLUMB_TAU)
            status = plumb_refine_spec_sets_after(&p->sets, set, edge[i].event,
                                                  &after, err);
        if (status != PLUMB_OK)
            break;
        if (after == PLUMB_NO_SET) {
            *o = (struct plumb_refine_offending){ PLUMB_OFFENCE_EVENT, p->next,
                                                  i };
            break;
        }
        if (!collect(p, edge[i].target, after))
            status = plumb_base_fail_budget(p->budget, err);
    }
    if (status == PLUMB_OK)
        p->transitions += count;
    return status;
}

static enum plumb_status expand(struct plumb_refine_product *p,
                                struct plumb_refine_offending *o,
                                struct plumb_error *err)
{
    const uint64_t pair = plumb_refine_pairs_at(&p->pairs, p->next);
    struct plumb_refine_finding_of_pair f = { PLUMB_OFFENCE_NONE, false };
    enum plumb_status status = PLUMB_OK;
    if (p->options->semantics != PLUMB_TRACES)
        status =
            plumb_refine_judge_pair(&p->judge, plumb_refine_pair_left(pair),
                                    plumb_refine_pair_right(pair), &f, err);
    if (status != PLUMB_OK)
        return status;
    if (f.offence != PLUMB_OFFENCE_NONE)
        *o = (struct plumb_refine_offending){ f.offence, p->next, 0 };
    else if (!f.anything)
        status = follow(p, pair, o, err);
    return status;
}

/* ---- the search ---- */

/* After so many pairs, or so much work on sets. */
static bool is_time_to_look_up(const struct plumb_refine_product *p)
{
    return p->next % 8192 == 8191 || p->sets.work - p->watched > 1 << 20;
}

static enum plumb_status look_up(struct plumb_refine_product *p,
                                 struct plumb_error *err)
{
    p->watched = p->sets.work;
    if (p->options->progress)
        p->options->progress(p->options->context, "product", p->pairs.count,
                             p->depth);
    return plumb_budget_state(p->budget) == PLUMB_OK
               ? PLUMB_OK
               : plumb_base_fail_budget(p->budget, err);
}

static enum plumb_status step(struct plumb_refine_product *p,
                              struct plumb_refine_offending *o,
                              struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    if (is_time_to_look_up(p))
        status = look_up(p, err);
    if (status == PLUMB_OK)
        status = expand(p, o, err);
    if (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE) {
        p->next++;
        p->ending++;
    }
    return status;
}

/* In pairs: large sets are as dear as many pairs. */
static uint64_t spent(const struct plumb_refine_product *p)
{
    enum { MEMBERS_A_PAIR = 8 };
    return p->pairs.count + p->sets.work / MEMBERS_A_PAIR;
}

enum plumb_status plumb_refine_product_run(struct plumb_refine_product *p,
                                           uint64_t most,
                                           struct plumb_refine_offending *o,
                                           struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    *o = (struct plumb_refine_offending){ .offence = PLUMB_OFFENCE_NONE };
    if (!p->pairs.count)
        status = begin(p, err);
    while (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE) {
        if (p->next == p->level_end) {
            if (!flush(p))
                return plumb_base_fail_budget(p->budget, err);
            if (p->next == p->pairs.count)
                return PLUMB_OK;
            p->level_end = p->pairs.count;
            p->depth++;
        }
        if (spent(p) > most)
            return PLUMB_END;
        status = step(p, o, err);
    }
    return status;
}

void plumb_refine_product_count(const struct plumb_refine_product *p,
                                struct plumb_refinement *r)
{
    r->engine = PLUMB_ENGINE_PRODUCT;
    r->pairs = p->pairs.count;
    r->transitions = p->transitions;
    r->sets = p->sets.count;
}

enum plumb_status plumb_refine_product_path(
    struct plumb_refine_product *p, const struct plumb_refine_offending *o,
    struct plumb_base_arena *arena, struct plumb_refinement *r,
    struct plumb_error *err)
{
    const struct plumb_refine_search_of_pairs search = { .impl = p->impl,
                                                         .sets = &p->sets,
                                                         .pairs = &p->pairs,
                                                         .budget = p->budget };
    uint32_t count;
    uint32_t *const line =
        plumb_refine_parents_line(&p->parents, o->pair, &count);
    if (!line)
        return plumb_base_fail_budget(p->budget, err);
    const enum plumb_status status =
        plumb_refine_counterexample(&search, line, count, o, arena, r, err);
    plumb_base_release(p->budget, line, count * sizeof *line);
    return status;
}
