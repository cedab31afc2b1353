/* shadow.c - cells, found by open addressing; parts of them, from pools.
 *
 * The table begins small, so that it stays in the caches, and doubles when it
 * is half full.  Pools are ranges of addresses that get memory when they are
 * first used; beginning anew is setting their counts back. */
#include "shadow.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

enum {
    FIRST_CELLS = 1 << 12,
    MOST_CELLS = 1 << 22,
    MOST_MORE = 1 << 20,
    MOST_ROWS = 1 << 20
};

bool shadow_full;

static struct shadow_cell *cells;
static uint64_t mask; /* cells - 1 */
static unsigned shift;
static uint64_t used, generation;

static struct shadow_more *mores;
static struct shadow_row *rows;
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
    cells = new;
    mask = count - 1;
    shift = (unsigned)__builtin_clzll(mask);
    return true;
}

bool shadow_init(void)
{
    if (!cells && !take_cells(FIRST_CELLS))
        return false;
    if (!mores)
        mores = map(MOST_MORE * sizeof *mores);
    if (!rows)
        rows = map(MOST_ROWS * sizeof *rows);
    shadow_begin();
    return mores && rows;
}

void shadow_begin(void)
{
    generation = (generation + 1) & ((1 << SHADOW_GENERATION_BITS) - 1);
    if (generation == 0) { /* once round: what is very old looks new */
        memset(cells, 0, (mask + 1) * sizeof *cells);
        generation = 1;
    }
    used = 0;
    mores_used = rows_used = 1;
    row_free = 0;
    shadow_full = false;
}

/* ---- cells ---- */

static inline uint64_t key_of(uint64_t word)
{
    return word << SHADOW_GENERATION_BITS | generation;
}

static inline bool is_empty(const struct shadow_cell *cell)
{
    return (cell->key & ((1 << SHADOW_GENERATION_BITS) - 1)) != generation;
}

/* Where it is, or would be. */
static inline struct shadow_cell *probe(uint64_t word)
{
    const uint64_t key = key_of(word);
    uint64_t i = word * 0x9e3779b97f4a7c15u >> shift;
    while (cells[i].key != key && !is_empty(&cells[i]))
        i = (i + 1) & mask;
    return &cells[i];
}

/* Move to a table of twice the size. */
static bool grow(void)
{
    struct shadow_cell *const old = cells;
    const uint64_t count = mask + 1;
    if (count == MOST_CELLS || !take_cells(2 * count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!is_empty(&old[i]))
            *probe(old[i].key >> SHADOW_GENERATION_BITS) = old[i];
    (void)munmap(old, count * sizeof *old);
    return true;
}

struct shadow_cell *shadow_find(uint64_t word)
{
    struct shadow_cell *const cell = probe(word);
    return is_empty(cell) ? NULL : cell;
}

static struct shadow_cell *add_new(uint64_t word)
{
    if (2 * used > mask && !grow()) {
        shadow_full = true;
        return NULL;
    }
    struct shadow_cell *const cell = probe(word);
    *cell = (struct shadow_cell){ .key = key_of(word) };
    used++;
    return cell;
}

struct shadow_cell *shadow_add(uint64_t word)
{
    struct shadow_cell *const cell = probe(word);
    return __builtin_expect(is_empty(cell), 0) ? add_new(word) : cell;
}

/* A range with more words than there are cells is found by looking at all. */
void shadow_each(uint64_t first, uint64_t last,
                 void visit(struct shadow_cell *cell, uint64_t word,
                            void *context),
                 void *context)
{
    if (last - first <= mask) {
        for (uint64_t word = first; word < last; word++) {
            struct shadow_cell *const cell = shadow_find(word);
            if (cell)
                visit(cell, word, context);
        }
        return;
    }
    for (uint64_t i = 0; i <= mask; i++) {
        const uint64_t word = cells[i].key >> SHADOW_GENERATION_BITS;
        if (!is_empty(&cells[i]) && word >= first && word < last)
            visit(&cells[i], word, context);
    }
}

/* ---- more records ---- */

struct shadow_more *shadow_more(uint32_t index)
{
    return &mores[index];
}

struct shadow_more *shadow_extend(struct shadow_cell *cell)
{
    if (mores_used == MOST_MORE) {
        shadow_full = true;
        return NULL;
    }
    struct shadow_more *const new = &mores[mores_used];
    *new = (struct shadow_more){ .more = cell->more };
    cell->more = mores_used++;
    return new;
}

/* ---- rows ---- */

struct shadow_row *shadow_row(uint32_t index)
{
    return &rows[index];
}

static uint32_t take_row(void)
{
    const uint32_t index = row_free;
    if (index) {
        row_free = rows[index].next;
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
    struct shadow_row *const row = &rows[index];
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
        struct shadow_row *const row = &rows[index];
        if (row->bytes) {
            link = &row->next;
            continue;
        }
        *link = row->next;
        row->next = row_free;
        row_free = index;
    }
}
