/* pages.h - memory that is put back to what it was, for each execution.
 *
 * Little memory is copied.  Of much memory an execution writes few pages, and
 * mostly the same as others did; the rest is protected.  Who writes there first
 * gets a signal, upon which the page is let go for good: it is copied from then
 * on.  What nobody ever writes costs nothing. */
#ifndef PLUMB_RUNTIME_EXPLORE_MEMORY_PAGES_H
#define PLUMB_RUNTIME_EXPLORE_MEMORY_PAGES_H

#include "heap.h"
#include "tape.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

struct memory_pages {
    char *at, *copy;
    size_t size, room; /* of copy */
    /* Whole pages that are, or were, protected: first[0 .. count pages). */
    char *first;
    uint32_t count;
    uint32_t writes; /* so many were written, written[0], ... */
    uint32_t *written, *differ;
    bool *is_written;
    bool listed; /* memory_pages_fault() knows it */
};

/* Whoever handles SIGSEGV calls memory_pages_fault() first.  Without that nothing is
 * protected. */
void memory_pages_watch(void);

/* The address of a write that failed.  True: it may be tried again. */
bool memory_pages_fault(const void *at);

/* What at[0 .. size) holds now is what it is put back to.  p is zero at first,
 * and stays where it is; again: forgets what it kept.  False if there is no
 * memory. */
bool memory_pages_keep(struct memory_pages *p, char *at, size_t size);
void memory_pages_restore(struct memory_pages *p);

/* The content now, in the midst of an execution. */
void memory_pages_pass(struct memory_pages *p, struct memory_tape *tape);

/* What tells its content now from others, for a fingerprint: as memory_heap_ranges().
 * It does not depend on what was protected when.  `most` is at least 4. */
unsigned memory_pages_ranges(struct memory_pages *p,
                             struct memory_heap_range *range, unsigned most);

/* Zeroed memory that costs nothing until it is written; NULL if there is none.
 */
static inline void *memory_map(size_t size)
{
    void *const at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

#endif
