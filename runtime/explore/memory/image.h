/* image.h - the target: loaded, and its variables as they were when asked. */
#ifndef PLUMB_RUNTIME_EXPLORE_MEMORY_IMAGE_H
#define PLUMB_RUNTIME_EXPLORE_MEMORY_IMAGE_H

#include "heap.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Load it, once, with RTLD_NOW; runs its constructors.  False, and why.  The
 * libraries it needs belong to it if they have hooks, too. */
bool memory_image_load(const char *path, char *why, size_t size);

/* NULL if it defines no such symbol. */
void *memory_image_symbol(const char *name);

/* Keep a copy of its writable segments, and what its thread-locals are in a new
 * thread.  Again: what executions begin with changes. */
bool memory_image_snapshot(void);

/* Put the variables back; and the thread-locals of the threads whose copies lie
 * at block[], as memory_image_thread_locals() told them. */
void memory_image_restore(char *const *block, size_t blocks);

/* The variables now; and thread-locals as they are in a new thread. */
struct memory_tape;
void memory_image_pass(struct memory_tape *tape);
void memory_image_begin_locals(char *block);

/* Where the calling thread has its copy; NULL if the target has none. */
char *memory_image_thread_locals(void);
size_t memory_image_thread_locals_size(void);

/* Where the calling thread keeps its C++ exceptions that are on their way or
 * being handled: so many bytes, 0 at first, which belong to the world.  NULL if
 * the target is not in C++. */
enum { IMAGE_EXCEPTIONS = 2 * sizeof(void *) };
char *memory_image_exceptions(void);

/* Where it keeps what std::call_once() is to call: two pointers, which belong to
 * the world; or NULL. */
enum { IMAGE_ONCE = 2 };
void memory_image_once(void **once[IMAGE_ONCE]);

/* What of it tells this moment from others, for a fingerprint, without
 * thread-locals: as memory_heap_ranges(), after a snapshot.  `most` is at least
 * IMAGE_MOST_RANGES.  Large memory that is as it was is left out. */
enum { IMAGE_MOST_RANGES = 256 };
unsigned memory_image_ranges(struct memory_heap_range *range, unsigned most);

/* Writable memory of the target, without thread-locals: range `i`.  False if
 * there are fewer. */
bool memory_image_range(unsigned i, char **at, size_t *size);
bool memory_image_has(const void *at);

/* While memory_image_load() runs, whoever calls is a constructor or the dynamic
 * linker. */
bool memory_image_is_loading(void);
bool memory_image_is_linker(const void *pc);

/* Of an address in the code: what a debugger would know it by; and back.  Of
 * the target itself, not of libraries that it brings. */
bool memory_image_has_code(const void *pc);
uintptr_t memory_image_offset(const void *pc);
uintptr_t memory_image_base(void);

/* Its build-id in hex, or "" if it has none. */
const char *memory_image_build_id(void);

#endif
