/* cells.h - small records of 32-bit words, each held once.
 *
 * The same words have the same number, so structures made of cells (lists,
 * trees) are equal iff the numbers of their roots are, and share what they
 * have in common. */
#ifndef PLUMB_SPEC_STORES_CELLS_H
#define PLUMB_SPEC_STORES_CELLS_H

#include "base/index.h"
#include <assert.h>

struct plumb_spec_cells {
    struct plumb_budget *budget;
    uint32_t *word;
    size_t capacity; /* in words */
    uint32_t count, width;
    struct plumb_base_index index;
};

void plumb_spec_cells_init(struct plumb_spec_cells *c,
                           struct plumb_budget *budget, uint32_t width);
void plumb_spec_cells_release(struct plumb_spec_cells *c);

/* UINT32_MAX when memory is used up. */
uint32_t plumb_spec_cells_intern(struct plumb_spec_cells *c,
                                 const uint32_t *words);

/* Valid until the next intern. */
static inline const uint32_t *plumb_spec_cell(const struct plumb_spec_cells *c,
                                              uint32_t number)
{
    assert(number < c->count);
    return c->word + (size_t)number * c->width;
}

#endif
