/* space.c - states as bytes, each held once.
 *
 * Invariant: data[0 .. count) are pairwise different, so a state's number
 * stands for its bytes, and comparing two states is comparing two numbers. */
#include "spec.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

bool plumb_spec_states_add(struct plumb_spec_states *out, plumb_spec_state s)
{
    return PLUMB_APPEND(out->budget, out->state, out->count, out->capacity, s);
}

void plumb_spec_states_release(struct plumb_spec_states *out)
{
    PLUMB_RELEASE(out->budget, out->state, out->capacity);
    *out = (struct plumb_spec_states){ .budget = out->budget };
}

bool plumb_spec_space_open(struct plumb_spec_space *space,
                           const struct plumb_spec_bound *bound,
                           struct plumb_budget *budget)
{
    *space = (struct plumb_spec_space){ .bound = bound, .spec = bound->spec };
    plumb_base_arena_init(&space->arena, budget);
    plumb_base_index_init(&space->index, budget);
    const struct plumb_spec_type *const type = space->spec->type;
    if (!type->open || type->open(space))
        return true;
    plumb_spec_space_close(space);
    return false;
}

void plumb_spec_space_close(struct plumb_spec_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    const struct plumb_spec_type *const type = space->spec->type;
    if (type->close)
        type->close(space);
    plumb_base_index_release(&space->index);
    PLUMB_RELEASE(budget, space->data, space->capacity);
    PLUMB_RELEASE(budget, space->size, space->size_capacity);
    plumb_base_arena_release(&space->arena);
    *space =
        (struct plumb_spec_space){ .bound = space->bound, .spec = space->spec };
}

static bool grow(struct plumb_spec_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    const size_t need = space->count + 1;
    return space->count < PLUMB_NO_STATE - 1 &&
           PLUMB_GROW(budget, space->data, space->capacity, need) &&
           PLUMB_GROW(budget, space->size, space->size_capacity, need);
}

static uint64_t hash_of(const void *context, uint32_t number)
{
    const struct plumb_spec_space *const space = context;
    assert(number < space->count);
    return plumb_base_hash_bytes(space->data[number], space->size[number]);
}

plumb_spec_state plumb_spec_space_intern(struct plumb_spec_space *space,
                                         const void *data, uint32_t size)
{
    if (!plumb_base_index_room(&space->index, hash_of, space))
        return PLUMB_NO_STATE;
    struct plumb_base_probe p = plumb_base_index_probe(
        &space->index, plumb_base_hash_bytes(data, size));
    PLUMB_FOR_CANDIDATES(&space->index, &p, s)
        if (space->size[s] == size && memcmp(space->data[s], data, size) == 0)
            return s;
    void *const copy = /* of no bytes it has an address, too */
        grow(space) ? plumb_base_arena_alloc(&space->arena, size ? size : 1)
                    : NULL;
    if (!copy)
        return PLUMB_NO_STATE;
    memcpy(copy, data, size);
    const plumb_spec_state s = (plumb_spec_state)space->count++;
    space->data[s] = copy;
    space->size[s] = size;
    plumb_base_index_put(&space->index, &p, s);
    return s;
}
