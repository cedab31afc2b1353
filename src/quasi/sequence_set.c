/* sequence_set.c - see sequence_set.h. */
#include "sequence_set.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

enum { MOST = 1 << 28 };

void plumb_quasi_set_init(struct plumb_quasi_set *s, unsigned length,
                          struct plumb_budget *budget)
{
    assert(length > 0);
    *s = (struct plumb_quasi_set){ .budget = budget, .length = length };
    plumb_base_index_init(&s->index, budget);
}

void plumb_quasi_set_release(struct plumb_quasi_set *s)
{
    plumb_base_index_release(&s->index);
    PLUMB_RELEASE(s->budget, s->symbol, s->capacity);
    *s = (struct plumb_quasi_set){ .length = s->length };
}

static uint64_t hash(const struct plumb_quasi_set *s, const uint32_t *sequence)
{
    return plumb_base_hash_bytes(sequence, s->length * sizeof *sequence);
}

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct plumb_quasi_set *const s = context;
    return hash(s, plumb_quasi_set_at(s, number));
}

static uint32_t probe(const struct plumb_quasi_set *s, const uint32_t *sequence,
                      struct plumb_base_probe *p)
{
    const size_t size = s->length * sizeof *sequence;
    *p = plumb_base_index_probe(&s->index, hash(s, sequence));
    PLUMB_FOR_CANDIDATES(&s->index, p, n)
        if (memcmp(plumb_quasi_set_at(s, n), sequence, size) == 0)
            return n;
    return PLUMB_ABSENT;
}

uint32_t plumb_quasi_set_find(const struct plumb_quasi_set *s,
                              const uint32_t *sequence)
{
    struct plumb_base_probe p;
    return s->count ? probe(s, sequence, &p) : PLUMB_ABSENT;
}

uint32_t plumb_quasi_set_add(struct plumb_quasi_set *s,
                             const uint32_t *sequence)
{
    struct plumb_base_probe p;
    const size_t need = ((size_t)s->count + 1) * s->length;
    if (s->count == MOST || !plumb_base_index_room(&s->index, hash_of, s))
        return PLUMB_ABSENT;
    const uint32_t found = probe(s, sequence, &p);
    if (found != PLUMB_ABSENT)
        return found;
    if (!PLUMB_GROW(s->budget, s->symbol, s->capacity, need))
        return PLUMB_ABSENT;
    memcpy(s->symbol + (need - s->length), sequence,
           s->length * sizeof *sequence);
    plumb_base_index_put(&s->index, &p, s->count);
    return s->count++;
}
