/* index.h - finding things by their hash, when the things are numbered.
 *
 * The caller keeps the things and puts them in one after the other; the index
 * keeps a number in each slot it uses and gives candidates:
 *
 *     struct plumb_base_probe p = plumb_base_index_probe(ix, hash);
 *     PLUMB_FOR_CANDIDATES(ix, &p, n)
 *         if (equal(thing[n], wanted))
 *             return n;
 *     plumb_base_index_put(ix, &p, number);       the slot where the search ended
 *
 * Room is made before, with plumb_base_index_room(), which asks for hashes again.
 *
 * Slots are in buckets of sixteen, a line of the cache each, which are filled
 * from the left.  A number is in the bucket of its hash, or if that is full in
 * the next that was not.  So a search looks at one line, all of it at once,
 * and seldom at a second.  At most nine tenths full; grows by a third, so a
 * slot costs some 5 bytes per thing.
 *
 * One thread puts numbers in.  Others may look for candidates meanwhile, but not
 * while it makes room: a slot is written once, as a whole, after the thing it
 * is about.  They may miss what is being put in.
 *
 * Numbers are below twice the number of slots; the bits of a slot that they do
 * not need hold bits of the hash.  So most of those that are in the way are
 * passed without the caller having to look at them.
 *
 * This is the table of the house: pair_index.h and number_lists.h stand on it.
 * The few others say why they are. */
#ifndef PLUMB_BASE_INDEX_H
#define PLUMB_BASE_INDEX_H

#include <assert.h>
#include <plumb/budget.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define PLUMB_INDEX_WATCHED /* clang's */
#endif
#endif
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__) &&                      \
    !defined(PLUMB_INDEX_WATCHED)
#define PLUMB_INDEX_SSE2
#include <emmintrin.h>
#endif

#define PLUMB_ABSENT UINT32_MAX

enum { PLUMB_BUCKET = 16 };

struct plumb_base_index {
    struct plumb_budget *budget;
    uint32_t *slot;            /* a number plus one, and a tag; 0 is free */
    size_t slots, count, most; /* there are; used; may be       */
    uint32_t numbers;          /* the bits of a slot that are a number's */
    uint32_t first;            /* number; the others follow it */
    void *block;               /* where `slot` is in */
};

struct plumb_base_probe {
    size_t at; /* a bucket; in the end, a slot */
    uint32_t tag;
    uint32_t begun; /* are `left` those of this bucket? */
    uint32_t left;  /* candidates in it, a bit each */
};

void plumb_base_index_init(struct plumb_base_index *ix,
                           struct plumb_budget *budget);
void plumb_base_index_release(struct plumb_base_index *ix);

/* Nothing is in it any more; the room stays. */
void plumb_base_index_clear(struct plumb_base_index *ix);

/* The hash of the number-th thing, for growing. */
typedef uint64_t plumb_base_index_hash(const void *context, uint32_t number);

bool plumb_base_index_grow(struct plumb_base_index *ix,
                           plumb_base_index_hash *hash, const void *context);

static inline bool plumb_base_index_is_full(const struct plumb_base_index *ix)
{
    return ix->count >= ix->most;
}

/* Make sure that one more fits.  False when the budget refuses. */
static inline bool plumb_base_index_room(struct plumb_base_index *ix,
                                         plumb_base_index_hash *hash,
                                         const void *context)
{
    return !plumb_base_index_is_full(ix) ||
           plumb_base_index_grow(ix, hash, context);
}

static inline struct plumb_base_probe plumb_base_index_probe(
    const struct plumb_base_index *ix, uint64_t hash)
{
    __extension__ typedef unsigned __int128 wide;
    const size_t buckets = ix->slots / PLUMB_BUCKET;
    return (struct plumb_base_probe){ (size_t)(((wide)hash * buckets) >> 64) *
                                          PLUMB_BUCKET,
                                      (uint32_t)hash & ~ix->numbers, 0, 0 };
}

static inline uint32_t plumb_base_slot_at(const uint32_t *slot)
{
    /* acquire: pairs with the release in plumb_base_index_put() */
    return atomic_load_explicit((const volatile _Atomic uint32_t *)slot,
                                memory_order_acquire);
}

/* Soon it will be looked for. */
static inline void plumb_base_probe_fetch(const struct plumb_base_index *ix,
                                          const struct plumb_base_probe *p)
{
    __builtin_prefetch(ix->slot + p->at);
}

/* The slots of a bucket that are `tag` in the bits of `mask`, a bit each.  Of
 * four that are loaded together each is loaded as a whole. */
static inline uint32_t plumb_base_bucket_match(const uint32_t *bucket,
                                               uint32_t mask, uint32_t tag)
{
#ifdef PLUMB_INDEX_SSE2
    const __m128i m = _mm_set1_epi32((int)mask), t = _mm_set1_epi32((int)tag);
    const __m128i *const at = (const __m128i *)(const void *)bucket;
#define SAME(i) _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(at + (i)), m), t)
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(
        _mm_packs_epi32(SAME(0), SAME(1)), _mm_packs_epi32(SAME(2), SAME(3))));
#undef SAME
#else
    uint32_t found = 0;
    for (unsigned i = 0; i < PLUMB_BUCKET; i++)
        found |= (uint32_t)((plumb_base_slot_at(bucket + i) & mask) == tag)
                 << i;
    return found;
#endif
}

/* The free slots of a bucket. */
static inline uint32_t plumb_base_bucket_free(const uint32_t *bucket)
{
    return plumb_base_bucket_match(bucket, UINT32_MAX, 0);
}

static inline size_t plumb_base_bucket_after(const struct plumb_base_index *ix,
                                             size_t at)
{
    return at + PLUMB_BUCKET == ix->slots ? 0 : at + PLUMB_BUCKET;
}

/* The next candidate; PLUMB_ABSENT leaves the probe at a free slot. */
static inline uint32_t plumb_base_probe_next(const struct plumb_base_index *ix,
                                             struct plumb_base_probe *p)
{
    for (;; p->at = plumb_base_bucket_after(ix, p->at), p->begun = 0) {
        const uint32_t *const bucket = ix->slot + p->at;
        const uint32_t unused = plumb_base_bucket_free(bucket);
        if (!p->begun) {
            p->left =
                plumb_base_bucket_match(bucket, ~ix->numbers, p->tag) & ~unused;
            p->begun = 1;
        }
        if (p->left) {
            const int i = __builtin_ctz(p->left);
            p->left &= p->left - 1;
            return (plumb_base_slot_at(bucket + i) & ix->numbers) - 1;
        }
        if (unused) {
            p->at += (unsigned)__builtin_ctz(unused);
            return PLUMB_ABSENT;
        }
    }
}

/* For each number that may be of the one looked for, in `probe`. */
#define PLUMB_FOR_CANDIDATES(ix, probe, number)                                \
    for (uint32_t number;                                                      \
         (number = plumb_base_probe_next(ix, probe)) != PLUMB_ABSENT;)

static inline void plumb_base_index_put(struct plumb_base_index *ix,
                                        const struct plumb_base_probe *p,
                                        uint32_t number)
{
    if (ix->count == 0)
        ix->first = number;
    assert(number < ix->numbers && number - ix->first == ix->count);
    /* release: pairs with the acquire in plumb_base_slot_at() */
    atomic_store_explicit((_Atomic uint32_t *)(ix->slot + p->at),
                          p->tag | (number + 1), memory_order_release);
    ix->count++;
}

#endif
