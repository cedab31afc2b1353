/* reads_from.c - hashes of threads, which meet where one reads from another.
 *
 * The hash of a thread is of all that it did, and of what it read from: the hash
 * that the writer had then.  So by induction it tells all that happened before.
 * Memory has a hash per 8 bytes: that of the thread that wrote them last.  As
 * long as not all that was written there is written over, the hash is of all
 * these writes in their order, which tells more classes apart than there are,
 * and never fewer.  What is released into an object is never written over.
 *
 * Memory that becomes new forgets the accesses before.  Which these are is a
 * matter of order, so every thread notes where it was. */
#include "reads_from.h"

#include "base/hash.h"
#include "sched/machine.h"
#include <string.h>

enum {
    CELLS = 1 << 13,
    MOST_WIDE = CELLS / 4, /* cells of wide accesses */
    OBJECT = 1 << 8,
    WRITES_BIT = RACE_ADDRESS_BITS,
    READS_BIT = RACE_ADDRESS_BITS + 1
};
_Static_assert(RACE_WRITES == 1 && RACE_READS == 2, "bits of an entry");

struct cell {
    uint64_t word, hash;
    uint32_t execution; /* else it is empty */
    uint32_t written;   /* bytes; OBJECT: released into */
};

static struct cell cell[CELLS];
static uint32_t execution;
static uint64_t wide;

static uint64_t hash_of[PLUMB_MAX_THREADS];
static unsigned threads;

static void begin(void)
{
    if (++execution == 0) {
        memset(cell, 0, sizeof cell);
        execution = 1;
    }
    wide = threads = 0;
}

static inline uint64_t *get(unsigned thread)
{
    for (; __builtin_expect(threads <= thread, 0); threads++)
        hash_of[threads] = threads;
    return &hash_of[thread];
}

/* The cell of a word, perhaps one of another execution. */
static inline struct cell *find(uint64_t word)
{
    uint64_t i = word % CELLS;
    while (__builtin_expect(cell[i].word != word, 0)) {
        if (cell[i].execution != execution) {
            cell[i].word = word;
            break;
        }
        i = (i + 1) % CELLS;
    }
    return &cell[i];
}

static struct cell *find_fresh(uint64_t word)
{
    struct cell *const c = find(word);
    if (c->execution != execution)
        *c = (struct cell){ .word = word, .execution = execution };
    return c;
}

static inline uint64_t after(uint64_t hash, uint64_t where, uint64_t what)
{
    return (hash + plumb_mix(where, what)) * 0xd6e8feb86659fd93u;
}

static inline uint64_t written_over(const struct cell *c, uint32_t bytes,
                                    uint64_t hash)
{
    return c->written & ~bytes ? plumb_mix(c->hash, hash) : hash;
}

/* An access within a word.  Which kind it is, nobody foresees: so none of this
 * is a jump. */
static inline void access(const struct race_entry *e, uint64_t at,
                          uint64_t size, uint64_t *hash)
{
    const uint64_t reads = -(e->what >> READS_BIT & 1);
    const uint64_t writes = -(e->what >> WRITES_BIT & 1);
    const uint32_t bytes = (0xffu >> (8 - size)) << at % 8;
    struct cell *const c = find(at / 8);
    const bool fresh = c->execution != execution;
    c->execution = execution;
    c->hash = fresh ? 0 : c->hash;
    c->written = fresh ? 0 : c->written;
    *hash = after(*hash, e->where, e->what ^ (c->hash & reads));
    c->hash ^= (c->hash ^ written_over(c, bytes, *hash)) & writes;
    c->written |= bytes & (uint32_t)writes;
}

/* Those of [at, at + size) in a word. */
static uint32_t bytes_of(uint64_t word, uint64_t at, uint64_t size)
{
    uint32_t bytes = 0xff;
    if (word == at / 8)
        bytes &= 0xffu << at % 8;
    if (word == (at + size - 1) / 8)
        bytes &= 0xffu >> (7 - (at + size - 1) % 8);
    return bytes;
}

static void write(uint64_t word, uint32_t bytes, uint64_t hash)
{
    struct cell *const c = find_fresh(word);
    c->hash = written_over(c, bytes, hash);
    c->written |= bytes;
}

/* One that reaches over several. */
static void access_wide(const struct race_entry *e, uint64_t at, uint64_t size,
                        uint64_t *hash)
{
    const uint64_t last = (at + size - 1) / 8;
    *hash = after(*hash, e->where, e->what);
    wide += size / 8 + 1;
    if (!size || wide > MOST_WIDE)
        return;
    for (uint64_t w = at / 8; race_kind(e) & RACE_READS && w <= last; w++)
        *hash = plumb_mix(*hash, find_fresh(w)->hash);
    for (uint64_t w = at / 8; race_kind(e) & RACE_WRITES && w <= last; w++)
        write(w, bytes_of(w, at, size), *hash);
}

/* All that was released into it orders who acquires it. */
static void release(struct cell *c, uint64_t hash)
{
    c->hash = plumb_mix(c->hash, hash);
    c->written |= OBJECT;
}

/* No thread does it: every thread sees it. */
static void forget(const struct race_entry *e)
{
    for (unsigned t = 0; t < threads; t++)
        hash_of[t] = after(hash_of[t], e->where, e->what);
}

static void order(const struct race_entry *e)
{
    const uint64_t where = (uintptr_t)race_address(e);
    uint64_t *const hash = get(race_thread(e));
    uint64_t *started;
    *hash = after(*hash, e->where, e->what);
    switch (race_kind(e)) {
    case RACE_ACQUIRE:
        *hash = plumb_mix(*hash, find_fresh(where / 8)->hash);
        break;
    case RACE_RELEASE:
        release(find_fresh(where / 8), *hash);
        break;
    case RACE_SPAWN:
        started = get((unsigned)where);
        *started = plumb_mix(*started, *hash);
        break;
    case RACE_JOIN:
        *hash = plumb_mix(*hash, *get((unsigned)where));
        break;
    case RACE_FORGET:
        forget(e);
        break;
    default: /* a fence */
        break;
    }
}

uint64_t reads_from(const struct race_entry *entry,
                    const struct race_entry *end)
{
    uint64_t all = 0;
    begin();
    for (const struct race_entry *e = entry; e != end; e++) {
        const uint64_t at = (uintptr_t)race_address(e), size = race_size(e);
        if (__builtin_expect(race_kind(e) >= RACE_FENCE, 0))
            order(e);
        else if (__builtin_expect(at % 8 + size - 1 < 8, 1))
            access(e, at, size, get(race_thread(e)));
        else
            access_wide(e, at, size, get(race_thread(e)));
    }
    if (wide > MOST_WIDE)
        return 0;
    for (unsigned t = 0; t < threads; t++)
        all = plumb_mix(all, hash_of[t]);
    return all ? all : 1;
}
