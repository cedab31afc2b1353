/* index.c - making an index larger. */
#include "base/index.h"

#include "base/memory.h"

void plumb_index_init(struct plumb_index *ix, struct plumb_budget *budget)
{
    *ix = (struct plumb_index){ .budget = budget };
}

void plumb_index_release(struct plumb_index *ix)
{
    plumb_release(ix->budget, ix->slot, ix->slots * sizeof *ix->slot);
    plumb_index_init(ix, ix->budget);
}

static void put(struct plumb_index *to, uint64_t hash, uint32_t number)
{
    struct plumb_probe p = plumb_index_probe(to, hash);
    while (to->slot[p.at])
        p.at = p.at + 1 == to->slots ? 0 : p.at + 1;
    plumb_index_put(to, &p, number);
}

/* Some hashes at a time: the things they are made from are far apart, and the
 * processor waits for several of them at once. */
static void move(const struct plumb_index *from, struct plumb_index *to,
                 plumb_index_hash *hash, const void *context)
{
    enum { BLOCK = 32 };
    uint32_t number[BLOCK];
    uint64_t found[BLOCK];
    for (size_t i = 0; i < from->slots;) {
        unsigned count = 0;
        for (; count < BLOCK && i < from->slots; i++) {
            number[count] = (from->slot[i] & from->mask) - 1;
            count += from->slot[i] != 0;
        }
        for (unsigned k = 0; k < count; k++)
            found[k] = hash(context, number[k]);
        for (unsigned k = 0; k < count; k++)
            put(to, found[k], number[k]);
    }
}

/* Room for numbers as large as there are slots, and some more. */
static uint32_t mask_for(size_t slots)
{
    enum { MORE = 64 };
    uint32_t mask = 0xff;
    while (mask != UINT32_MAX && mask - MORE <= slots)
        mask = mask << 1 | 1;
    return mask;
}

static size_t more_slots(size_t slots)
{
    enum { FIRST = 64, LARGE = 1 << 18 };
    if (slots == 0)
        return FIRST;
    return slots + (slots < LARGE ? slots / 2 : slots / 4);
}

bool plumb_index_grow(struct plumb_index *ix, plumb_index_hash *hash,
                      const void *context)
{
    struct plumb_index larger = { .budget = ix->budget };
    larger.slots = more_slots(ix->slots);
    larger.mask = mask_for(larger.slots);
    larger.slot =
        plumb_alloc_zeroed(ix->budget, larger.slots * sizeof *larger.slot);
    if (!larger.slot)
        return false;
    move(ix, &larger, hash, context);
    plumb_index_release(ix);
    *ix = larger;
    return true;
}
