/* heap.h - the memory that a target allocates while it is explored.
 *
 * It belongs to the world: every execution begins with the same blocks, and
 * the same steps get the same addresses.  What was freed last is given out
 * first to whoever asks next for that size, so that objects which are fooled by
 * memory that comes back (ABA) are fooled here.  Between blocks, and in freed
 * ones, no access is allowed.  New blocks hold rubbish (calloc: zeros). */
#ifndef PLUMB_EXPLORE_HEAP_H
#define PLUMB_EXPLORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How freed memory comes back. */
enum heap_reuse {
    HEAP_REUSE_AT_ONCE, /* last freed, first used                          */
    HEAP_REUSE_NEVER,   /* as long as there is other memory: finds more
                           uses after free                                 */
    HEAP_REUSE_CHOICE   /* either, by stage_choose()                       */
};

enum { HEAP_BYTES = 1 << 26 };

/* Again: empty, and with no snapshot. */
bool heap_init(enum heap_reuse reuse);

/* The heap as it is now is what executions begin with. */
bool heap_snapshot(void);
void heap_restore(void);

/* What of it belongs to the world, for a fingerprint: up to `most` ranges (at
 * least HEAP_MOST_RANGES), the number of them.  Unused memory does not. */
enum { HEAP_MOST_RANGES = 16 };
struct heap_range {
    const void *at;
    size_t size;
};
unsigned heap_ranges(struct heap_range *range, unsigned most);

/* NULL when it is used up.  Aligned to `alignment`, a power of 2. */
void *heap_take(const void *pc, size_t size, size_t alignment);

/* False if `block` is not one that heap_take() gave and nobody freed. */
bool heap_give(const void *pc, void *block);

extern uintptr_t heap_base; /* for the functions here */

/* Is it in the heap, allocated or not? */
static inline bool heap_has(const void *at)
{
    return (uintptr_t)at - heap_base < HEAP_BYTES;
}

size_t heap_size(const void *block);   /* of a block in use; 0 if it is none */
bool heap_is_block(const void *block); /* one in use begins there */

enum heap_access { HEAP_GOOD, HEAP_FREED, HEAP_OUTSIDE };
enum heap_access heap_look(const void *at, size_t size);

/* May [at, at + size) be accessed?  GOOD for what is not in the heap. */
static inline enum heap_access heap_access(const void *at, size_t size)
{
    return heap_has(at) ? heap_look(at, size) : HEAP_GOOD;
}

/* For reports.  `number`: how many blocks were allocated before it, in this
 * execution and before it began; pc: who allocated it, and who freed it. */
struct heap_block {
    const void *at, *allocated_by, *freed_by;
    size_t size;
    uint32_t number;
    bool used;
};
/* The block that `at` is in, or the nearest before it; the last one that was
 * there.  False if there is none. */
bool heap_block_of(const void *at, struct heap_block *block);

/* Blocks in use that an execution allocated. */
size_t heap_used(void);

/* One after the other, those in use: from *i on, which is 0 at first.  False if
 * there are no more. */
bool heap_next(uint32_t *i, struct heap_block *block);
bool heap_is_new(const struct heap_block *block); /* of this execution */
uint32_t heap_numbers(void);                      /* all are less than this */

#endif
