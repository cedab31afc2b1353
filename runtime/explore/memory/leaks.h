/* leaks.h - blocks that nobody can free any more.
 *
 * When an execution has ended, a block is lost if no pointer leads to it: from
 * variables of the target, from threads that have not ended, or from a block
 * that is not lost.  What looks like a pointer into a block is one. */
#ifndef PLUMB_RUNTIME_EXPLORE_MEMORY_LEAKS_H
#define PLUMB_RUNTIME_EXPLORE_MEMORY_LEAKS_H

#include "heap.h"

/* How many are lost; `first` becomes the one that was allocated first.  Blocks
 * from before all executions count only if the target itself allocated them. */
uint32_t memory_leaks_find(struct memory_heap_block *first);

#endif
