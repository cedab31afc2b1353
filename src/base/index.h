/* index.h - finding things by their hash, when the things are numbered.
 *
 * The caller keeps the things, 0, 1, 2, ...; the index keeps a number in each
 * slot it uses and finds candidates by linear probing:
 *
 *     struct plumb_probe p = plumb_index_probe(ix, hash);
 *     for (uint32_t n; (n = plumb_probe_next(ix, &p)) != PLUMB_ABSENT;)
 *         if (equal(thing[n], wanted))
 *             return n;
 *     plumb_index_put(ix, &p, number);       the slot where the search ended
 *
 * Room is made before, with plumb_index_room(), which asks for hashes again.
 * At most 7/8 full; grows by a quarter, so a slot costs some 5 bytes per thing.
 *
 * Numbers are below twice the number of slots; the bits of a slot that they do
 * not need hold bits of the hash.  So most of those that are in the way are
 * passed without the caller having to look at them.
 *
 * src/spec/slots.h is the other table: it keeps the hashes, so it grows without
 * asking for them again, and takes twice the memory. */
#ifndef PLUMB_BASE_INDEX_H
#define PLUMB_BASE_INDEX_H

#include <assert.h>
#include <plumb/budget.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUMB_ABSENT UINT32_MAX

struct plumb_index {
    struct plumb_budget *budget;
    uint32_t *slot; /* a number plus one, and a tag; 0 is free */
    size_t slots, count;
    uint32_t numbers; /* the bits of a slot that are a number's */
};

struct plumb_probe {
    size_t at;
    uint32_t tag;
};

void plumb_index_init(struct plumb_index *ix, struct plumb_budget *budget);
void plumb_index_release(struct plumb_index *ix);
size_t plumb_index_bytes(const struct plumb_index *ix);

/* The hash of the number-th thing, for growing. */
typedef uint64_t plumb_index_hash(const void *context, uint32_t number);

bool plumb_index_grow(struct plumb_index *ix, plumb_index_hash *hash,
                      const void *context);

/* Make sure that one more fits.  False when memory is refused. */
static inline bool plumb_index_room(struct plumb_index *ix,
                                    plumb_index_hash *hash, const void *context)
{
    return ix->count < ix->slots - ix->slots / 8 ||
           plumb_index_grow(ix, hash, context);
}

static inline struct plumb_probe plumb_index_probe(const struct plumb_index *ix,
                                                   uint64_t hash)
{
    __extension__ typedef unsigned __int128 wide;
    return (struct plumb_probe){ (size_t)(((wide)hash * ix->slots) >> 64),
                                 (uint32_t)hash & ~ix->numbers };
}

/* Soon it will be looked for. */
static inline void plumb_probe_fetch(const struct plumb_index *ix,
                                     const struct plumb_probe *p)
{
    __builtin_prefetch(ix->slot + p->at);
}

/* The next candidate; PLUMB_ABSENT leaves the probe at a free slot. */
static inline uint32_t plumb_probe_next(const struct plumb_index *ix,
                                        struct plumb_probe *p)
{
    for (uint32_t found; (found = ix->slot[p->at]);) {
        p->at = p->at + 1 == ix->slots ? 0 : p->at + 1;
        if ((found & ~ix->numbers) == p->tag)
            return (found & ix->numbers) - 1;
    }
    return PLUMB_ABSENT;
}

static inline void plumb_index_put(struct plumb_index *ix,
                                   const struct plumb_probe *p, uint32_t number)
{
    assert(number < ix->numbers);
    ix->slot[p->at] = p->tag | (number + 1);
    ix->count++;
}

#endif
