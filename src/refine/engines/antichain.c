/* antichain.c - following the smallest sets. */
#include "antichain.h"

#include "base/fail.h"
#include "base/memory.h"

enum plumb_status plumb_refine_antichain_init(
    struct plumb_refine_antichain *a, const struct plumb_refine_task *task)
{
    *a = (struct plumb_refine_antichain){ .expanded = 0 };
    plumb_refine_pair_search_init(&a->s, task);
    return plumb_refine_chains_init(&a->chains, &a->s.sets, a->s.budget)
               ? PLUMB_OK
               : plumb_base_fail_budget(a->s.budget, task->err);
}

void plumb_refine_antichain_release(struct plumb_refine_antichain *a)
{
    plumb_refine_pair_search_release(&a->s);
    plumb_refine_chains_release(&a->chains);
    PLUMB_RELEASE(a->s.budget, a->parent, a->parent_room);
    PLUMB_RELEASE(a->s.budget, a->stack, a->stack_room);
}

/* The newest pair was found from `parent`. */
static bool note(struct plumb_refine_antichain *a, uint32_t parent)
{
    const uint32_t pair = a->chains.pairs.count - 1;
    if (!PLUMB_GROW(a->s.budget, a->parent, a->parent_room, (size_t)pair + 1))
        return false;
    a->parent[pair] = parent;
    if (!a->s.options->pat3_counts)
        return true;
    return PLUMB_APPEND(a->s.budget, a->stack, a->on_stack, a->stack_room,
                        pair);
}

static enum plumb_status begin(struct plumb_refine_antichain *a)
{
    uint32_t set;
    PLUMB_TRY(plumb_refine_spec_sets_initial(&a->s.sets, &set, a->s.err));
    const bool put =
        plumb_refine_chains_put(&a->chains, 0, set, 0) == PLUMB_CHAINED;
    a->s.level_end = 1;
    return put && note(a, 0) ? PLUMB_OK
                             : plumb_base_fail_budget(a->s.budget, a->s.err);
}

static bool meet(struct plumb_refine_pair_search *search, uint32_t from,
                 uint32_t state, uint32_t set)
{
    struct plumb_refine_antichain *const a =
        (struct plumb_refine_antichain *)search; /* whose first member it is */
    /* Those of the next level are no nearer than the one that is put in. */
    const uint32_t killable =
        a->s.options->pat3_counts ? UINT32_MAX : a->s.level_end;
    const enum plumb_refine_chained put =
        plumb_refine_chains_put(&a->chains, state, set, killable);
    return put == PLUMB_COVERED || (put == PLUMB_CHAINED && note(a, from));
}

static enum plumb_status expand(struct plumb_refine_antichain *a, uint32_t pair,
                                struct plumb_refine_offending *o)
{
    const uint64_t both = plumb_refine_pairs_at(&a->chains.pairs, pair);
    if (plumb_refine_pair_right(both) == PLUMB_NO_SET)
        return PLUMB_OK;
    a->expanded++;
    return plumb_refine_pair_search_expand(&a->s, pair, both, meet, o);
}

/* The next pair to expand; false if there is none. */
static bool choose(struct plumb_refine_antichain *a, uint32_t *pair)
{
    if (a->s.options->pat3_counts) {
        if (!a->on_stack)
            return false;
        *pair = a->stack[--a->on_stack];
        a->s.next++;
        return true;
    }
    if (a->s.next == a->chains.pairs.count)
        return false;
    if (a->s.next == a->s.level_end) {
        a->s.level_end = a->chains.pairs.count;
        a->s.depth++;
    }
    *pair = a->s.next++;
    return true;
}

static enum plumb_status search(struct plumb_refine_antichain *a,
                                struct plumb_refine_offending *o)
{
    uint32_t pair;
    enum plumb_status status = begin(a);
    while (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE &&
           choose(a, &pair)) {
        if (plumb_refine_pair_search_is_due(&a->s))
            status = plumb_refine_pair_search_look_up(&a->s, "antichain",
                                                      a->expanded);
        if (status == PLUMB_OK)
            status = expand(a, pair, o);
    }
    return status;
}

enum plumb_status plumb_refine_antichain_run(struct plumb_refine_antichain *a)
{
    struct plumb_refine_offending o = { .offence = PLUMB_OFFENCE_NONE };
    struct plumb_refinement *const r = a->s.task->r;
    const enum plumb_status status = search(a, &o);
    uint32_t count = 1;
    r->engine = PLUMB_ENGINE_ANTICHAIN;
    r->pairs = a->s.options->pat3_counts ? a->chains.alive : a->expanded;
    r->transitions = a->s.transitions;
    r->sets = a->s.sets.count;
    if (status != PLUMB_OK)
        return status;
    if (o.offence == PLUMB_OFFENCE_NONE) {
        r->decided = r->refines = true;
        return PLUMB_OK;
    }
    for (uint32_t p = o.pair; p; p = a->parent[p])
        count++;
    uint32_t *const line = plumb_base_alloc(a->s.budget, count * sizeof *line);
    for (uint32_t i = line ? count : 0, p = o.pair; i--; p = a->parent[p])
        line[i] = p;
    return plumb_refine_pair_search_decide(&a->s, &a->chains.pairs, line, count,
                                           &o);
}
