/* hash.c - XXH3, compiled in. */
#include "hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t plumb_base_hash_bytes(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

struct plumb_base_hash128 plumb_base_hash128_bytes(const void *data,
                                                   size_t size)
{
    const XXH128_hash_t h = XXH3_128bits(data, size);
    return (struct plumb_base_hash128){ h.low64, h.high64 };
}
