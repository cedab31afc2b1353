/* image.h - an object under test, loaded, and as fresh as then whenever asked.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <plumb/object.h>
#include <stddef.h>
#include <stdint.h>

/* Load it, once, and keep a copy of its variables as its constructors left
 * them.  NULL after saying why on stderr. */
const struct plumb_object *image_load(const char *path);

/* All variables as they were after loading; the thread-local ones are those of
 * the threads in block[], see image_thread_locals(). */
void image_restore(char *const *block, size_t blocks);

/* Where the calling thread has its copy; NULL if the object has none. */
char *image_thread_locals(void);

/* Of an address in the code: what a debugger would know it by. */
uintptr_t image_offset(const void *address);

#endif
