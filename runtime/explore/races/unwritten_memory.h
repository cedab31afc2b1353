/* unwritten_memory.h - memory that nobody writes.
 *
 * Reads of it race with nothing, and need not be remembered: much of what a
 * program reads was made before its threads began.  That nobody writes it is
 * assumed until somebody does; if others have read it until then, what was done
 * under the assumption has to be done again. */
#ifndef PLUMB_RUNTIME_EXPLORE_RACES_UNWRITTEN_MEMORY_H
#define PLUMB_RUNTIME_EXPLORE_RACES_UNWRITTEN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A thread reads: has nobody written there so far? */
bool races_unwritten_read(const void *at, size_t size);

/* A thread writes. */
void races_unwritten_write(const void *at, size_t size);

/* Was memory written that others had read before?  Once for each time. */
bool races_unwritten_is_broken(void);

#endif
