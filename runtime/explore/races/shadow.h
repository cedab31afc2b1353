/* shadow.h - what the race detector remembers of memory: a cell per 8 bytes.
 *
 * Cells are found by a hash of the address.  Each carries the number of the
 * execution it was last used in, so that all are forgotten by counting that
 * number on.  A cell has a list of *records*, accesses that later ones may race
 * with, and a list of *rows*, clocks that were released into some of its bytes:
 *
 *     cell of 0x7f10..18:   key | more | rows | record | record | record
 *                                  |      |
 *         three more records <-----+      +--> bytes 0-3: clock of each thread
 *
 * Nothing here calls malloc, which is the target's. */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_SHADOW_H
#define PLUMB_RUNTIME_EXPLORE_RACES_SHADOW_H

#include "strategies/machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHADOW_THREADS = PLUMB_MAX_THREADS,
    SHADOW_RECORDS = 3,       /* in a cell, or in a part of the rest */
    SHADOW_MOST = UINT16_MAX, /* the largest size that is remembered */
    SHADOW_GENERATION_BITS = 16
};

/* An access to some bytes of a cell; no bytes: the place is free. */
struct races_shadow_record {
    const void *pc;
    uint32_t clock; /* of the thread, when it did it */
    uint16_t size;  /* of the whole access, at most SHADOW_MOST */
    uint8_t bytes;  /* bit i: byte i of the cell */
    uint8_t who;    /* thread, and kind of access (races.c) */
};

struct races_shadow_more {
    struct races_shadow_record record[SHADOW_RECORDS];
    uint32_t more; /* index of the next, or 0 */
};

struct races_shadow_cell {
    uint64_t key;  /* address / 8 (48 bits are enough), and the execution */
    uint32_t more; /* index of a races_shadow_more, or 0 */
    uint32_t rows; /* index of a races_shadow_row, or 0 */
    struct races_shadow_record record[SHADOW_RECORDS];
};

/* The clocks of threads 0 .. count - 1; those of others are 0. */
struct races_shadow_clocks {
    uint32_t count;
    uint32_t of[SHADOW_THREADS];
};

struct races_shadow_row {
    uint32_t next;  /* index of the next, or 0 */
    uint8_t bytes;  /* of the cell */
    bool is_object; /* released into the object there, not by a store */
    struct races_shadow_clocks clocks;
};

bool races_shadow_init(void);
void races_shadow_begin(void); /* all is forgotten */

/* Memory was used up since races_shadow_begin(): something was not remembered. */
extern bool races_shadow_full;

/* Where it all is. */
struct races_shadow {
    struct races_shadow_cell *cell;
    uint64_t mask; /* cells - 1 */
    uint64_t generation;
    unsigned shift; /* of a hash, to an index */
    struct races_shadow_more *more;
    struct races_shadow_row *row;
};
extern struct races_shadow races_shadow;

/* ---- cells: good until one is added ---- */

static inline uint64_t races_shadow_key(uint64_t word)
{
    return word << SHADOW_GENERATION_BITS | races_shadow.generation;
}

static inline bool races_shadow_is_empty(const struct races_shadow_cell *cell)
{
    return (cell->key & ((1 << SHADOW_GENERATION_BITS) - 1)) !=
           races_shadow.generation;
}

/* Where the cell of the 8 bytes at 8 * word is, or would be. */
static inline struct races_shadow_cell *races_shadow_probe(uint64_t word)
{
    const uint64_t key = races_shadow_key(word);
    uint64_t i = word * 0x9e3779b97f4a7c15u >> races_shadow.shift;
    while (races_shadow.cell[i].key != key &&
           !races_shadow_is_empty(&races_shadow.cell[i]))
        i = (i + 1) & races_shadow.mask;
    return &races_shadow.cell[i];
}

/* NULL if memory is used up. */
struct races_shadow_cell *races_shadow_new(uint64_t word);

/* NULL if there is none. */
static inline struct races_shadow_cell *races_shadow_find(uint64_t word)
{
    struct races_shadow_cell *const cell = races_shadow_probe(word);
    return races_shadow_is_empty(cell) ? NULL : cell;
}

/* The same, added if there is none; NULL if memory is used up. */
static inline struct races_shadow_cell *races_shadow_add(uint64_t word)
{
    struct races_shadow_cell *const cell = races_shadow_probe(word);
    return races_shadow_is_empty(cell) ? races_shadow_new(word) : cell;
}

/* ---- parts of them ---- */

static inline struct races_shadow_more *races_shadow_more(uint32_t index)
{
    return &races_shadow.more[index];
}

static inline struct races_shadow_row *races_shadow_row(uint32_t index)
{
    return &races_shadow.row[index];
}

/* More records for a cell; NULL if memory is used up. */
struct races_shadow_more *races_shadow_extend(struct races_shadow_cell *cell);

/* A new row in the cell; NULL if memory is used up. */
struct races_shadow_row *races_shadow_release(struct races_shadow_cell *cell);
/* The rows that have no bytes left leave the cell. */
void races_shadow_sweep(struct races_shadow_cell *cell);

/* Call for each cell that is in [first, last). */
void races_shadow_each(uint64_t first, uint64_t last,
                       void visit(struct races_shadow_cell *cell, uint64_t word,
                                  void *context),
                       void *context);

#endif
