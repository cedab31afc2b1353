/* evidence.c - copies of what was found, flat. */
#include "evidence.h"

#include "base/pace.h"
#include "refine/accept/accept.h"
#include <assert.h>
#include <string.h>

struct copy {
    struct plumb_refine_relation relation;
    uint32_t *impl, *set;
};

/* All sets, also those that no pair is left of. */
static bool copy_sets(struct plumb_refine_relation *r,
                      const struct plumb_refine_spec_sets *sets,
                      struct plumb_base_arena *arena)
{
    struct plumb_base_pace pace = { .budget = arena->budget };
    uint64_t *const first = plumb_base_arena_alloc(
        arena, (sets->count + (size_t)1) * sizeof *first);
    uint32_t *const member =
        plumb_base_arena_alloc(arena, (sets->members + 1) * sizeof *member);
    if (!first || !member)
        return false;
    first[0] = 0;
    for (uint32_t k = 0; k < sets->count; k++) {
        uint32_t count;
        const uint32_t *const from =
            plumb_refine_spec_sets_members(sets, k, &count);
        if (!plumb_base_pace_allows(&pace, 1 + count))
            return false;
        memcpy(member + first[k], from, count * sizeof *from);
        first[k + 1] = first[k] + count;
    }
    r->sets = sets->count;
    r->first = first;
    r->member = member;
    return true;
}

static struct copy *reserve(struct plumb_base_arena *arena, size_t pairs,
                            const struct plumb_refine_spec_sets *sets)
{
    struct copy *const c = plumb_base_arena_zeroed(arena, sizeof *c);
    if (!c)
        return NULL;
    c->impl = plumb_base_arena_alloc(arena, (pairs + 1) * sizeof *c->impl);
    c->set = plumb_base_arena_alloc(arena, (pairs + 1) * sizeof *c->set);
    if (!c->impl || !c->set || !copy_sets(&c->relation, sets, arena))
        return NULL;
    c->relation.impl = c->impl;
    c->relation.set = c->set;
    return c;
}

/* False if there is no time for it. */
static bool add(struct copy *c, const struct plumb_base_arena *arena,
                uint32_t state, uint32_t set)
{
    assert(set < c->relation.sets);
    c->impl[c->relation.pairs] = state;
    c->set[c->relation.pairs] = set;
    return plumb_base_in_time(arena->budget, c->relation.pairs++);
}

const struct plumb_refine_relation *plumb_refine_certify_product(
    const struct plumb_refine_product *p, struct plumb_base_arena *arena)
{
    struct copy *const c = reserve(arena, p->pairs.count, &p->s.sets);
    for (uint32_t i = 0; c && i < p->pairs.count; i++) {
        const uint64_t pair = plumb_refine_pairs_at(&p->pairs, i);
        if (!add(c, arena, plumb_refine_pair_left(pair),
                 plumb_refine_pair_right(pair)))
            return NULL;
    }
    return c ? &c->relation : NULL;
}

const struct plumb_refine_relation *plumb_refine_certify_antichain(
    const struct plumb_refine_antichain *a, struct plumb_base_arena *arena)
{
    const struct plumb_refine_chains *const from = &a->chains;
    struct copy *const c = reserve(arena, (size_t)from->alive, &a->s.sets);
    for (size_t s = 0; c && s < from->chains; s++) {
        if (!plumb_base_in_time(arena->budget, s))
            return NULL;
        for (uint32_t i = 0; i < from->chain[s].count; i++)
            if (!add(c, arena, (uint32_t)s,
                     plumb_refine_pair_left(
                         from->entry[from->chain[s].first + i])))
                return NULL;
    }
    return c ? &c->relation : NULL;
}

const struct plumb_refine_partition *plumb_refine_certify_partition(
    const struct plumb_refine_partition *p, struct plumb_base_arena *arena)
{
    struct plumb_refine_partition *const copy =
        plumb_base_arena_copy(arena, p, sizeof *copy);
    if (!copy)
        return NULL;
    const size_t size = p->states * sizeof *p->block;
    copy->block = plumb_base_arena_alloc(arena, size);
    return copy->block && plumb_base_paced_copy(arena->budget, copy->block,
                                                p->block, size)
               ? copy
               : NULL;
}
