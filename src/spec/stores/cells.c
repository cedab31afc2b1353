/* cells.c - interning small records. */
#include "cells.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

void plumb_spec_cells_init(struct plumb_spec_cells *c,
                           struct plumb_budget *budget, uint32_t width)
{
    *c = (struct plumb_spec_cells){ .budget = budget, .width = width };
    plumb_spec_slots_init(&c->index, budget);
}

void plumb_spec_cells_release(struct plumb_spec_cells *c)
{
    PLUMB_RELEASE(c->budget, c->word, c->capacity);
    plumb_spec_slots_release(&c->index);
    plumb_spec_cells_init(c, c->budget, c->width);
}

static uint32_t hash_of(const uint32_t *words, uint32_t width)
{
    uint64_t h = width;
    for (uint32_t i = 0; i < width; i++)
        h = plumb_base_mix(h, words[i]);
    return (uint32_t)h;
}

uint32_t plumb_spec_cells_intern(struct plumb_spec_cells *c,
                                 const uint32_t *words)
{
    const uint32_t hash = hash_of(words, c->width);
    const size_t size = c->width * sizeof *words;
    size_t at = hash;
    uint32_t n;
    if (!plumb_spec_slots_reserve(&c->index))
        return UINT32_MAX;
    while (plumb_spec_slots_next(&c->index, hash, &at, &n))
        if (memcmp(plumb_spec_cell(c, n), words, size) == 0)
            return n;
    if (c->count >= UINT32_MAX - 2 ||
        !PLUMB_GROW(c->budget, c->word, c->capacity,
                    ((size_t)c->count + 1) * c->width))
        return UINT32_MAX;
    n = c->count++;
    memcpy(c->word + (size_t)n * c->width, words, size);
    plumb_spec_slots_fill(&c->index, at, hash, n);
    return n;
}
