/* hash.h - mixing bits.
 *
 * plumb_base_mix is the 64 x 64 -> 128 bit multiply-and-fold of the wyhash family;
 * strings go through XXH3.  Nothing here is stable across versions: do not
 * store a hash in a file. */
#ifndef PLUMB_BASE_HASH_H
#define PLUMB_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 plumb_u128;

struct plumb_base_hash128 {
    uint64_t lo, hi;
};

static inline uint64_t plumb_base_mix(uint64_t a, uint64_t b)
{
    const plumb_u128 product =
        (plumb_u128)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd1b54a32d192ed03u);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t plumb_base_mix1(uint64_t a)
{
    a ^= a >> 32;
    a *= 0xe9846af9b1a615du;
    a ^= a >> 32;
    a *= 0xe9846af9b1a615du;
    a ^= a >> 28;
    return a;
}

static inline bool plumb_base_hash128_equal(struct plumb_base_hash128 a,
                                            struct plumb_base_hash128 b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

uint64_t plumb_base_hash_bytes(const void *data, size_t size);
struct plumb_base_hash128 plumb_base_hash128_bytes(const void *data,
                                                   size_t size);

#endif
