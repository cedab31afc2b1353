/* hash_set.c - see hash_set.h. */
#include "hash_set.h"

static struct plumb_base_pair pair_of(uint64_t hash)
{
    hash |= 1;
    return (struct plumb_base_pair){ (uint32_t)(hash >> 32), (uint32_t)hash };
}

bool host_hash_set_has(const struct host_hash_set *s, uint64_t hash)
{
    return s->seen.index.slot &&
           plumb_base_pairs_find(&s->seen, pair_of(hash)) != UINT32_MAX;
}

bool host_hash_set_add(struct host_hash_set *s, uint64_t hash)
{
    const uint32_t before = s->seen.count;
    if (!s->seen.index.slot)
        plumb_base_pairs_init(&s->seen, NULL);
    if (plumb_base_pairs_number(&s->seen, pair_of(hash)) != before)
        return false;
    hash |= 1;
    s->whole[0] += plumb_base_mix1(hash);
    s->whole[1] ^= plumb_base_mix(hash, 1);
    return true;
}

void host_hash_set_release(struct host_hash_set *s)
{
    if (s->seen.index.slot)
        plumb_base_pairs_release(&s->seen);
    *s = (struct host_hash_set){ .whole = { 0, 0 } };
}
