/* image.h - the target: loaded, and its variables as they were when asked. */
#ifndef PLUMB_EXPLORE_IMAGE_H
#define PLUMB_EXPLORE_IMAGE_H

#include "heap.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Load it, once, with RTLD_NOW; runs its constructors.  False, and why.  The
 * libraries it needs belong to it if they have hooks, too. */
bool image_load(const char *path, char *why, size_t size);

/* NULL if it defines no such symbol. */
void *image_symbol(const char *name);

/* Keep a copy of its writable segments, and what its thread-locals are in a new
 * thread.  Again: what executions begin with changes. */
bool image_snapshot(void);

/* Put the variables back; and the thread-locals of the threads whose copies lie
 * at block[], as image_thread_locals() told them. */
void image_restore(char *const *block, size_t blocks);

/* Where the calling thread has its copy; NULL if the target has none. */
char *image_thread_locals(void);
size_t image_thread_locals_size(void);

/* Where the calling thread keeps its C++ exceptions that are on their way or
 * being handled: so many bytes, 0 at first, which belong to the world.  NULL if
 * the target is not in C++. */
enum { IMAGE_EXCEPTIONS = 2 * sizeof(void *) };
char *image_exceptions(void);

/* What of it tells this moment from others, for a fingerprint, without
 * thread-locals: as heap_ranges(), after a snapshot.  `most` is at least
 * IMAGE_MOST_RANGES.  Large memory that is as it was is left out. */
enum { IMAGE_MOST_RANGES = 256 };
unsigned image_ranges(struct heap_range *range, unsigned most);

/* Writable memory of the target, without thread-locals: range `i`.  False if
 * there are fewer. */
bool image_range(unsigned i, char **at, size_t *size);
bool image_has(const void *at);

/* Which library that it brings has this code, and where in it; NULL if none
 * has. */
const char *image_library_of(const void *pc, uintptr_t *offset);

/* While image_load() runs, whoever calls is a constructor or the dynamic
 * linker. */
bool image_is_loading(void);
bool image_is_linker(const void *pc);

/* Of an address in the code: what a debugger would know it by; and back.  Of
 * the target itself, not of libraries that it brings. */
bool image_has_code(const void *pc);
uintptr_t image_offset(const void *pc);
uintptr_t image_base(void);

/* Its build-id in hex, or "" if it has none. */
const char *image_build_id(void);

#endif
