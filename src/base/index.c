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

static void move(const struct plumb_index *from, struct plumb_index *to,
                 plumb_index_hash *hash, const void *context)
{
    for (size_t i = 0; i < from->slots; i++) {
        if (!from->slot[i])
            continue;
        const uint32_t number = (from->slot[i] & from->numbers) - 1;
        struct plumb_probe p = plumb_index_probe(to, hash(context, number));
        while (plumb_probe_next(to, &p) != PLUMB_ABSENT)
            ;
        plumb_index_put(to, &p, number);
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
