/* hash_set.c - open addressing, at most half full. */
#include "hash_set.h"

#include "base/hash.h"
#include <stdlib.h>

static uint64_t *place_of(uint64_t *slot, size_t slots, uint64_t hash)
{
    size_t at = hash & (slots - 1);
    while (slot[at] && slot[at] != hash)
        at = (at + 1) & (slots - 1);
    return &slot[at];
}

static bool make_room(struct host_hash_set *s)
{
    const size_t slots = s->slots ? 2 * s->slots : 1024;
    uint64_t *const slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    for (size_t i = 0; i < s->slots; i++)
        if (s->slot[i])
            *place_of(slot, slots, s->slot[i]) = s->slot[i];
    free(s->slot);
    s->slot = slot;
    s->slots = slots;
    return true;
}

bool host_hash_set_add(struct host_hash_set *s, uint64_t hash)
{
    hash |= 1;
    if (2 * s->count >= s->slots && !make_room(s))
        return false;
    uint64_t *const place = place_of(s->slot, s->slots, hash);
    if (*place)
        return false;
    *place = hash;
    s->count++;
    s->whole[0] += plumb_base_mix1(hash);
    s->whole[1] ^= plumb_base_mix(hash, 1);
    return true;
}

void host_hash_set_release(struct host_hash_set *s)
{
    free(s->slot);
    *s = (struct host_hash_set){ .slot = NULL };
}
