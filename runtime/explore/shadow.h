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
#ifndef PLUMB_EXPLORE_SHADOW_H
#define PLUMB_EXPLORE_SHADOW_H

#include "sched/machine.h"
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
struct shadow_record {
    const void *pc;
    uint32_t clock; /* of the thread, when it did it */
    uint16_t size;  /* of the whole access, at most SHADOW_MOST */
    uint8_t bytes;  /* bit i: byte i of the cell */
    uint8_t who;    /* thread, and kind of access (races.c) */
};

struct shadow_more {
    struct shadow_record record[SHADOW_RECORDS];
    uint32_t more; /* index of the next, or 0 */
};

struct shadow_cell {
    uint64_t key;  /* address / 8, and the execution */
    uint32_t more; /* index of a shadow_more, or 0 */
    uint32_t rows; /* index of a shadow_row, or 0 */
    struct shadow_record record[SHADOW_RECORDS];
};

/* The clocks of threads 0 .. count - 1; those of others are 0. */
struct shadow_clocks {
    uint32_t count;
    uint32_t of[SHADOW_THREADS];
};

struct shadow_row {
    uint32_t next;  /* index of the next, or 0 */
    uint8_t bytes;  /* of the cell */
    bool is_object; /* released into the object there, not by a store */
    struct shadow_clocks clocks;
};

bool shadow_init(void);
void shadow_begin(void); /* all is forgotten */

/* Memory was used up since shadow_begin(): something was not remembered. */
extern bool shadow_full;

/* The cell of the 8 bytes at 8 * word; or NULL, if there is none.  Good until a
 * cell is added. */
struct shadow_cell *shadow_find(uint64_t word);
/* The same, added if there is none; NULL if memory is used up. */
struct shadow_cell *shadow_add(uint64_t word);

/* More records for a cell; NULL if memory is used up. */
struct shadow_more *shadow_more(uint32_t index);
struct shadow_more *shadow_extend(struct shadow_cell *cell);

struct shadow_row *shadow_row(uint32_t index);
/* A new row in the cell; NULL if memory is used up. */
struct shadow_row *shadow_release(struct shadow_cell *cell);
/* The rows that have no bytes left leave the cell. */
void shadow_sweep(struct shadow_cell *cell);

/* Call for each cell that is in [first, last). */
void shadow_each(uint64_t first, uint64_t last,
                 void visit(struct shadow_cell *cell, uint64_t word,
                            void *context),
                 void *context);

#endif
