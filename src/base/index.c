/* index.c - making an index larger. */
#include "base/index.h"

#include "base/memory.h"

enum { LINE = PLUMB_BUCKET * sizeof(uint32_t) };

void plumb_index_init(struct plumb_index *ix, struct plumb_budget *budget)
{
    *ix = (struct plumb_index){ .budget = budget };
}

/* With room to begin where a line does. */
size_t plumb_index_bytes(const struct plumb_index *ix)
{
    return ix->slots ? ix->slots * sizeof *ix->slot + LINE : 0;
}

void plumb_index_release(struct plumb_index *ix)
{
    plumb_release(ix->budget, ix->block, plumb_index_bytes(ix));
    plumb_index_init(ix, ix->budget);
}

static void put(struct plumb_index *to, uint64_t hash, uint32_t number)
{
    struct plumb_probe p = plumb_index_probe(to, hash);
    uint32_t unused;
    while (!(unused = plumb_bucket_free(to->slot + p.at)))
        p.at = plumb_bucket_after(to, p.at);
    p.at += (unsigned)__builtin_ctz(unused);
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

/* By half; by an eighth where that is much. */
static size_t more_slots(size_t slots)
{
    enum { FEWEST = 64, MANY = 1 << 16 };
    if (slots < FEWEST)
        return FEWEST;
    const size_t wanted = slots + slots / (slots < MANY ? 2 : 4);
    return wanted - wanted % PLUMB_BUCKET;
}

bool plumb_index_grow(struct plumb_index *ix, plumb_index_hash *hash,
                      const void *context)
{
    struct plumb_index larger = { .budget = ix->budget };
    larger.slots = more_slots(ix->slots);
    larger.most = larger.slots - larger.slots / 8;
    larger.numbers = bits_of_numbers(larger.slots);
    larger.block = plumb_alloc_zeroed(ix->budget, plumb_index_bytes(&larger));
    if (!larger.block)
        return false;
    larger.slot = (uint32_t *)(((uintptr_t)larger.block + LINE - 1) &
                               ~(uintptr_t)(LINE - 1));
    move(ix, &larger, hash, context);
    plumb_index_release(ix);
    *ix = larger;
    return true;
}
