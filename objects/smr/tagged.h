/* tagged.h - a pointer and a count in one word.
 *
 * A CAS compares bits: that a pointer is the same as before does not say that
 * nothing happened in between (ABA).  A count that grows with every change
 * does.  Addresses of user space have 48 bits on the machines we know, which
 * leaves 16 for the count: a thread is deceived only if it sleeps while a
 * multiple of 65536 changes are made to the word. */
#ifndef PLUMB_OBJECTS_TAGGED_H
#define PLUMB_OBJECTS_TAGGED_H

#include <stdint.h>

typedef uint64_t tagged;

static inline tagged tagged_make(const void *p, uint64_t tag)
{
    return tag << 48 | (uint64_t)(uintptr_t)p;
}

static inline void *tagged_pointer(tagged t)
{
    return (void *)(uintptr_t)(t & (UINT64_MAX >> 16));
}

static inline uint64_t tagged_tag(tagged t)
{
    return t >> 48;
}

#endif
