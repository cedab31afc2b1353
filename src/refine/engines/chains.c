/* chains.c - is there a smaller one, and which are larger?
 *
 * Most successors were met before with the very same set: chains are looked
 * through for it first.  The other questions come again too, for other states:
 * a small table remembers answers. */
#include "chains.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

#define NOWHERE UINT32_MAX

enum { ANSWERS = 1 << 13 };

bool plumb_refine_chains_init(struct plumb_refine_chains *c,
                              const struct plumb_refine_spec_sets *sets,
                              struct plumb_budget *budget)
{
    *c = (struct plumb_refine_chains){ .budget = budget,
                                       .sets = sets,
                                       .pace = { .budget = budget } };
    plumb_refine_pairs_init(&c->pairs, budget);
    for (unsigned i = 0; i < 32; i++)
        c->free[i] = NOWHERE;
    c->answer = plumb_base_alloc(budget, ANSWERS * sizeof *c->answer);
    if (c->answer)
        memset(c->answer, 0xff, ANSWERS * sizeof *c->answer);
    return c->answer;
}

void plumb_refine_chains_release(struct plumb_refine_chains *c)
{
    plumb_refine_pairs_release(&c->pairs);
    PLUMB_RELEASE(c->budget, c->chain, c->chains);
    PLUMB_RELEASE(c->budget, c->entry, c->entry_room);
    PLUMB_RELEASE(c->budget, c->answer, ANSWERS);
    *c = (struct plumb_refine_chains){ .budget = c->budget, .sets = c->sets };
}

/* ---- room for entries ---- */

static bool take_room(struct plumb_refine_chains *c, uint8_t power,
                      uint32_t *first)
{
    const size_t size = (size_t)1 << power;
    if (c->free[power] != NOWHERE) {
        *first = c->free[power];
        c->free[power] = (uint32_t)c->entry[*first];
        return true;
    }
    if (power > 30 || c->entries + size >= NOWHERE ||
        !PLUMB_GROW(c->budget, c->entry, c->entry_room, c->entries + size))
        return false;
    *first = (uint32_t)c->entries;
    c->entries += size;
    return true;
}

static bool make_room(struct plumb_refine_chains *c,
                      struct plumb_refine_chain *chain)
{
    uint32_t first;
    if (!chain->has_room) {
        if (!take_room(c, 0, &chain->first))
            return false;
        chain->has_room = true;
        return true;
    }
    if (chain->count < (uint32_t)1 << chain->power)
        return true;
    if (!take_room(c, (uint8_t)(chain->power + 1), &first))
        return false;
    memcpy(c->entry + first, c->entry + chain->first,
           chain->count * sizeof *c->entry);
    c->entry[chain->first] = c->free[chain->power];
    c->free[chain->power] = chain->first;
    chain->first = first;
    chain->power++;
    return true;
}

static struct plumb_refine_chain *chain_of(struct plumb_refine_chains *c,
                                           uint32_t state)
{
    return PLUMB_GROW_ZEROED(c->budget, c->chain, c->chains, (size_t)state + 1)
               ? c->chain + state
               : NULL;
}

/* ---- questions ---- */

/* Only where a quick look does not answer. */
static bool look_closely(struct plumb_refine_chains *c, uint32_t a, uint32_t b)
{
    if (a >> 31)
        return plumb_refine_spec_sets_within(c->sets, a, b);
    const uint64_t key = plumb_refine_pair(a, b) << 1;
    uint64_t *const known = c->answer + plumb_base_mix1(key) % ANSWERS;
    if (*known >> 1 == key >> 1)
        return *known & 1;
    plumb_base_pace_spend(&c->pace, c->sets->set[b].count);
    const bool yes = plumb_refine_spec_sets_within(c->sets, a, b);
    *known = key | yes;
    return yes;
}

static bool is_within(struct plumb_refine_chains *c, uint32_t a, uint32_t b)
{
    const struct plumb_refine_spec_set *const x = c->sets->set + a;
    const struct plumb_refine_spec_set *const y = c->sets->set + b;
    if (x->count >= y->count || (x->signature & ~y->signature))
        return false;
    return look_closely(c, a, b);
}

static bool is_covered(struct plumb_refine_chains *c,
                       const struct plumb_refine_chain *chain, uint32_t set)
{
    const uint64_t *const entry = c->entry + chain->first;
    for (uint32_t i = 0; i < chain->count; i++)
        if (plumb_refine_pair_left(entry[i]) == set)
            return true;
    for (uint32_t i = 0; i < chain->count; i++)
        if (is_within(c, plumb_refine_pair_left(entry[i]), set))
            return true;
    return false;
}

static void drop_larger(struct plumb_refine_chains *c,
                        struct plumb_refine_chain *chain, uint32_t set,
                        uint32_t killable)
{
    uint64_t *const entry = c->entry + chain->first;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < chain->count; i++) {
        const uint32_t pair = plumb_refine_pair_right(entry[i]);
        if (!is_within(c, set, plumb_refine_pair_left(entry[i])))
            entry[kept++] = entry[i];
        else if (pair >= killable)
            plumb_refine_pairs_drop(&c->pairs, pair);
    }
    assert(c->alive >= chain->count - kept);
    c->alive -= chain->count - kept;
    chain->count = kept;
}

enum plumb_refine_chained plumb_refine_chains_put(struct plumb_refine_chains *c,
                                                  uint32_t state, uint32_t set,
                                                  uint32_t killable)
{
    assert(set < c->sets->count);
    struct plumb_refine_chain *const chain = chain_of(c, state);
    if (!chain ||
        !plumb_base_pace_allows(&c->pace, 1 + 2 * (uint64_t)chain->count))
        return PLUMB_CHAIN_REFUSED;
    if (chain->count) {
        if (is_covered(c, chain, set))
            return PLUMB_COVERED;
        drop_larger(c, chain, set, killable);
    }
    if (!make_room(c, chain) ||
        !plumb_refine_pairs_append(&c->pairs, plumb_refine_pair(state, set)))
        return PLUMB_CHAIN_REFUSED;
    assert(chain->count < (uint32_t)1 << chain->power);
    c->entry[chain->first + chain->count++] =
        plumb_refine_pair(set, c->pairs.count - 1);
    c->alive++;
    return PLUMB_CHAINED;
}
