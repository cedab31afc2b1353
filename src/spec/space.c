/* space.c - states as bytes, each held once.
 *
 * Invariant: data[0 .. count) are pairwise different, so a state's number
 * stands for its bytes, and comparing two states is comparing two numbers. */
#include "spec.h"

#include "base/hash.h"
#include "base/memory.h"
#include <assert.h>
#include <string.h>

bool plumb_states_add(struct plumb_states *out, plumb_state s)
{
    void *block = out->state;
    if (!plumb_grow(out->budget, &block, &out->capacity, out->count + 1,
                    sizeof *out->state))
        return false;
    out->state = block;
    out->state[out->count++] = s;
    return true;
}

void plumb_states_release(struct plumb_states *out)
{
    plumb_release(out->budget, out->state, out->capacity * sizeof *out->state);
    *out = (struct plumb_states){ .budget = out->budget };
}

bool plumb_space_open(struct plumb_space *space,
                      const struct plumb_bound *bound,
                      struct plumb_budget *budget)
{
    *space = (struct plumb_space){ .bound = bound, .spec = bound->spec };
    plumb_arena_init(&space->arena, budget);
    plumb_slots_init(&space->index, budget);
    const struct plumb_type *const type = space->spec->type;
    if (!type->open || type->open(space))
        return true;
    plumb_space_close(space);
    return false;
}

void plumb_space_close(struct plumb_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    const struct plumb_type *const type = space->spec->type;
    if (type->close)
        type->close(space);
    plumb_slots_release(&space->index);
    plumb_release(budget, space->data, space->capacity * sizeof *space->data);
    plumb_release(budget, space->size,
                  space->size_capacity * sizeof *space->size);
    plumb_arena_release(&space->arena);
    *space = (struct plumb_space){ .bound = space->bound, .spec = space->spec };
}

static bool grow(struct plumb_space *space)
{
    struct plumb_budget *const budget = space->arena.budget;
    void *data = space->data, *size = space->size;
    if (space->count >= PLUMB_NO_STATE - 1)
        return false;
    if (!plumb_grow(budget, &data, &space->capacity, space->count + 1,
                    sizeof *space->data))
        return false;
    space->data = data;
    if (!plumb_grow(budget, &size, &space->size_capacity, space->count + 1,
                    sizeof *space->size))
        return false;
    space->size = size;
    return true;
}

plumb_state plumb_space_intern(struct plumb_space *space, const void *data,
                               uint32_t size)
{
    const uint32_t hash = (uint32_t)plumb_hash_bytes(data, size);
    size_t at = hash;
    plumb_state s;
    if (!plumb_slots_reserve(&space->index))
        return PLUMB_NO_STATE;
    while (plumb_slots_next(&space->index, hash, &at, &s))
        if (space->size[s] == size && memcmp(space->data[s], data, size) == 0)
            return s;
    void *const copy = /* of no bytes it has an address, too */
        grow(space) ? plumb_arena_alloc(&space->arena, size ? size : 1) : NULL;
    if (!copy)
        return PLUMB_NO_STATE;
    memcpy(copy, data, size);
    s = (plumb_state)space->count++;
    space->data[s] = copy;
    space->size[s] = size;
    plumb_slots_fill(&space->index, at, hash, s);
    return s;
}
