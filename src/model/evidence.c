/* evidence.c - copies of what was found, flat. */
#include "model/evidence.h"

#include "model/accept.h"
#include <string.h>

struct copy {
    struct plumb_relation relation;
    uint32_t *impl, *set;
    uint64_t *first;
};

static struct copy *reserve(struct plumb_arena *arena, uint32_t pairs,
                            uint64_t members)
{
    struct copy *const c = plumb_arena_alloc(arena, sizeof *c);
    if (!c || members > SIZE_MAX / sizeof *c->set)
        return NULL;
    c->impl = plumb_arena_alloc(arena, pairs * sizeof *c->impl);
    c->first = plumb_arena_alloc(arena, (pairs + (size_t)1) * sizeof *c->first);
    c->set = plumb_arena_alloc(arena, (size_t)members * sizeof *c->set);
    if (!c->impl || !c->first || !c->set)
        return NULL;
    c->first[0] = 0;
    c->relation = (struct plumb_relation){
        .pairs = 0, .impl = c->impl, .set = c->set, .first = c->first
    };
    return c;
}

static void add(struct copy *c, const struct plumb_spec_sets *sets,
                uint32_t state, uint32_t set)
{
    uint32_t count;
    const uint32_t *const member = plumb_spec_sets_members(sets, set, &count);
    const uint64_t at = c->first[c->relation.pairs];
    c->impl[c->relation.pairs++] = state;
    memcpy(c->set + at, member, count * sizeof *member);
    c->first[c->relation.pairs] = at + count;
}

const struct plumb_relation *plumb_certify_product(
    const struct plumb_product *p, struct plumb_arena *arena)
{
    uint64_t members = 0;
    for (uint32_t i = 0; i < p->pairs.count; i++)
        members +=
            p->sets.set[plumb_pair_right(plumb_pairs_at(&p->pairs, i))].count;
    struct copy *const c = reserve(arena, p->pairs.count, members);
    for (uint32_t i = 0; c && i < p->pairs.count; i++) {
        const uint64_t pair = plumb_pairs_at(&p->pairs, i);
        add(c, &p->sets, plumb_pair_left(pair), plumb_pair_right(pair));
    }
    return c ? &c->relation : NULL;
}

static uint64_t members_of(const struct plumb_antichain *a)
{
    const struct plumb_chains *const c = &a->chains;
    uint64_t members = 0;
    for (size_t s = 0; s < c->chains; s++)
        for (uint32_t i = 0; i < c->chain[s].count; i++)
            members +=
                a->sets.set[plumb_pair_left(c->entry[c->chain[s].first + i])]
                    .count;
    return members;
}

const struct plumb_relation *plumb_certify_antichain(
    const struct plumb_antichain *a, struct plumb_arena *arena)
{
    const struct plumb_chains *const from = &a->chains;
    struct copy *const c = reserve(arena, (uint32_t)from->alive, members_of(a));
    for (size_t s = 0; c && s < from->chains; s++)
        for (uint32_t i = 0; i < from->chain[s].count; i++)
            add(c, &a->sets, (uint32_t)s,
                plumb_pair_left(from->entry[from->chain[s].first + i]));
    return c ? &c->relation : NULL;
}

const struct plumb_partition *plumb_certify_partition(
    const struct plumb_partition *p, struct plumb_arena *arena)
{
    struct plumb_partition *const copy =
        plumb_arena_copy(arena, p, sizeof *copy);
    if (!copy)
        return NULL;
    copy->block =
        plumb_arena_copy(arena, p->block, p->states * sizeof *p->block);
    return copy->block ? copy : NULL;
}
