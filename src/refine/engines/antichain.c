/* antichain.c - following the smallest sets. */
#include "antichain.h"

#include "base/fail.h"
#include "base/memory.h"
#include <string.h>

enum plumb_status plumb_refine_antichain_init(
    struct plumb_refine_antichain *a, struct plumb_csp_graph *impl,
    struct plumb_csp_graph *spec, const struct plumb_refine_options *options,
    struct plumb_budget *budget, struct plumb_error *err)
{
    *a = (struct plumb_refine_antichain){ .budget = budget,
                                          .impl = impl,
                                          .options = options };
    plumb_refine_spec_sets_init(&a->sets, spec, budget);
    plumb_refine_judge_init(&a->judge, impl, &a->sets, options->semantics,
                            budget);
    return plumb_refine_chains_init(&a->chains, &a->sets, budget)
               ? PLUMB_OK
               : plumb_base_fail_budget(a->budget, err);
}

void plumb_refine_antichain_release(struct plumb_refine_antichain *a)
{
    plumb_refine_judge_release(&a->judge);
    plumb_refine_chains_release(&a->chains);
    plumb_refine_spec_sets_release(&a->sets);
    plumb_base_release(a->budget, a->parent,
                       a->parent_room * sizeof *a->parent);
    plumb_base_release(a->budget, a->stack, a->stack_room * sizeof *a->stack);
    plumb_base_release(a->budget, a->copy, a->copy_room * sizeof *a->copy);
}

/* The newest pair was found from `parent`. */
static bool note(struct plumb_refine_antichain *a, uint32_t parent)
{
    const uint32_t pair = a->chains.pairs.count - 1;
    if (!plumb_base_grow(a->budget, (void **)&a->parent, &a->parent_room,
                         (size_t)pair + 1, sizeof *a->parent))
        return false;
    a->parent[pair] = parent;
    if (!a->options->pat3_counts)
        return true;
    if (!plumb_base_grow(a->budget, (void **)&a->stack, &a->stack_room,
                         (size_t)a->on_stack + 1, sizeof *a->stack))
        return false;
    a->stack[a->on_stack++] = pair;
    return true;
}

static enum plumb_status begin(struct plumb_refine_antichain *a,
                               struct plumb_error *err)
{
    uint32_t set;
    const enum plumb_status status =
        plumb_refine_spec_sets_initial(&a->sets, &set, err);
    if (status != PLUMB_OK)
        return status;
    const bool put =
        plumb_refine_chains_put(&a->chains, 0, set, 0) == PLUMB_CHAINED;
    a->level_end = 1;
    return put && note(a, 0) ? PLUMB_OK
                             : plumb_base_fail_budget(a->budget, err);
}

static enum plumb_status meet(struct plumb_refine_antichain *a, uint32_t from,
                              uint32_t state, uint32_t set,
                              struct plumb_error *err)
{
    /* Those of the next level are no nearer than the one that is put in. */
    const uint32_t killable =
        a->options->pat3_counts ? UINT32_MAX : a->level_end;
    switch (plumb_refine_chains_put(&a->chains, state, set, killable)) {
    case PLUMB_COVERED:
        return PLUMB_OK;
    case PLUMB_CHAINED:
        if (note(a, from))
            return PLUMB_OK;
        break;
    case PLUMB_CHAIN_REFUSED:
        break;
    }
    return plumb_base_fail_budget(a->budget, err);
}

/* A copy, since the specification's graph may be the same. */
static enum plumb_status copy_edges(struct plumb_refine_antichain *a,
                                    uint32_t state, uint32_t *count,
                                    struct plumb_error *err)
{
    const struct plumb_csp_edge *edge;
    const enum plumb_status status =
        plumb_csp_graph_edges(a->impl, state, &edge, count, err);
    if (status != PLUMB_OK)
        return status;
    if (!plumb_base_grow(a->budget, (void **)&a->copy, &a->copy_room,
                         (size_t)*count + 1, sizeof *a->copy))
        return plumb_base_fail_budget(a->budget, err);
    if (*count)
        memcpy(a->copy, edge, *count * sizeof *edge);
    return PLUMB_OK;
}

static enum plumb_status follow(struct plumb_refine_antichain *a, uint32_t pair,
                                uint32_t state, uint32_t set,
                                struct plumb_refine_offending *o,
                                struct plumb_error *err)
{
    uint32_t count;
    enum plumb_status status = copy_edges(a, state, &count, err);
    for (uint32_t i = 0; status == PLUMB_OK && i < count; i++) {
        const struct plumb_csp_edge edge = a->copy[i];
        uint32_t after = set;
        if (edge.event != PLUMB_TAU)
            status = plumb_refine_spec_sets_after(&a->sets, set, edge.event,
                                                  &after, err);
        if (status != PLUMB_OK)
            break;
        if (after == PLUMB_NO_SET) {
            *o =
                (struct plumb_refine_offending){ PLUMB_OFFENCE_EVENT, pair, i };
            break;
        }
        status = meet(a, pair, edge.target, after, err);
    }
    if (status == PLUMB_OK)
        a->transitions += count;
    return status;
}

static enum plumb_status expand(struct plumb_refine_antichain *a, uint32_t pair,
                                struct plumb_refine_offending *o,
                                struct plumb_error *err)
{
    const uint64_t both = plumb_refine_pairs_at(&a->chains.pairs, pair);
    const uint32_t state = plumb_refine_pair_left(both),
                   set = plumb_refine_pair_right(both);
    struct plumb_refine_finding_of_pair f = { PLUMB_OFFENCE_NONE, false };
    enum plumb_status status = PLUMB_OK;
    if (set == PLUMB_NO_SET)
        return PLUMB_OK;
    a->expanded++;
    if (a->options->semantics != PLUMB_TRACES)
        status = plumb_refine_judge_pair(&a->judge, state, set, &f, err);
    if (status != PLUMB_OK)
        return status;
    if (f.offence != PLUMB_OFFENCE_NONE)
        *o = (struct plumb_refine_offending){ f.offence, pair, 0 };
    else if (!f.anything)
        status = follow(a, pair, state, set, o, err);
    return status;
}

/* After so many pairs, or so much work on sets. */
static bool is_time_to_look_up(const struct plumb_refine_antichain *a)
{
    return a->next % 4096 == 0 || a->sets.work - a->watched > 1 << 20;
}

static enum plumb_status look_up(struct plumb_refine_antichain *a,
                                 struct plumb_error *err)
{
    a->watched = a->sets.work;
    if (a->options->progress)
        a->options->progress(a->options->context, "antichain", a->expanded,
                             a->depth);
    return plumb_budget_state(a->budget) == PLUMB_OK
               ? PLUMB_OK
               : plumb_base_fail_budget(a->budget, err);
}

/* The next pair to expand; false if there is none. */
static bool choose(struct plumb_refine_antichain *a, uint32_t *pair)
{
    if (a->options->pat3_counts) {
        if (!a->on_stack)
            return false;
        *pair = a->stack[--a->on_stack];
        a->next++;
        return true;
    }
    if (a->next == a->chains.pairs.count)
        return false;
    if (a->next == a->level_end) {
        a->level_end = a->chains.pairs.count;
        a->depth++;
    }
    *pair = a->next++;
    return true;
}

enum plumb_status plumb_refine_antichain_run(struct plumb_refine_antichain *a,
                                             struct plumb_refine_offending *o,
                                             struct plumb_error *err)
{
    uint32_t pair;
    *o = (struct plumb_refine_offending){ .offence = PLUMB_OFFENCE_NONE };
    enum plumb_status status = begin(a, err);
    while (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE &&
           choose(a, &pair)) {
        if (is_time_to_look_up(a))
            status = look_up(a, err);
        if (status == PLUMB_OK)
            status = expand(a, pair, o, err);
    }
    return status;
}

/* ---- results ---- */

void plumb_refine_antichain_count(const struct plumb_refine_antichain *a,
                                  struct plumb_refinement *r)
{
    r->engine = PLUMB_ENGINE_ANTICHAIN;
    r->pairs = a->options->pat3_counts ? a->chains.alive : a->expanded;
    r->transitions = a->transitions;
    r->sets = a->sets.count;
}

enum plumb_status plumb_refine_antichain_path(
    struct plumb_refine_antichain *a, const struct plumb_refine_offending *o,
    struct plumb_base_arena *arena, struct plumb_refinement *r,
    struct plumb_error *err)
{
    const struct plumb_refine_search_of_pairs search = { .impl = a->impl,
                                                         .sets = &a->sets,
                                                         .pairs =
                                                             &a->chains.pairs,
                                                         .budget = a->budget };
    uint32_t count = 1;
    for (uint32_t p = o->pair; p; p = a->parent[p])
        count++;
    uint32_t *const line = plumb_base_alloc(a->budget, count * sizeof *line);
    if (!line)
        return plumb_base_fail_budget(a->budget, err);
    for (uint32_t i = count, p = o->pair; i--; p = a->parent[p])
        line[i] = p;
    const enum plumb_status status =
        plumb_refine_counterexample(&search, line, count, o, arena, r, err);
    plumb_base_release(a->budget, line, count * sizeof *line);
    return status;
}
