/* unwritten_memory.c - see unwritten_memory.h.  A table of cells of 8 bytes that were accessed; for
 * those that find no room in it nothing is assumed, nor for the heap: what is
 * allocated is written sooner or later, and better known at once. */
#include "unwritten_memory.h"

#include "base/hash.h"
#include "base/range.h"
#include "runtime/explore/memory/heap.h"

enum { CELLS = 1 << 16, PROBES = 8, MOST_BYTES = 1 << 12 };

struct cell {
    uint64_t key; /* address / 8, plus 1 */
    bool read;    /* while it was unwritten */
    bool written;
};

static struct cell table[CELLS];
static bool broken;
static bool given_up; /* somebody writes more than we want to look at */

static struct cell *cell_at(uint64_t word)
{
    const uint64_t hash = plumb_base_mix1(word);
    for (uint64_t i = hash; i < hash + PROBES; i++) {
        struct cell *const c = &table[i % CELLS];
        if (!c->key)
            c->key = word + 1;
        if (c->key == word + 1)
            return c;
    }
    return NULL;
}

static inline uint64_t first_word(const void *at)
{
    return (uintptr_t)at / 8;
}

static inline uint64_t last_word(const void *at, size_t size)
{
    return plumb_base_range_last((uintptr_t)at, size) / 8;
}

bool races_unwritten_read(const void *at, size_t size)
{
    if (!size || given_up || size > MOST_BYTES || memory_heap_has(at))
        return false;
    for (uint64_t w = first_word(at); w <= last_word(at, size); w++) {
        struct cell *const c = cell_at(w);
        if (!c || c->written)
            return false;
        c->read = true;
    }
    return true;
}

void races_unwritten_write(const void *at, size_t size)
{
    if (!size || given_up || memory_heap_has(at))
        return;
    if (size > MOST_BYTES) {
        broken = given_up = true;
        return;
    }
    for (uint64_t w = first_word(at); w <= last_word(at, size); w++) {
        struct cell *const c = cell_at(w);
        if (!c)
            continue;
        c->written = true;
        broken |= c->read; /* by itself, too: that counts from now on */
        c->read = false;
    }
}

bool races_unwritten_is_broken(void)
{
    const bool was = broken;
    broken = false;
    return was;
}
