/* arena.c - bump allocation from doubling chunks. */
#include "arena.h"

#include "memory.h"
#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_CHUNK = 4096, LAST_CHUNK = 1 << 20, ALIGNMENT = 16 };

struct plumb_base_chunk {
    struct plumb_base_chunk *next;
    size_t size;
};

static_assert(sizeof(struct plumb_base_chunk) % ALIGNMENT == 0,
              "blocks start right behind the chunk's head");

void plumb_base_arena_init(struct plumb_base_arena *arena,
                           struct plumb_budget *budget)
{
    *arena = (struct plumb_base_arena){ .budget = budget };
}

void plumb_base_arena_release(struct plumb_base_arena *arena)
{
    struct plumb_base_chunk *c = arena->chunks;
    while (c) {
        struct plumb_base_chunk *const next = c->next;
        plumb_base_release(arena->budget, c, c->size);
        c = next;
    }
    plumb_base_arena_init(arena, arena->budget);
}

void plumb_base_arena_adopt(struct plumb_base_arena *into,
                            struct plumb_base_arena *from)
{
    struct plumb_base_chunk **end = &from->chunks;
    assert(into->budget == from->budget);
    while (*end)
        end = &(*end)->next;
    *end = into->chunks;
    into->chunks = from->chunks;
    plumb_base_arena_init(from, from->budget);
}

static struct plumb_base_chunk *add_chunk(struct plumb_base_arena *arena,
                                          size_t room)
{
    const size_t size = sizeof(struct plumb_base_chunk) + room;
    if (size < room)
        return NULL;
    struct plumb_base_chunk *const c = plumb_base_alloc(arena->budget, size);
    if (!c)
        return NULL;
    c->next = arena->chunks;
    c->size = size;
    arena->chunks = c;
    return c;
}

void *plumb_base_arena_alloc(struct plumb_base_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    assert(arena->free <= arena->end);
    if (size == 0) /* NULL is for failure alone */
        size = 1;
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (size <= (size_t)(arena->end - arena->free)) {
        void *const block = arena->free;
        arena->free += size;
        return block;
    }
    if (!arena->next_size)
        arena->next_size = FIRST_CHUNK;
    if (size > arena->next_size / 4) {
        struct plumb_base_chunk *const own = add_chunk(arena, size);
        return own ? own + 1 : NULL;
    }
    struct plumb_base_chunk *const c = add_chunk(arena, arena->next_size);
    if (!c)
        return NULL;
    arena->free = (char *)(c + 1);
    arena->end = arena->free + arena->next_size;
    if (arena->next_size < LAST_CHUNK)
        arena->next_size *= 2;
    void *const block = arena->free;
    arena->free += size;
    return block;
}

void *plumb_base_arena_zeroed(struct plumb_base_arena *arena, size_t size)
{
    void *const block = plumb_base_arena_alloc(arena, size);
    if (block)
        memset(block, 0, size);
    return block;
}

void *plumb_base_arena_copy(struct plumb_base_arena *arena, const void *data,
                            size_t size)
{
    assert(data || !size);
    void *const block = plumb_base_arena_alloc(arena, size);
    if (block && size)
        memcpy(block, data, size);
    return block;
}
