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
            number[count] = (from->slot[i] & from->numbers) - 1;
            count += from->slot[i] != 0;
        }
        for (unsigned k = 0; k < count; k++)
            found[k] = hash(context, number[k]);
        for (unsigned k = 0; k < count; k++)
            put(to, found[k], number[k]);
    }
}

/* Enough bits for twice as many numbers as slots, and one more. */
static uint32_t bits_of_numbers(size_t slots)
{
    uint64_t all = 1;
    while (all <= 2 * slots)
        all *= 2;
    return all - 1 < UINT32_MAX ? (uint32_t)(all - 1) : UINT32_MAX;
}

/* By half; by a quarter where that is much. */
static size_t more_slots(size_t slots)
{
    enum { FEWEST = 64, MANY = 1 << 16 };
    if (slots < FEWEST)
        return FEWEST;
    return slots + slots / (slots < MANY ? 2 : 4);
}

bool plumb_index_grow(struct plumb_index *ix, plumb_index_hash *hash,
                      const void *context)
{
    struct plumb_index larger = { .budget = ix->budget };
    larger.slots = more_slots(ix->slots);
    larger.numbers = bits_of_numbers(larger.slots);
    larger.slot =
        plumb_alloc_zeroed(ix->budget, larger.slots * sizeof *larger.slot);
    if (!larger.slot)
        return false;
    move(ix, &larger, hash, context);
    plumb_index_release(ix);
    *ix = larger;
    return true;
}

size_t plumb_index_bytes(const struct plumb_index *ix)
{
    return ix->slots * sizeof *ix->slot;
}
