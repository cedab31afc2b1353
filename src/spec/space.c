/* space.c - states as bytes, each held once.
 *
 * Invariant: data[0 .. count) are pairwise different, so a state's number
 * stands for its bytes, and comparing two states is comparing two numbers. */
#include "spec.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

bool plumb_spec_states_add(struct plumb_spec_states *out, plumb_spec_state s)
{
    void *block = out->state;
    if (!plumb_base_grow(out->budget, &block, &out->capacity, out->count + 1,
                         sizeof *out->state))
        return false;
    out->state = block;
    out->state[out->count++] = s;
    return true;
}

void plumb_spec_states_release(struct plumb_spec_states *out)
{
    plumb_base_release(out->budget, out->state,
                       out->capacity * sizeof *out->state);
    *out = (struct plumb_spec_states){ .budget = out->budget };
}

bool plumb_spec_space_open(struct plumb_spec_space *space,
                           const struct plumb_spec_bound *bound,
                           struct plumb_budget *budget)
{
    *space = (struct plumb_spec_space){ .bound = bound, .spec = bound->spec };
    plumb_base_arena_init(&space->arena, budget);
    plumb_spec_slots_init(&space->index, budget);
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
    plumb_spec_slots_release(&space->index);
    plumb_base_release(budget, space->data,
                       space->capacity * sizeof *space->data);
    plumb_base_release(budget, space->size,
                       space->size_capacity * sizeof *space->size);
    plumb_base_arena_release(&space->arena);
    *space =
        (struct plumb_spec_space){ .bound = space->bound, .spec = space->spec };
}

static bool grow(struct plumb_spec_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    void *data = space->data, *size = space->size;
    if (space->count >= PLUMB_NO_STATE - 1)
        return false;
    if (!plumb_base_grow(budget, &data, &space->capacity, space->count + 1,
                         sizeof *space->data))
        return false;
    space->data = data;
    if (!plumb_base_grow(budget, &size, &space->size_capacity, space->count + 1,
                         sizeof *space->size))
        return false;
    space->size = size;
    return true;
}

plumb_spec_state plumb_spec_space_intern(struct plumb_spec_space *space,
                                         const void *data, uint32_t size)
{
    const uint32_t hash = (uint32_t)plumb_base_hash_bytes(data, size);
    size_t at = hash;
    plumb_spec_state s;
    if (!plumb_spec_slots_reserve(&space->index))
        return PLUMB_NO_STATE;
    while (plumb_spec_slots_next(&space->index, hash, &at, &s))
        if (space->size[s] == size && memcmp(space->data[s], data, size) == 0)
            return s;
    void *const copy = /* of no bytes it has an address, too */
        grow(space) ? plumb_base_arena_alloc(&space->arena, size ? size : 1)
                    : NULL;
    if (!copy)
        return PLUMB_NO_STATE;
    memcpy(copy, data, size);
    s = (plumb_spec_state)space->count++;
    space->data[s] = copy;
    space->size[s] = size;
    plumb_spec_slots_fill(&space->index, at, hash, s);
    return s;
}
