/* heap.h - the memory that a target allocates while it is explored.
 *
 * It belongs to the world: every execution begins with the same blocks, and
 * the same steps get the same addresses.  What was freed last is given out
 * first to whoever asks next for that size, so that objects which are fooled by
 * memory that comes back (ABA) are fooled here.  Between blocks, and in freed
 * ones, no access is allowed.  New blocks hold rubbish (calloc: zeros). */
#ifndef PLUMB_RUNTIME_EXPLORE_MEMORY_HEAP_H
#define PLUMB_RUNTIME_EXPLORE_MEMORY_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How freed memory comes back. */
enum memory_heap_reuse {
    HEAP_REUSE_AT_ONCE, /* last freed, first used                          */
    HEAP_REUSE_NEVER,   /* as long as there is other memory: finds more
                           uses after free                                 */
    HEAP_REUSE_CHOICE   /* either, by scheduler_choose()                   */
};

enum { HEAP_BYTES = 1 << 26 };

/* Again: empty, and with no snapshot. */
bool memory_heap_init(enum memory_heap_reuse reuse);

/* The heap as it is now is what executions begin with. */
bool memory_heap_snapshot(void);
void memory_heap_restore(void);

/* The heap in the midst of an execution. */
struct memory_tape;
void memory_heap_pass(struct memory_tape *tape);

/* What of it belongs to the world, for a fingerprint: up to `most` ranges (at
 * least HEAP_MOST_RANGES), the number of them.  Unused memory does not. */
enum { HEAP_MOST_RANGES = 16 };
struct memory_heap_range {
    const void *at;
    size_t size;
};
unsigned memory_heap_ranges(struct memory_heap_range *range, unsigned most);

/* NULL when it is used up.  Aligned to `alignment`, a power of 2. */
void *memory_heap_take(const void *pc, size_t size, size_t alignment);

/* False if `block` is not one that memory_heap_take() gave and nobody freed. */
bool memory_heap_give(const void *pc, void *block);

extern uintptr_t memory_heap_base; /* for the functions here */

/* Is it in the heap, allocated or not? */
static inline bool memory_heap_has(const void *at)
{
    return (uintptr_t)at - memory_heap_base < HEAP_BYTES;
}

size_t memory_heap_size(
    const void *block); /* of a block in use; 0 if it is none */
bool memory_heap_is_block(const void *block); /* one in use begins there */

enum memory_heap_access { HEAP_GOOD, HEAP_FREED, HEAP_OUTSIDE };
enum memory_heap_access memory_heap_look(const void *at, size_t size);

/* May [at, at + size) be accessed?  GOOD for what is not in the heap. */
static inline enum memory_heap_access memory_heap_access(const void *at,
                                                         size_t size)
{
    return memory_heap_has(at) ? memory_heap_look(at, size) : HEAP_GOOD;
}

/* For reports.  `number`: how many blocks were allocated before it, in this
 * execution and before it began; pc: who allocated it, and who freed it. */
struct memory_heap_block {
    const void *at, *allocated_by, *freed_by;
    size_t size;
    uint32_t number;
    bool used;
};
/* The block that `at` is in, or the nearest before it; the last one that was
 * there.  False if there is none. */
bool memory_heap_block_of(const void *at, struct memory_heap_block *block);

/* Blocks in use that an execution allocated. */
size_t memory_heap_used(void);

/* One after the other, those in use: from *i on, which is 0 at first.  False if
 * there are no more. */
bool memory_heap_next(uint32_t *i, struct memory_heap_block *block);
bool memory_heap_is_new(
    const struct memory_heap_block *block); /* of this execution */
uint32_t memory_heap_numbers(void);         /* all are less than this */

#endif
