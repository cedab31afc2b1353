/* cells.c - interning small records. */
#include "cells.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

void plumb_spec_cells_init(struct plumb_spec_cells *c,
                           struct plumb_budget *budget, uint32_t width)
{
    *c = (struct plumb_spec_cells){ .budget = budget, .width = width };
    plumb_base_index_init(&c->index, budget);
}

void plumb_spec_cells_release(struct plumb_spec_cells *c)
{
    PLUMB_RELEASE(c->budget, c->word, c->capacity);
    plumb_base_index_release(&c->index);
    plumb_spec_cells_init(c, c->budget, c->width);
}

static uint64_t hash_of(const uint32_t *words, uint32_t width)
{
    uint64_t h = width;
    for (uint32_t i = 0; i < width; i++)
        h = plumb_base_mix(h, words[i]);
    return h;
}

static uint64_t hash_of_cell(const void *context, uint32_t number)
{
    const struct plumb_spec_cells *const c = context;
    return hash_of(plumb_spec_cell(c, number), c->width);
}

uint32_t plumb_spec_cells_intern(struct plumb_spec_cells *c,
                                 const uint32_t *words)
{
    const size_t size = c->width * sizeof *words;
    if (!plumb_base_index_room(&c->index, hash_of_cell, c))
        return UINT32_MAX;
    struct plumb_base_probe p =
        plumb_base_index_probe(&c->index, hash_of(words, c->width));
    PLUMB_FOR_CANDIDATES(&c->index, &p, n)
        if (memcmp(plumb_spec_cell(c, n), words, size) == 0)
            return n;
    if (c->count >= UINT32_MAX - 2 ||
        !PLUMB_GROW(c->budget, c->word, c->capacity,
                    ((size_t)c->count + 1) * c->width))
        return UINT32_MAX;
    memcpy(c->word + (size_t)c->count * c->width, words, size);
    plumb_base_index_put(&c->index, &p, c->count);
    return c->count++;
}
