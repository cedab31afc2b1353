/* fnv.h - FNV-1a, 64 bits.
 *
 * Part of file formats, hence, unlike what is in hash.h, never changed.  Begin
 * with PLUMB_FNV, and go on with what the last call returned. */
#ifndef PLUMB_BASE_FNV_H
#define PLUMB_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define PLUMB_FNV 0xcbf29ce484222325u

static inline uint64_t plumb_base_fnv(uint64_t sum, const void *data,
                                      size_t size)
{
    const unsigned char *const byte = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ byte[i]) * 0x100000001b3u;
    return sum;
}

#endif
