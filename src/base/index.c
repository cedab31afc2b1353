/* index.c - making an index larger. */
#include "index.h"

#include "memory.h"
#include "pace.h"
#include <string.h>

enum { LINE = PLUMB_BUCKET * sizeof(uint32_t) };

/* What is looked for in an index without slots is looked for here. */
static const struct {
    _Alignas(LINE) uint32_t slot[PLUMB_BUCKET];
} nothing;

void plumb_base_index_init(struct plumb_base_index *ix,
                           struct plumb_budget *budget)
{
    *ix = (struct plumb_base_index){ .budget = budget,
                                     .slot = (uint32_t *)(uintptr_t)&nothing };
}

/* With room to begin where a line does. */
static size_t bytes_of(const struct plumb_base_index *ix)
{
    return ix->slots ? ix->slots * sizeof *ix->slot + LINE : 0;
}

void plumb_base_index_release(struct plumb_base_index *ix)
{
    plumb_base_release(ix->budget, ix->block, bytes_of(ix));
    plumb_base_index_init(ix, ix->budget);
}

void plumb_base_index_clear(struct plumb_base_index *ix)
{
    if (ix->count)
        memset(ix->slot, 0, ix->slots * sizeof *ix->slot);
    ix->count = 0;
}

static void put(struct plumb_base_index *ix, uint64_t hash, uint32_t number)
{
    struct plumb_base_probe p = plumb_base_index_probe(ix, hash);
    uint32_t unused;
    while (!(unused = plumb_base_bucket_free(ix->slot + p.at)))
        p.at = plumb_base_bucket_after(ix, p.at);
    p.at += (unsigned)__builtin_ctz(unused);
    ix->slot[p.at] = p.tag | (number + 1);
}

/* In the order of numbers: things are then read side by side.  Their slots are
 * far apart; the processor waits for those of a batch at once.  False if time
 * ends meanwhile, and there are so many that it matters. */
static bool put_all(struct plumb_base_index *ix, plumb_base_index_hash *hash,
                    const void *context)
{
    enum { BATCH = 32, SOME = 4096, MANY = 1 << 18 };
    uint64_t found[BATCH];
    for (size_t i = 0; i < ix->count; i += BATCH) {
        if (ix->count >= MANY && i % SOME == 0 &&
            plumb_budget_state(ix->budget) != PLUMB_OK)
            return false;
        const size_t count = ix->count - i < BATCH ? ix->count - i : BATCH;
        for (size_t k = 0; k < count; k++) {
            found[k] = hash(context, ix->first + (uint32_t)(i + k));
            const struct plumb_base_probe p =
                plumb_base_index_probe(ix, found[k]);
            plumb_base_probe_fetch(ix, &p);
        }
        for (size_t k = 0; k < count; k++)
            put(ix, found[k], ix->first + (uint32_t)(i + k));
    }
    return true;
}

/* Enough bits for twice as many numbers as slots, and one more. */
static uint32_t bits_of_numbers(size_t slots)
{
    uint64_t all = 1;
    while (all <= 2 * slots)
        all *= 2;
    return all - 1 < UINT32_MAX ? (uint32_t)(all - 1) : UINT32_MAX;
}

/* By half; by a third where that is much. */
static size_t more_slots(size_t slots)
{
    enum { FEWEST = 64, MANY = 1 << 16 };
    if (slots < FEWEST)
        return FEWEST;
    const size_t wanted = slots + slots / (slots < MANY ? 2 : 3);
    return wanted - wanted % PLUMB_BUCKET;
}

static uint32_t *first_line(void *block)
{
    const uintptr_t last = LINE - 1;
    return (uint32_t *)(((uintptr_t)block + last) & ~last);
}

/* Nothing is looked up in the old slots: they become part of the new ones.  If
 * time ends before all are put in, the index stays full: whoever asks for room
 * again has all of them put in first. */
bool plumb_base_index_grow(struct plumb_base_index *ix,
                           plumb_base_index_hash *hash, const void *context)
{
    struct plumb_base_index larger = *ix;
    larger.slots = more_slots(ix->slots);
    larger.most = larger.slots - larger.slots / 10;
    larger.numbers = bits_of_numbers(larger.slots);
    larger.block = plumb_base_resize(ix->budget, ix->block, bytes_of(ix),
                                     bytes_of(&larger));
    if (!larger.block)
        return false;
    larger.slot = first_line(larger.block);
    *ix = larger;
    if (plumb_base_paced_set(ix->budget, ix->slot, 0,
                             ix->slots * sizeof *ix->slot) &&
        put_all(ix, hash, context))
        return true;
    ix->most = 0;
    return false;
}
