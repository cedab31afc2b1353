/* arena.h - memory that is released as a whole.
 *
 * Blocks are cut from chunks that double up to 1 MiB; a block larger than a
 * quarter chunk gets its own.  Nothing is freed before the arena is.  A new one
 * has nothing but its budget: { .budget = budget }. */
#ifndef PLUMB_BASE_ARENA_H
#define PLUMB_BASE_ARENA_H

#include <plumb/budget.h>
#include <stddef.h>

struct plumb_base_chunk;

struct plumb_base_arena {
    struct plumb_budget *budget;
    struct plumb_base_chunk *chunks;
    char *free, *end;
    size_t next_size;
};

void plumb_base_arena_init(struct plumb_base_arena *arena,
                           struct plumb_budget *budget);
void plumb_base_arena_release(struct plumb_base_arena *arena);

/* Blocks of `from`, which is empty afterwards, live as long as those of `into`:
 * both have the same budget. */
void plumb_base_arena_adopt(struct plumb_base_arena *into,
                            struct plumb_base_arena *from);

/* 16-byte aligned; NULL when the budget refuses. */
void *plumb_base_arena_alloc(struct plumb_base_arena *arena, size_t size);
void *plumb_base_arena_zeroed(struct plumb_base_arena *arena, size_t size);
void *plumb_base_arena_copy(struct plumb_base_arena *arena, const void *data,
                            size_t size);

#endif
