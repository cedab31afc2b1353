/* state_sets.c - interned sets of states. */
#include "state_sets.h"

#include "base/hash.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

bool plumb_check_state_sets_open(struct plumb_check_state_sets *f,
                                 const struct plumb_spec_bound *bound,
                                 bool sets, struct plumb_budget *budget)
{
    *f = (struct plumb_check_state_sets){ .sets = sets,
                                          .out = { .budget = budget } };
    plumb_base_arena_init(&f->arena, budget);
    return plumb_spec_space_open(&f->space, bound, budget);
}

void plumb_check_state_sets_close(struct plumb_check_state_sets *f)
{
    struct plumb_budget *const b = f->arena.budget;
    plumb_spec_space_close(&f->space);
    plumb_spec_states_release(&f->out);
    PLUMB_RELEASE(b, f->member, f->member_capacity);
    PLUMB_RELEASE(b, f->count, f->count_capacity);
    PLUMB_RELEASE(b, f->slot, f->slots);
    plumb_base_arena_release(&f->arena);
}

static int compare_states(const void *x, const void *y)
{
    const plumb_spec_state a = *(const plumb_spec_state *)x,
                           b = *(const plumb_spec_state *)y;
    return a < b ? -1 : a > b;
}

static void sort_out(struct plumb_spec_states *out)
{
    if (out->count < 2)
        return;
    qsort(out->state, out->count, sizeof *out->state, compare_states);
    size_t kept = 1;
    for (size_t i = 1; i < out->count; i++)
        if (out->state[i] != out->state[kept - 1])
            out->state[kept++] = out->state[i];
    out->count = kept;
}

static size_t find_slot(const struct plumb_check_state_sets *f,
                        const plumb_spec_state *state, size_t count)
{
    size_t i =
        plumb_base_hash_bytes(state, count * sizeof *state) & (f->slots - 1);
    for (; f->slot[i]; i = (i + 1) & (f->slots - 1)) {
        const uint32_t set = f->slot[i] - 1;
        if (f->count[set] == count &&
            memcmp(f->member[set], state, count * sizeof *state) == 0)
            break;
    }
    return i;
}

static bool double_slots(struct plumb_check_state_sets *f)
{
    struct plumb_budget *const b = f->arena.budget;
    const size_t slots = f->slots ? 2 * f->slots : 64;
    uint32_t *const fresh = plumb_base_alloc_zeroed(b, slots * sizeof *fresh);
    if (!fresh)
        return false;
    PLUMB_RELEASE(b, f->slot, f->slots);
    f->slot = fresh;
    f->slots = slots;
    for (uint32_t i = 0; i < f->fronts; i++)
        f->slot[find_slot(f, f->member[i], f->count[i])] = i + 1;
    return true;
}

static bool grow_table(struct plumb_check_state_sets *f)
{
    struct plumb_budget *const b = f->arena.budget;
    if (!PLUMB_GROW(b, f->member, f->member_capacity, f->fronts + 1) ||
        !PLUMB_GROW(b, f->count, f->count_capacity, f->fronts + 1))
        return false;
    return f->fronts < f->slots / 2 || double_slots(f);
}

static plumb_check_state_set intern(struct plumb_check_state_sets *f,
                                    const plumb_spec_state *state, size_t count)
{
    if (!grow_table(f))
        return PLUMB_NO_FRONT;
    const size_t at = find_slot(f, state, count);
    if (f->slot[at])
        return f->slot[at] - 1;
    plumb_spec_state *const copy =
        plumb_base_arena_copy(&f->arena, state, count * sizeof *state);
    if (!copy || f->fronts >= PLUMB_NO_FRONT - 1)
        return PLUMB_NO_FRONT;
    f->member[f->fronts] = copy;
    f->count[f->fronts] = (uint32_t)count;
    f->slot[at] = (uint32_t)++f->fronts;
    return (plumb_check_state_set)f->fronts - 1;
}

plumb_check_state_set plumb_check_state_sets_initial(
    struct plumb_check_state_sets *f)
{
    const plumb_spec_state s = f->space.spec->type->initial(&f->space);
    return f->sets && s != PLUMB_NO_STATE ? intern(f, &s, 1) : s;
}

static bool step_set(struct plumb_check_state_sets *f,
                     plumb_check_state_set from,
                     const struct plumb_spec_action *a,
                     plumb_check_state_set *next)
{
    const struct plumb_spec_type *const type = f->space.spec->type;
    const plumb_spec_state *const state = f->member[from];
    const uint32_t count = f->count[from];
    f->steps += count;
    for (uint32_t i = 0; i < count; i++)
        if (!type->step(&f->space, state[i], a, &f->out))
            return false;
    *next = PLUMB_NO_FRONT;
    if (!f->out.count)
        return true;
    sort_out(&f->out);
    *next = intern(f, f->out.state, f->out.count);
    return *next != PLUMB_NO_FRONT;
}

bool plumb_check_state_sets_step(struct plumb_check_state_sets *f,
                                 plumb_check_state_set from,
                                 const struct plumb_spec_action *a,
                                 plumb_check_state_set *next)
{
    f->out.count = 0;
    if (f->sets)
        return step_set(f, from, a, next);
    f->steps++;
    if (!f->space.spec->type->step(&f->space, from, a, &f->out))
        return false;
    *next = f->out.count ? f->out.state[0] : PLUMB_NO_FRONT;
    return true;
}

bool plumb_check_state_sets_within(const struct plumb_check_state_sets *f,
                                   plumb_check_state_set a,
                                   plumb_check_state_set b)
{
    if (a == b || !f->sets)
        return a == b;
    uint32_t j = 0;
    for (uint32_t i = 0; i < f->count[a]; i++) {
        while (j < f->count[b] && f->member[b][j] < f->member[a][i])
            j++;
        if (j == f->count[b] || f->member[b][j] != f->member[a][i])
            return false;
    }
    return true;
}
