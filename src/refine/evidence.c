/* evidence.c - copies of what was found, flat. */
#include "evidence.h"

#include "base/pace.h"
#include "refine/accept/accept.h"
#include <string.h>

struct copy {
    struct plumb_relation relation;
    uint32_t *impl, *set;
};

/* All sets, also those that no pair is left of. */
static bool copy_sets(struct plumb_relation *r,
                      const struct plumb_spec_sets *sets,
                      struct plumb_arena *arena)
{
    struct plumb_pace pace = { .budget = arena->budget };
    uint64_t *const first =
        plumb_arena_alloc(arena, (sets->count + (size_t)1) * sizeof *first);
    uint32_t *const member =
        plumb_arena_alloc(arena, (sets->members + 1) * sizeof *member);
    if (!first || !member)
        return false;
    first[0] = 0;
    for (uint32_t k = 0; k < sets->count; k++) {
        uint32_t count;
        const uint32_t *const from = plumb_spec_sets_members(sets, k, &count);
        if (!plumb_pace_allows(&pace, 1 + count))
            return false;
        memcpy(member + first[k], from, count * sizeof *from);
        first[k + 1] = first[k] + count;
    }
    r->sets = sets->count;
    r->first = first;
    r->member = member;
    return true;
}

static struct copy *reserve(struct plumb_arena *arena, size_t pairs,
                            const struct plumb_spec_sets *sets)
{
    struct copy *const c = plumb_arena_zeroed(arena, sizeof *c);
    if (!c)
        return NULL;
    c->impl = plumb_arena_alloc(arena, (pairs + 1) * sizeof *c->impl);
    c->set = plumb_arena_alloc(arena, (pairs + 1) * sizeof *c->set);
    if (!c->impl || !c->set || !copy_sets(&c->relation, sets, arena))
        return NULL;
    c->relation.impl = c->impl;
    c->relation.set = c->set;
    return c;
}

/* False if there is no time for it. */
static bool add(struct copy *c, const struct plumb_arena *arena, uint32_t state,
                uint32_t set)
{
    c->impl[c->relation.pairs] = state;
    c->set[c->relation.pairs] = set;
    return plumb_in_time(arena->budget, c->relation.pairs++);
}

const struct plumb_relation *plumb_certify_product(
    const struct plumb_product *p, struct plumb_arena *arena)
{
    struct copy *const c = reserve(arena, p->pairs.count, &p->sets);
    for (uint32_t i = 0; c && i < p->pairs.count; i++) {
        const uint64_t pair = plumb_pairs_at(&p->pairs, i);
        if (!add(c, arena, plumb_pair_left(pair), plumb_pair_right(pair)))
            return NULL;
    }
    return c ? &c->relation : NULL;
}

const struct plumb_relation *plumb_certify_antichain(
    const struct plumb_antichain *a, struct plumb_arena *arena)
{
    const struct plumb_chains *const from = &a->chains;
    struct copy *const c = reserve(arena, (size_t)from->alive, &a->sets);
    for (size_t s = 0; c && s < from->chains; s++) {
        if (!plumb_in_time(arena->budget, s))
            return NULL;
        for (uint32_t i = 0; i < from->chain[s].count; i++)
            if (!add(c, arena, (uint32_t)s,
                     plumb_pair_left(from->entry[from->chain[s].first + i])))
                return NULL;
    }
    return c ? &c->relation : NULL;
}

const struct plumb_partition *plumb_certify_partition(
    const struct plumb_partition *p, struct plumb_arena *arena)
{
    struct plumb_partition *const copy =
        plumb_arena_copy(arena, p, sizeof *copy);
    if (!copy)
        return NULL;
    const size_t size = p->states * sizeof *p->block;
    copy->block = plumb_arena_alloc(arena, size);
    return copy->block &&
                   plumb_paced_copy(arena->budget, copy->block, p->block, size)
               ? copy
               : NULL;
}
