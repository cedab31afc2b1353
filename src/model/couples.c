/* couples.c - a table of pairs and an index from pairs to their numbers. */
#include "model/couples.h"

#include "base/memory.h"

void plumb_couples_init(struct plumb_couples *t, struct plumb_budget *budget)
{
    *t = (struct plumb_couples){ .budget = budget };
    plumb_index_init(&t->index, budget);
}

void plumb_couples_release(struct plumb_couples *t)
{
    plumb_index_release(&t->index);
    plumb_release(t->budget, t->pair, t->capacity * sizeof *t->pair);
}

static uint64_t hash_number(const void *context, uint32_t number)
{
    const struct plumb_couples *const t = context;
    return plumb_couple_hash(t->pair[number]);
}

/* A little more at a time once it is large: that moves pages, not bytes. */
static bool more_couples(struct plumb_couples *t)
{
    enum { LARGE = 1 << 16, MAPPED = 1 << 19 };
    const size_t more = t->capacity < LARGE    ? t->capacity / 2 + 64
                        : t->capacity < MAPPED ? t->capacity / 16
                                               : t->capacity / 64;
    struct plumb_couple *const moved =
        plumb_resize(t->budget, t->pair, t->capacity * sizeof *t->pair,
                     (t->capacity + more) * sizeof *t->pair);
    if (!moved)
        return false;
    t->pair = moved;
    t->capacity += more;
    return true;
}

static bool make_room(struct plumb_couples *t)
{
    plumb_gate_close(t->gate);
    const bool good = plumb_index_room(&t->index, hash_number, t) &&
                      (t->count < t->capacity || more_couples(t));
    plumb_gate_open(t->gate);
    return good;
}

uint32_t plumb_couples_find(const struct plumb_couples *t,
                            struct plumb_couple p)
{
    struct plumb_probe probe =
        plumb_index_probe(&t->index, plumb_couple_hash(p));
    for (uint32_t n; (n = plumb_probe_next(&t->index, &probe)) != PLUMB_ABSENT;)
        if (t->pair[n].left == p.left && t->pair[n].right == p.right)
            return n;
    return UINT32_MAX;
}

uint32_t plumb_couples_number(struct plumb_couples *t, struct plumb_couple p)
{
    if ((plumb_index_is_full(&t->index) || t->count == t->capacity) &&
        !make_room(t))
        return UINT32_MAX;
    struct plumb_probe probe =
        plumb_index_probe(&t->index, plumb_couple_hash(p));
    for (uint32_t n; (n = plumb_probe_next(&t->index, &probe)) != PLUMB_ABSENT;)
        if (t->pair[n].left == p.left && t->pair[n].right == p.right)
            return n;
    if (t->count == UINT32_MAX - 1)
        return UINT32_MAX;
    t->pair[t->count] = p;
    plumb_index_put(&t->index, &probe, t->count);
    return t->count++;
}

size_t plumb_couples_bytes(const struct plumb_couples *t)
{
    return t->capacity * sizeof *t->pair + plumb_index_bytes(&t->index);
}
