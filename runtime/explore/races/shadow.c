/* shadow.c - cells, found by open addressing; parts of them, from pools.
 *
 * The table begins small, so that it stays in the caches, and doubles when it
 * is half full.  Pools are ranges of addresses that get memory when they are
 * first used; beginning anew is setting their counts back. */
#include "shadow.h"

#include <string.h>
#include <sys/mman.h>

enum {
    FIRST_CELLS = 1 << 12,
    MOST_CELLS = 1 << 22,
    MOST_MORE = 1 << 20,
    MOST_ROWS = 1 << 20
};

bool shadow_full;

struct shadow shadow;

static uint64_t used;                            /* cells */
static uint32_t mores_used, rows_used, row_free; /* index 0 is no index */

static void *map(size_t size)
{
    void *const at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static bool take_cells(uint64_t count)
{
    struct shadow_cell *const new = map(count * sizeof *new);
    if (!new)
        return false;
    shadow.cell = new;
    shadow.mask = count - 1;
    shadow.shift = (unsigned)__builtin_clzll(shadow.mask);
    return true;
}

bool shadow_init(void)
{
    if (!shadow.cell && !take_cells(FIRST_CELLS))
        return false;
    if (!shadow.more)
        shadow.more = map(MOST_MORE * sizeof *shadow.more);
    if (!shadow.row)
        shadow.row = map(MOST_ROWS * sizeof *shadow.row);
    shadow_begin();
    return shadow.more && shadow.row;
}

void shadow_begin(void)
{
    shadow.generation =
        (shadow.generation + 1) & ((1 << SHADOW_GENERATION_BITS) - 1);
    if (shadow.generation == 0) { /* once round: what is very old looks new */
        memset(shadow.cell, 0, (shadow.mask + 1) * sizeof *shadow.cell);
        shadow.generation = 1;
    }
    used = 0;
    mores_used = rows_used = 1;
    row_free = 0;
    shadow_full = false;
}

/* ---- cells ---- */

/* Move to a table of twice the size. */
static bool grow(void)
{
    struct shadow_cell *const old = shadow.cell;
    const uint64_t count = shadow.mask + 1;
    if (count == MOST_CELLS || !take_cells(2 * count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!shadow_is_empty(&old[i]))
            *shadow_probe(old[i].key >> SHADOW_GENERATION_BITS) = old[i];
    (void)munmap(old, count * sizeof *old);
    return true;
}

struct shadow_cell *shadow_new(uint64_t word)
{
    if (2 * used > shadow.mask && !grow()) {
        shadow_full = true;
        return NULL;
    }
    struct shadow_cell *const cell = shadow_probe(word);
    *cell = (struct shadow_cell){ .key = shadow_key(word) };
    used++;
    return cell;
}

/* A range with more words than there are cells is found by looking at all. */
void shadow_each(uint64_t first, uint64_t last,
                 void visit(struct shadow_cell *cell, uint64_t word,
                            void *context),
                 void *context)
{
    if (last - first <= shadow.mask) {
        for (uint64_t word = first; word < last; word++) {
            struct shadow_cell *const cell = shadow_find(word);
            if (cell)
                visit(cell, word, context);
        }
        return;
    }
    for (uint64_t i = 0; i <= shadow.mask; i++) {
        const uint64_t word = shadow.cell[i].key >> SHADOW_GENERATION_BITS;
        if (!shadow_is_empty(&shadow.cell[i]) && word >= first && word < last)
            visit(&shadow.cell[i], word, context);
    }
}

/* ---- more records ---- */

struct shadow_more *shadow_extend(struct shadow_cell *cell)
{
    if (mores_used == MOST_MORE) {
        shadow_full = true;
        return NULL;
    }
    struct shadow_more *const new = &shadow.more[mores_used];
    *new = (struct shadow_more){ .more = cell->more };
    cell->more = mores_used++;
    return new;
}

/* ---- rows ---- */

static uint32_t take_row(void)
{
    const uint32_t index = row_free;
    if (index) {
        row_free = shadow.row[index].next;
        return index;
    }
    return rows_used < MOST_ROWS ? rows_used++ : 0;
}

struct shadow_row *shadow_release(struct shadow_cell *cell)
{
    const uint32_t index = take_row();
    if (!index) {
        shadow_full = true;
        return NULL;
    }
    struct shadow_row *const row = &shadow.row[index];
    row->next = cell->rows;
    row->bytes = 0;
    row->is_object = false;
    row->clocks.count = 0;
    cell->rows = index;
    return row;
}

void shadow_sweep(struct shadow_cell *cell)
{
    for (uint32_t *link = &cell->rows; *link;) {
        const uint32_t index = *link;
        struct shadow_row *const row = &shadow.row[index];
        if (row->bytes) {
            link = &row->next;
            continue;
        }
        *link = row->next;
        row->next = row_free;
        row_free = index;
    }
}
