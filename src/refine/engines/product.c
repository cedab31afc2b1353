/* product.c - the pairs are their own queue.
 *
 * Successors are collected over several pairs and looked up together
 * (pair_store.h).  They are put in in the order they were found, so numbers,
 * depths and parents are what they would be one by one.  A level is finished
 * before the next one begins. */
#include "product.h"

#include "base/fail.h"
#include <assert.h>
#include <string.h>

void plumb_refine_product_init(struct plumb_refine_product *p,
                               const struct plumb_refine_task *task)
{
    memset(p, 0, sizeof *p);
    plumb_refine_pair_search_init(&p->s, task);
    plumb_refine_pairs_init(&p->pairs, p->s.budget);
    plumb_refine_parents_init(&p->parents, p->s.budget);
}

void plumb_refine_product_release(struct plumb_refine_product *p)
{
    plumb_refine_pair_search_release(&p->s);
    plumb_refine_pairs_release(&p->pairs);
    plumb_refine_parents_release(&p->parents);
}

static enum plumb_status begin(struct plumb_refine_product *p)
{
    uint32_t set;
    bool fresh;
    PLUMB_TRY(plumb_refine_spec_sets_initial(&p->s.sets, &set, p->s.err));
    const uint64_t pair = plumb_refine_pair(0, set);
    if (!plumb_refine_pairs_add(&p->pairs, &pair, 1, &fresh))
        return plumb_base_fail_budget(p->s.budget, p->s.err);
    p->s.level_end = 1;
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
    assert(p->parents.ones + 1 == p->pairs.count);
    p->founds = 0;
    return true;
}

static bool collect(struct plumb_refine_pair_search *search, uint32_t pair,
                    uint32_t state, uint32_t set)
{
    struct plumb_refine_product *const p =
        (struct plumb_refine_product *)search; /* whose first member it is */
    (void)pair;
    if (p->founds == PLUMB_PRODUCT_BATCH && !flush(p))
        return false;
    p->found[p->founds] = plumb_refine_pair(state, set);
    p->ended[p->founds++] = p->ending;
    p->ending = 0;
    return true;
}

/* ---- the search ---- */

static enum plumb_status step(struct plumb_refine_product *p,
                              struct plumb_refine_offending *o)
{
    const uint64_t pair = plumb_refine_pairs_at(&p->pairs, p->s.next);
    enum plumb_status status = PLUMB_OK;
    if (plumb_refine_pair_search_is_due(&p->s))
        status =
            plumb_refine_pair_search_look_up(&p->s, "product", p->pairs.count);
    if (status == PLUMB_OK)
        status =
            plumb_refine_pair_search_expand(&p->s, p->s.next, pair, collect, o);
    if (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE) {
        p->s.next++;
        p->ending++;
    }
    return status;
}

/* In pairs: large sets are as dear as many pairs. */
static uint64_t spent(const struct plumb_refine_product *p)
{
    enum { MEMBERS_A_PAIR = 8 };
    return p->pairs.count + p->s.sets.work / MEMBERS_A_PAIR;
}

static enum plumb_status search(struct plumb_refine_product *p, uint64_t most,
                                struct plumb_refine_offending *o)
{
    enum plumb_status status = PLUMB_OK;
    if (!p->pairs.count)
        status = begin(p);
    while (status == PLUMB_OK && o->offence == PLUMB_OFFENCE_NONE) {
        assert(p->s.next <= p->s.level_end);
        if (p->s.next == p->s.level_end) {
            if (!flush(p))
                return plumb_base_fail_budget(p->s.budget, p->s.err);
            if (p->s.next == p->pairs.count)
                return PLUMB_OK;
            p->s.level_end = p->pairs.count;
            p->s.depth++;
        }
        if (spent(p) > most)
            return PLUMB_END;
        status = step(p, o);
    }
    return status;
}

enum plumb_status plumb_refine_product_run(struct plumb_refine_product *p,
                                           uint64_t most)
{
    struct plumb_refine_offending o = { .offence = PLUMB_OFFENCE_NONE };
    struct plumb_refinement *const r = p->s.task->r;
    const enum plumb_status status = search(p, most, &o);
    uint32_t count = 0;
    r->engine = PLUMB_ENGINE_PRODUCT;
    r->pairs = p->pairs.count;
    r->transitions = p->s.transitions;
    r->sets = p->s.sets.count;
    if (status != PLUMB_OK)
        return status;
    if (o.offence == PLUMB_OFFENCE_NONE) {
        r->decided = r->refines = true;
        return PLUMB_OK;
    }
    uint32_t *const line =
        plumb_refine_parents_line(&p->parents, o.pair, &count);
    return plumb_refine_pair_search_decide(&p->s, &p->pairs, line, count, &o);
}
