/* shadow.c - cells, found by open addressing; parts of them, from pools.
 *
 * The table begins small, so that it stays in the caches, and doubles when it
 * is half full.  Pools are ranges of addresses that get memory when they are
 * first used; beginning anew is setting their counts back. */
#include "shadow.h"

#include "runtime/explore/memory/pages.h"
#include <string.h>
#include <sys/mman.h>

enum {
    FIRST_CELLS = 1 << 12,
    MOST_CELLS = 1 << 22,
    MOST_MORE = 1 << 20,
    MOST_ROWS = 1 << 20
};

bool races_shadow_full;

struct races_shadow races_shadow;

static uint64_t used;                            /* cells */
static uint32_t mores_used, rows_used, row_free; /* index 0 is no index */

static bool take_cells(uint64_t count)
{
    struct races_shadow_cell *const new = memory_map(count * sizeof *new);
    if (!new)
        return false;
    races_shadow.cell = new;
    races_shadow.mask = count - 1;
    races_shadow.shift = (unsigned)__builtin_clzll(races_shadow.mask);
    return true;
}

bool races_shadow_init(void)
{
    if (!races_shadow.cell && !take_cells(FIRST_CELLS))
        return false;
    if (!races_shadow.more)
        races_shadow.more = memory_map(MOST_MORE * sizeof *races_shadow.more);
    if (!races_shadow.row)
        races_shadow.row = memory_map(MOST_ROWS * sizeof *races_shadow.row);
    races_shadow_begin();
    return races_shadow.more && races_shadow.row;
}

void races_shadow_begin(void)
{
    races_shadow.generation =
        (races_shadow.generation + 1) & ((1 << SHADOW_GENERATION_BITS) - 1);
    if (races_shadow.generation ==
        0) { /* once round: what is very old looks new */
        memset(races_shadow.cell, 0,
               (races_shadow.mask + 1) * sizeof *races_shadow.cell);
        races_shadow.generation = 1;
    }
    used = 0;
    mores_used = rows_used = 1;
    row_free = 0;
    races_shadow_full = false;
}

/* ---- cells ---- */

/* Move to a table of twice the size. */
static bool grow(void)
{
    struct races_shadow_cell *const old = races_shadow.cell;
    const uint64_t count = races_shadow.mask + 1;
    if (count == MOST_CELLS || !take_cells(2 * count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!races_shadow_is_empty(&old[i]))
            *races_shadow_probe(old[i].key >> SHADOW_GENERATION_BITS) = old[i];
    (void)munmap(old, count * sizeof *old);
    return true;
}

struct races_shadow_cell *races_shadow_new(uint64_t word)
{
    if (2 * used > races_shadow.mask && !grow()) {
        races_shadow_full = true;
        return NULL;
    }
    struct races_shadow_cell *const cell = races_shadow_probe(word);
    *cell = (struct races_shadow_cell){ .key = races_shadow_key(word) };
    used++;
    return cell;
}

/* A range with more words than there are cells is found by looking at all. */
void races_shadow_each(uint64_t first, uint64_t last,
                       void visit(struct races_shadow_cell *cell, uint64_t word,
                                  void *context),
                       void *context)
{
    if (last - first <= races_shadow.mask) {
        for (uint64_t word = first; word < last; word++) {
            struct races_shadow_cell *const cell = races_shadow_find(word);
            if (cell)
                visit(cell, word, context);
        }
        return;
    }
    for (uint64_t i = 0; i <= races_shadow.mask; i++) {
        const uint64_t word =
            races_shadow.cell[i].key >> SHADOW_GENERATION_BITS;
        if (!races_shadow_is_empty(&races_shadow.cell[i]) && word >= first &&
            word < last)
            visit(&races_shadow.cell[i], word, context);
    }
}

/* ---- more records ---- */

struct races_shadow_more *races_shadow_extend(struct races_shadow_cell *cell)
{
    if (mores_used == MOST_MORE) {
        races_shadow_full = true;
        return NULL;
    }
    struct races_shadow_more *const new = &races_shadow.more[mores_used];
    *new = (struct races_shadow_more){ .more = cell->more };
    cell->more = mores_used++;
    return new;
}

/* ---- rows ---- */

static uint32_t take_row(void)
{
    const uint32_t index = row_free;
    if (index) {
        row_free = races_shadow.row[index].next;
        return index;
    }
    return rows_used < MOST_ROWS ? rows_used++ : 0;
}

struct races_shadow_row *races_shadow_release(struct races_shadow_cell *cell)
{
    const uint32_t index = take_row();
    if (!index) {
        races_shadow_full = true;
        return NULL;
    }
    struct races_shadow_row *const row = &races_shadow.row[index];
    row->next = cell->rows;
    row->bytes = 0;
    row->is_object = false;
    row->clocks.count = 0;
    cell->rows = index;
    return row;
}

void races_shadow_sweep(struct races_shadow_cell *cell)
{
    for (uint32_t *link = &cell->rows; *link;) {
        const uint32_t index = *link;
        struct races_shadow_row *const row = &races_shadow.row[index];
        if (row->bytes) {
            link = &row->next;
            continue;
        }
        *link = row->next;
        row->next = row_free;
        row_free = index;
    }
}
