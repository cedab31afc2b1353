/* number_lists.c - lists side by side, found by their hashes. */
#include "number_lists.h"

#include "hash.h"
#include "memory.h"
#include <assert.h>
#include <string.h>

void plumb_base_lists_init(struct plumb_base_lists *l,
                           struct plumb_budget *budget)
{
    *l = (struct plumb_base_lists){ .budget = budget };
    plumb_base_index_init(&l->index, budget);
}

void plumb_base_lists_release(struct plumb_base_lists *l)
{
    plumb_base_index_release(&l->index);
    PLUMB_RELEASE(l->budget, l->first, l->first_room);
    PLUMB_RELEASE(l->budget, l->hash, l->hash_room);
    PLUMB_RELEASE(l->budget, l->number, l->number_room);
    plumb_base_lists_init(l, l->budget);
}

static uint64_t hash_of(const void *context, uint32_t list)
{
    const struct plumb_base_lists *const l = context;
    return l->hash[list];
}

static bool is_list(const struct plumb_base_lists *l, uint32_t list,
                    const uint32_t *number, size_t count)
{
    const size_t first = l->first[list];
    return l->first[list + 1] - first == count &&
           (count == 0 ||
            !memcmp(l->number + first, number, count * sizeof *number));
}

static bool append(struct plumb_base_lists *l, const uint32_t *number,
                   size_t count, uint64_t hash)
{
    const size_t n = l->count;
    const size_t end = n ? l->first[n] : 0;
    if (!PLUMB_GROW(l->budget, l->first, l->first_room, n + 2) ||
        !PLUMB_GROW(l->budget, l->hash, l->hash_room, n + 1) ||
        !PLUMB_GROW(l->budget, l->number, l->number_room, end + count + 1))
        return false;
    if (count)
        memcpy(l->number + end, number, count * sizeof *number);
    l->first[n] = end;
    l->first[n + 1] = end + count;
    l->hash[n] = hash;
    l->count++;
    return true;
}

uint32_t plumb_base_lists_put(struct plumb_base_lists *l,
                              const uint32_t *number, size_t count)
{
    assert(number || !count);
    const uint64_t hash = plumb_base_hash_bytes(number, count * sizeof *number);
    if (l->count == PLUMB_ABSENT - 1 ||
        !plumb_base_index_room(&l->index, hash_of, l))
        return PLUMB_ABSENT;
    struct plumb_base_probe p = plumb_base_index_probe(&l->index, hash);
    PLUMB_FOR_CANDIDATES(&l->index, &p, n)
        if (l->hash[n] == hash && is_list(l, n, number, count))
            return n;
    if (!append(l, number, count, hash))
        return PLUMB_ABSENT;
    plumb_base_index_put(&l->index, &p, l->count - 1);
    return l->count - 1;
}

uint32_t plumb_base_lists_find(const struct plumb_base_lists *l,
                               const uint32_t *number, size_t count)
{
    const uint64_t hash = plumb_base_hash_bytes(number, count * sizeof *number);
    struct plumb_base_probe p = plumb_base_index_probe(&l->index, hash);
    PLUMB_FOR_CANDIDATES(&l->index, &p, n)
        if (l->hash[n] == hash && is_list(l, n, number, count))
            return n;
    return PLUMB_ABSENT;
}
