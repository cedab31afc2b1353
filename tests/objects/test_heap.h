/* test_heap.h - the memory that an object allocates while schedules are tried.
 *
 * It is as empty at the start of every execution, so addresses repeat.  What
 * was freed last is given out first, to whoever asks next for a block of that
 * size: objects that are fooled by memory which comes back (ABA) are fooled
 * here.  New blocks hold rubbish, freed ones keep what they held. */
#ifndef TEST_HEAP_H
#define TEST_HEAP_H

#include <stdbool.h>
#include <stddef.h>

bool test_heap_init(void);
void test_heap_reset(void);

/* NULL when the heap is used up. */
void *test_heap_take(size_t size, size_t alignment);

/* False if `block` is not one that test_heap_take() gave and nobody freed. */
bool test_heap_give(void *block);

/* Of a block that is in use; 0 if it is none. */
size_t test_heap_size(const void *block);

/* The number of blocks in use. */
size_t test_heap_used(void);

/* Does the access lie in the heap, and not in blocks that are in use? */
bool test_heap_is_dead(const void *address, size_t size);

#endif
