/* writable_memory.h - where a loaded shared object keeps its variables. */
#ifndef PLUMB_APP_BINARY_WRITABLE_MEMORY_H
#define PLUMB_APP_BINARY_WRITABLE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { MEMORY_PARTS = 4, MOST_MEMORY = 1 << 24 };

struct binary_writable_memory {
    struct {
        char *at;
        size_t size;
    } part[MEMORY_PARTS];
    unsigned parts;
};

/* Of the object that `address` is in.  False if it has, or may have, state
 * elsewhere: in thread-local variables, on the heap, or in functions of others
 * that it calls. */
bool binary_writable_memory_find(struct binary_writable_memory *m,
                                 const void *address);

#endif
